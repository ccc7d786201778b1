/** Cards by code (`S6`): order, parts, points. */

import type { Card } from "../generated/types";

export type Code = Card;
export type Suit = "D" | "H" | "S" | "C";

export const SUITS: readonly Suit[] = ["D", "H", "S", "C"];
export const RANKS = ["6", "7", "8", "9", "10", "J", "Q", "K", "A"] as const;
export const DECK: readonly Code[] = SUITS.flatMap((suit) => RANKS.map((rank) => `${suit}${rank}` as const));

const TRUMP_OF: Record<string, Suit> = { diamonds: "D", hearts: "H", spades: "S", clubs: "C" };
const TRUMP_ORDER = ["6", "7", "8", "10", "Q", "K", "A", "9", "J"];

/** Whether a text is the code of a card. */
export const isCode = (text: string | undefined): text is Code => (DECK as readonly (string | undefined)[]).includes(text);
export const suitOf = (code: Code): Suit => code[0] as Suit;
export const rankOf = (code: Code): string => code.slice(1);
export const indexOf = (code: Code): number => DECK.indexOf(code);

/** The trump suit of a contract; null without one. */
export function trumpOf(contract: string | null): Suit | null {
  return contract === null ? null : (TRUMP_OF[contract] ?? null);
}

/** The codes set in a mask of 36 characters in deck order. */
export function codesOf(mask: string): Code[] {
  return DECK.filter((_, index) => mask[index] === "1");
}

/** The key of the reason why a card is illegal, from 36 digits; null without a reason. */
export function reasonOf(why: string | undefined, card: Code): string | null {
  const digit = why?.[indexOf(card)] ?? "0";
  return digit === "0" ? null : `reason.${digit}`;
}

/** The rank of a card among trumps, 0 to 8. */
export function trumpHeight(code: Code): number {
  return TRUMP_ORDER.indexOf(rankOf(code));
}

const TRUMP_POINTS = [0, 0, 0, 14, 10, 20, 3, 4, 11];
const PLAIN_POINTS = [0, 0, 0, 0, 10, 2, 3, 4, 11];
const OBENABE_POINTS = [0, 0, 8, 0, 10, 2, 3, 4, 11];

/** The points of a card with these trumps, or without any (obenabe). */
export function cardPoints(code: Code, contract: string | null): number {
  const trump = trumpOf(contract);
  const points = trump === null ? OBENABE_POINTS : trump === suitOf(code) ? TRUMP_POINTS : PLAIN_POINTS;
  return points[RANKS.indexOf(rankOf(code) as (typeof RANKS)[number])] ?? 0;
}
