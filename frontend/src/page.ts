/** The server's data for the page's script: JSON blocks, and the catalogue of sentences. */

import type { Code } from "./table/cards";
import { rankOf, suitOf, trumpOf } from "./table/cards";
import type { Rules } from "./table/rules";
import { oneAgainstAll, seatsOf, type Table } from "./table/table";

export type Deck = "ch" | "fr";

export interface Page {
  game: string;
  /** Seat → display name. */
  names: string[];
  /** The reader's seat, null without one. */
  seat: number | null;
  socket: string;
  commands: string;
  events: string;
  replay: string;
  sheet: string;
  evidence: string;
  /** The URL of the card analysis of finished deals; missing on embedded pages. */
  worth?: string;
  csrf: string;
  /** Requests are anonymous, also with a session. */
  stranger?: boolean;
  sprites: Record<Deck, string>;
  rules: Partial<Rules>;
  /** Additional data of one page. */
  extra: Record<string, unknown>;
}

/** The part of a page that a slate needs. */
export type Slated = Pick<Page, "names" | "rules">;

/** The current CSRF token: it changes at a sign-in, also in another window. */
export const tokenNow = (page: Pick<Page, "csrf">): string =>
  (/(?:^|; )__Host-csrftoken=(\w+)/.exec(document.cookie) ?? /(?:^|; )csrftoken=(\w+)/.exec(document.cookie))?.[1] ?? page.csrf;

export type Words = Readonly<Record<string, string>>;

function block<T>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`no block #${id} in this page`);
  return JSON.parse(element.textContent ?? "null") as T;
}

export function readPage(): Page {
  return block<Page>("page");
}

let words: Words | null = null;

/** The translated sentence of a key; `{name}` is replaced from `params`; a number gets a minus sign, not a hyphen. An unknown key is returned unchanged. */
export function say(key: string, params: Readonly<Record<string, unknown>> = {}): string {
  words ??= typeof document === "undefined" ? {} : block<Words>("words");
  const sentence = words[key] ?? key;
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => shown(params[name]));
}

const shown = (value: unknown): string => (typeof value === "number" ? signed(value) : String(value ?? ""));

/** Load JSON from a URL; null if the status is not 2xx. */
export async function read<T>(page: Pick<Page, "stranger">, address: string): Promise<T | null> {
  const response = await fetch(address, { headers: { Accept: "application/json" }, credentials: page.stranger ? "omit" : "same-origin" });
  return response.ok ? ((await response.json()) as T) : null;
}

/** With a minus sign, not a hyphen. */
export const signed = (points: number): string => String(points).replace("-", "−");

/** A difference with its sign: "+20", "−20". */
export const difference = (points: number): string => `${points > 0 ? "+" : ""}${signed(points)}`;

/** For tests, and for pages with their own sentences. */
export function useWords(catalogue: Words): void {
  words = catalogue;
}

export function deckInUse(): Deck {
  return document.documentElement.dataset["deck"] === "fr" ? "fr" : "ch";
}

export function suitName(suit: string, deck: Deck = deckInUse()): string {
  return say(`suit.${deck}.${suit}`);
}

export function cardName(card: Code | null, deck: Deck = deckInUse()): string {
  if (card === null) return say("card.unknown");
  return say("card.name", { suit: say(`card.suit.${deck}.${suitOf(card)}`), rank: say(`rank.${deck}.${rankOf(card)}`) });
}

export function contractName(contract: string | null, deck: Deck = deckInUse()): string {
  if (contract === null) return say("contract.none");
  const trump = trumpOf(contract);
  return trump === null ? say(`contract.${contract}`) : suitName(trump, deck);
}

/** The name of a slot; a contract's slot has the contract's name. */
export function slotName(slot: string, deck: Deck = deckInUse()): string {
  const known = say(`slot.${slot}`);
  return known === `slot.${slot}` ? contractName(slot, deck) : known;
}

export function sideName(page: Pick<Page, "names">, table: Table, side: number): string {
  const seats = seatsOf(table, side);
  if (oneAgainstAll(table) && table.declarer === null) return say(side === 0 ? "side.declarer" : "side.opponents");
  return seats.map((seat) => page.names[seat] ?? "").join(" & ");
}
