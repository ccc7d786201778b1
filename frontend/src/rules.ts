/** What the server says of the game of a table: see presenters/table_rules.py. */

import type { Code } from "./cards";
import type { Page } from "./page";
import { sideOf, type Table } from "./table";

export interface Slot {
  slot: string;
  factor: number;
  contracts: string[];
}

export interface Rules {
  /** The sum of the cards of a deal. */
  points: number;
  all_counted: boolean;
  melds: boolean;
  stoeck: boolean;
  /** Its holder says whether the Stöck is added or taken off. */
  stoeck_signed: boolean;
  sweep: boolean;
  claims: boolean;
  /** Commands that are bound to no turn. */
  beside: string[];
  /** Scores follow from the points on a sheet. */
  derived: boolean;
  contracts: { contract: string; factor: number }[];
  slots: Slot[] | null;
  bids: { least: number; step: number; raise: number } | null;
  predictions: number | null;
  /** Where in the deck the card lies that is turned, when the hands are dealt. */
  turned: number | null;
  /** Where the open cards of a talon lie in it. */
  talon: number[];
}

const UNKNOWN: Rules = {
  points: 157,
  all_counted: true,
  melds: false,
  stoeck: false,
  stoeck_signed: false,
  sweep: true,
  claims: false,
  beside: [],
  derived: true,
  contracts: [],
  slots: null,
  bids: null,
  predictions: null,
  turned: null,
  talon: [],
};

export const rulesOf = (page: Pick<Page, "rules">): Rules => ({ ...UNKNOWN, ...page.rules });

/** How many times a deal counts. */
export function factorOf(rules: Rules, contract: string | null, slot: string | null): number {
  if (slot !== null) return rules.slots?.find((one) => one.slot === slot)?.factor ?? 1;
  return rules.contracts.find((one) => one.contract === contract)?.factor ?? 1;
}

/** The slots a side has not played yet; those of annulled deals are played again. */
export function slotsLeft(rules: Rules, table: Table, side: number): Slot[] {
  const played = table.rows.filter((row) => !row.annulled && row.chooser !== null && sideOf(table, row.chooser) === side).map((row) => row.slot);
  return (rules.slots ?? []).filter((one) => !played.includes(one.slot));
}

/** The least bid that is higher than the last one. */
export function leastBid(rules: Rules, table: Table): number {
  const { least, step, raise } = rules.bids ?? { least: 0, step: 1, raise: 1 };
  const last = table.calls.bids[table.calls.bids.length - 1];
  return Math.ceil((last === undefined ? least : last.points + raise) / step) * step;
}

/** How many cards are chosen from a hand before this can be said; null where none are. */
export function pickCount(table: Table, seat: number, commands: readonly string[]): number | null {
  if (commands.includes("discard")) return (table.sizes[seat] ?? 0) - Math.min(...table.sizes);
  return commands.includes("exchange") ? (table.laid.extra[seat] ?? 0) : null;
}

/** The card that may be given for the turned one. */
export const sixOfTrumps = (table: Table): Code => `${table.laid.turned?.card[0] ?? ""}6`;

/** Whether a seat may take the turned card for the six of trumps now, outside its turn. */
export function mayTakeTurned(table: Table, seat: number): boolean {
  const fresh = table.tricks.length === 0 && table.trick.length === 0 && table.laid.turned !== null;
  return fresh && table.laid.exchanged.includes(seat) && (table.hands[seat]?.includes(sixOfTrumps(table)) ?? false);
}

/** Whether a seat is certain to win the deal that was bid for: cards on the table and not played are still out. */
export function certain(rules: Rules, table: Table, seat: number): boolean {
  const { bid, declarer, taken } = table;
  if (table.contract === null || bid === null || declarer === null || taken.some((sum) => sum === null)) return false;
  if (table.rows.some((row) => row.deal === table.deal)) return false;
  const sums = taken as readonly number[];
  const own = sums[sideOf(table, declarer)] ?? 0;
  const out = rules.points - sums.reduce((a, b) => a + b, 0);
  return seat === declarer ? own >= bid : own + out < bid;
}
