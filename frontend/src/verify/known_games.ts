/** Dealing rules of the known games, by name: their logs do not contain them. */

import type { JsonObject } from "./file/bytes";

export type Pile = "hand" | "extra" | "open" | "closed";

export interface KnownGame {
  /** The first forehand is drawn from the seed: always, or if this option is "drawn". */
  lots?: "always" | "first_forehand";
  /** Also with seeds that were committed to before the other games drew lots. */
  lotsEver?: true;
  /** The number of cards of each seat; by default all are dealt. */
  share?: number;
  /** The range of each pile in a share; by default the whole share is the hand. */
  piles?: readonly [Pile, number, number][];
  /** The card that is shown. */
  turned?: "next" | "last-or-cut" | "last-or-talon";
  /** Without a bid the same seat deals again. */
  againWithoutBid?: true;
}

const GAMES: Readonly<Record<string, KnownGame>> = {
  schieber: { lots: "first_forehand", lotsEver: true },
  bieter: { turned: "last-or-talon" },
  differenzler: { turned: "last-or-cut" },
  coiffeur: {},
  "la-pomme": {
    lots: "always",
    share: 12,
    turned: "next",
    piles: [
      ["hand", 0, 9],
      ["extra", 9, 12],
    ],
  },
  "plus-minus": { lots: "always" },
  "lake-constance": {
    againWithoutBid: true,
    piles: [
      ["closed", 0, 6],
      ["open", 6, 12],
      ["hand", 12, 18],
    ],
  },
};

/** The dealing rules of a game, if it is known. */
export function knownGame(start: JsonObject): KnownGame | null {
  const variant = start["variant"];
  return typeof variant === "string" && Object.hasOwn(GAMES, variant) ? GAMES[variant]! : null;
}
