/** Cards outside the hands: talon, extra cards, the turned card, cards before a seat. Pure. */

import { type Code, rankOf } from "./cards";
import type { GameEvent } from "./events";
import type { Table } from "./table";

/** One pile before a seat: its open card, null if unknown or `bare`, and whether a closed card is under it. */
export interface Pile {
  open: Code | null;
  closed: boolean;
  /** The open card was played. */
  bare: boolean;
}

export interface LaidOut {
  talon: { open: readonly (Code | null)[]; closed: number } | null;
  /** The discard: seat and number of cards; `cards` if known; `points` if `counted` and known. */
  away: { seat: number; size: number; cards: readonly Code[] | null; counted: boolean; points: number | null } | null;
  /** The cards taken from the talon, if known, until the discard. */
  took: readonly Code[];
  /** Face-down cards beside each seat. */
  extra: readonly number[];
  /** The seats that have exchanged or kept their cards. */
  exchanged: readonly number[];
  /** The card that sets the contract, `named` as it was turned: in the hand of `seat`, or on the table. */
  turned: { card: Code; seat: number | null; named: Code } | null;
  /** By seat. */
  piles: readonly (readonly Pile[])[];
}

export const NOTHING_LAID: LaidOut = { talon: null, away: null, took: [], extra: [], exchanged: [], turned: null, piles: [] };

const put = <T>(list: readonly T[], index: number, value: T): T[] => {
  const copy = [...list];
  copy[index] = value;
  return copy;
};

/**
 * A hand after `size` cards, `given` as far as known, are replaced. The rest is unknown if the given cards are; null
 * stays null.
 */
function changed(table: Table, seat: number, size: number, given: readonly Code[] | null, got: readonly Code[] | null): readonly (readonly Code[] | null)[] {
  const hand = table.hands[seat] ?? null;
  const left = given?.length === size ? hand?.filter((card) => !given.includes(card)) : [];
  return put(table.hands, seat, hand && [...(left ?? []), ...(got ?? [])]);
}

const resized = (table: Table, seat: number, by: number): readonly number[] => put(table.sizes, seat, (table.sizes[seat] ?? 0) + by);

const lay = (table: Table, laid: Partial<LaidOut>): Table => ({ ...table, laid: { ...table.laid, ...laid } });

/** The open cards before a seat. */
export function openCards(table: Table, seat: number): Code[] {
  return (table.laid.piles[seat] ?? []).flatMap((pile) => (pile.open === null ? [] : [pile.open]));
}

/** The table without a card that was played from a pile; null if it came from the hand. */
export function liftedFrom(table: Table, seat: number, card: Code | null): Table | null {
  const piles = table.laid.piles[seat] ?? [];
  const at = card === null ? -1 : piles.findIndex((pile) => pile.open === card);
  const pile = piles[at];
  if (pile === undefined) return null;
  return lay(table, { piles: put(table.laid.piles, seat, put(piles, at, { ...pile, open: null, bare: true })) });
}

/** The table after an event about cards outside the hands; null for any other event. */
export function laidOut(table: Table, event: GameEvent): Table | null {
  const { laid } = table;
  switch (event.type) {
    case "talon_dealt":
      return lay(table, { talon: { open: event.open, closed: event.size } });
    case "talon_taken": {
      const talon = laid.talon ?? { open: [], closed: 0 };
      const size = talon.open.length + talon.closed;
      return { ...lay(table, { talon: null, took: event.cards ?? [] }), hands: changed(table, event.seat, 0, [], event.cards), sizes: resized(table, event.seat, size) };
    }
    case "cards_discarded":
      return {
        ...lay(table, { away: { seat: event.seat, size: event.size, cards: event.cards, counted: false, points: null }, took: [] }),
        hands: changed(table, event.seat, event.size, event.cards, []),
        sizes: resized(table, event.seat, -event.size),
      };
    case "discards_counted":
      return lay(table, { away: { ...(laid.away ?? { seat: event.seat, size: 0, cards: null }), counted: true, points: event.points } });
    case "extra_dealt":
      return lay(table, { extra: put(laid.extra, event.seat, event.size) });
    case "extra_exchanged":
      return {
        ...lay(table, { exchanged: [...laid.exchanged, event.seat], extra: put(laid.extra, event.seat, 0) }),
        hands: changed(table, event.seat, event.size, event.given, event.taken),
      };
    case "extra_kept":
      return lay(table, { exchanged: [...laid.exchanged, event.seat] });
    case "trump_turned":
      return lay(table, { turned: { card: event.card, seat: event.seat ?? null, named: event.card } });
    case "turned_taken": {
      const hand = table.hands[event.seat] ?? null;
      const given = hand && hand.filter((card) => (event.six === null ? rankOf(card) !== "6" : card !== event.six));
      const next = given && event.card !== null ? [...given, event.card] : given;
      const named = laid.turned?.named ?? event.card;
      const turned = event.six === null || named === null ? laid.turned : { card: event.six, seat: null, named };
      return { ...lay(table, { turned }), hands: put(table.hands, event.seat, next) };
    }
    case "table_dealt": {
      const piles = event.open.map((open) => ({ open, closed: true, bare: false }));
      return lay(table, { piles: put(laid.piles, event.seat, piles) });
    }
    case "table_card_turned": {
      const piles = laid.piles[event.seat] ?? [];
      const at = piles.map((pile) => pile.bare && pile.closed).lastIndexOf(true);
      return lay(table, { piles: put(laid.piles, event.seat, put(piles, at, { open: event.card, closed: false, bare: false })) });
    }
    default:
      return null;
  }
}
