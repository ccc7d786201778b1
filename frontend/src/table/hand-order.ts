/** The order in which a hand is shown. Pure. */

import { type Code, RANKS, rankOf, type Suit, suitOf, trumpHeight, trumpOf } from "./cards";

/**
 * Sort a hand: grouped by suit, colours alternating (D S H C), trumps at the left end, high cards first; low cards
 * first in a bottom-up contract.
 */
export function sortHand(hand: readonly Code[], contract: string | null): Code[] {
  const trump = trumpOf(contract);
  const order: Suit[] = ["D", "S", "H", "C"];
  const upwards = contract?.endsWith("undenufe") ?? false;
  const key = (code: Code): number => {
    const suit = suitOf(code);
    const height = suit === trump ? trumpHeight(code) : RANKS.indexOf(rankOf(code) as (typeof RANKS)[number]);
    return (suit === trump ? -100 : order.indexOf(suit) * 100) + (upwards ? height : 20 - height);
  };
  return [...hand].sort((a, b) => key(a) - key(b));
}
