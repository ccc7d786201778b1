/** The rules of the table's game, as sent by the server: see presenters/tables/table_rules.py. */

import { DEAL_POINTS } from "../generated/tables";
import type { Contract } from "../generated/types";
import { type Code, DECK } from "./cards";
import type { Page } from "../page";
import { sideOf, type Table } from "./table";

export interface Slot {
  slot: string;
  factor: number;
  contracts: Contract[];
}

/** A place of dealt cards; `turn` 0 is forehand, null: no seat's. */
export interface Place {
  kind: string;
  turn: number | null;
  at: readonly number[];
}

/** The notation of the score: see engine/rules/__init__.py. */
export type SlateKind = "points" | "strokes" | "sacks" | "apples" | "slots" | "predictions";

export interface Rules {
  slate: SlateKind;
  /** The winning points per side; null for a side whose bid decides. */
  targets: (number | null)[] | null;
  /** The sum of the cards of a deal. */
  points: number;
  /** Only the declarer scores. */
  chooser_only: boolean;
  /** The first card that does not follow makes its suit trumps. */
  names_trumps: boolean;
  /** Additional points for taking all tricks. */
  sweep: number;
  melds: boolean;
  stoeck: boolean;
  /** The holder decides whether the Stöck is added or subtracted. */
  stoeck_signed: boolean;
  contracts: { contract: Contract; factor: number }[];
  /** The contracts that a card can set, in games without a choice. */
  by_card: Contract[];
  slots: Slot[] | null;
  /** The number of deals of a game; null if another condition ends it. */
  deals: number | null;
  bids: { least: number; step: number; raise: number } | null;
  predictions: number | null;
  /** A card is cut before a deal. */
  cuts: boolean;
  /** A certain card makes its holder forehand: the first deal begins with seat 0, whichever seat holds the card. */
  marked: boolean;
  /** The indexes in the deck of each place of a deal: at the beginning, and once a declarer is known. */
  places: { first?: Place[]; later?: Place[] };
}

const UNKNOWN: Rules = {
  slate: "points",
  targets: null,
  points: DEAL_POINTS,
  chooser_only: false,
  names_trumps: false,
  sweep: 0,
  melds: false,
  stoeck: false,
  stoeck_signed: false,
  contracts: [],
  by_card: [],
  slots: null,
  deals: null,
  bids: null,
  predictions: null,
  cuts: false,
  marked: false,
  places: {},
};

export const rulesOf = (page: Pick<Page, "rules">): Rules => ({ ...UNKNOWN, ...page.rules });

/** The factor of a deal. */
export function factorOf(rules: Rules, contract: string | null, slot: string | null): number {
  if (rules.slots !== null && slot === null) return 1;
  if (slot !== null) return rules.slots?.find((one) => one.slot === slot)?.factor ?? 1;
  return rules.contracts.find((one) => one.contract === contract)?.factor ?? 1;
}

/** The seat that chose the contract. If a card sets it, the chooser of a transcript is only its reporter: null. */
export const chooserOf = (rules: Rules, table: Table): number | null => (rules.by_card.length > 0 ? null : table.chooser);

/**
 * Whether a transcript has to be told the contract that a card sets, because the card was not seen, or may be an
 * unknown card.
 */
export function hidesTrumps(rules: Rules, table: Table): boolean {
  if (rules.by_card.length === 0 || table.contract !== null || table.deal === 0) return false;
  const turned = rules.cuts || (rules.places.first ?? []).some((place) => place.kind === "turned");
  return turned || [...table.tricks.flatMap((trick) => trick.plays), ...table.trick].some((play) => play.card === null);
}

/** The open slots of a side; those of annulled deals are played again. */
export function slotsLeft(rules: Rules, table: Table, side: number): Slot[] {
  const played = table.rows.filter((row) => !row.annulled && row.chooser !== null && sideOf(table, row.chooser) === side).map((row) => row.slot);
  return (rules.slots ?? []).filter((one) => !played.includes(one.slot));
}

/** The lowest bid above the last one. */
export function leastBid(rules: Rules, table: Table): number {
  const { least, step, raise } = rules.bids ?? { least: 0, step: 1, raise: 1 };
  const last = table.calls.bids[table.calls.bids.length - 1];
  return Math.ceil((last === undefined ? least : last.points + raise) / step) * step;
}

/** The number of cards to choose from a hand before this command; null if none. */
export function pickCount(table: Table, seat: number, commands: readonly string[]): number | null {
  if (commands.includes("discard")) return (table.sizes[seat] ?? 0) - Math.min(...table.sizes);
  return commands.includes("exchange") ? (table.laid.extra[seat] ?? 0) : null;
}

/** The card that may be exchanged for the turned one. */
export function sixOfTrumps(table: Table): Code | null {
  const turned = table.laid.turned?.card;
  return DECK.find((card) => card[0] === turned?.[0] && card.endsWith("6")) ?? null;
}
