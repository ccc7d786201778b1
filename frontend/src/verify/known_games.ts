/** How games deal, by name: their logs do not contain it. */

import type { JsonObject } from "./file/bytes";

export type Pile = "hand" | "extra" | "open" | "closed";

export interface KnownGame {
  /** First forehand is drawn from the seed: always, or where this option says "drawn". */
  lots?: "always" | "first_forehand";
  /** Also with seeds that were committed to before the other games drew lots. */
  lotsEver?: true;
  /** Cards each; else all are dealt. */
  share?: number;
  /** Where in a share which pile lies; everything is the hand where nothing is said. */
  piles?: readonly [Pile, number, number][];
  /** Which card is shown. */
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

/** What is known of a game by name. */
export function knownGame(start: JsonObject): KnownGame | null {
  const variant = start["variant"];
  return typeof variant === "string" && Object.hasOwn(GAMES, variant) ? GAMES[variant]! : null;
}
