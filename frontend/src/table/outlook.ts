/**
 * The outlook at each moment of each deal: points still to be won, a decided winner, and the lead until then. Pure
 * and conservative: a decided winner holds for any further play.
 */

import { STOECK_POINTS } from "../generated/tables";
import { factorOf, type Rules } from "./rules";
import { standingOf } from "./standing";
import { oneAgainstAll, sideOf, type Table } from "./table";

/** An upper bound of the meld points of two hands in a deal: two whole suits, or four times four alike. */
const MELDS = 1000;

export interface Outlook {
  /** Card points that are in no trick yet; null if unknown. */
  left: number | null;
  /** The side that wins the game with any further play; null: none yet, or unknown. */
  won: number | null;
  /**
   * The leading side, its lead, and the number of later deals; null without a leader. `here`: includes tricks of the
   * running deal, which are in no total yet.
   */
  ahead: { side: number; by: number; deals: number | null; here: boolean } | null;
  /** The points that each side still needs in games with a target; null in others. */
  needs: readonly number[] | null;
}

const NOTHING: Outlook = { left: null, won: null, ahead: null, needs: null };
const sum = (points: readonly number[]): number => points.reduce((all, one) => all + one, 0);

export function outlookOf(table: Table, rules: Rules): Outlook {
  if (table.deal === 0 || table.winners !== null) return NOTHING;
  const now = table.contract === null ? null : standingOf(table, rules);
  const played = now !== null && table.tricks.length > 0;
  const known = played && now.cards.every((points) => points !== null) && now.points.every((points) => points !== null);
  const left = known ? Math.max(0, rules.points - sum(now.cards as number[])) : null;
  if (oneAgainstAll(table) || !["points", "slots", "predictions"].includes(rules.slate)) return { ...NOTHING, left };
  const here = rules.slate === "points" && now !== null && (now.points as (number | null)[]).every((points) => points !== null);
  const stands = table.totals.map((total, side) => total + (here ? (now.points[side] ?? 0) : 0));
  if (rules.slate === "points" && rules.targets !== null) return { left, won: null, ahead: null, needs: needed(rules.targets, stands) };
  const won = rules.slate === "points" && (known || !played) ? wonBy(table, rules, stands, left) : null;
  return { left, won, ahead: won === null ? leader(table, rules, stands) : null, needs: null };
}

const isCounted = (table: Table): boolean => table.rows.some((row) => row.deal === table.deal);

function needed(targets: readonly (number | null)[], stands: readonly number[]): number[] | null {
  if (targets.some((target) => target === null)) return null;
  return stands.map((points, side) => Math.max(0, (targets[side] ?? 0) - points));
}

/** The leading side; the lowest total leads in prediction games. */
function leader(table: Table, rules: Rules, stands: readonly number[]): Outlook["ahead"] {
  const sign = rules.slate === "predictions" ? -1 : 1;
  const [first, second] = [...stands].sort((a, b) => sign * (b - a));
  if (first === undefined || second === undefined || first === second) return null;
  return { side: stands.indexOf(first), by: Math.abs(first - second), deals: rules.deals === null ? null : Math.max(0, rules.deals - table.deal), here: stands.join() !== table.totals.join() };
}

/** `left` null: the deal is still to be played, or already counted. */
function wonBy(table: Table, rules: Rules, stands: readonly number[], left: number | null): number | null {
  if (rules.deals === null) return null;
  const first = stands.indexOf(Math.max(...stands));
  const whole = rules.deals - table.deal + Number(left === null && !isCounted(table));
  const later = Math.max(0, whole) * mostOf(rules);
  if (later === 0 && left === null) return null;
  const factor = factorOf(rules, table.contract, table.slot);
  const caught = stands.some((points, side) => {
    if (side === first) return false;
    return points + later + (left === null ? 0 : factor * mostHere(table, rules, side, left)) >= (stands[first] ?? 0);
  });
  return caught ? null : first;
}

/** The maximum points of a side in a deal that is not dealt yet. */
function mostOf(rules: Rules): number {
  const factor = Math.max(1, ...rules.contracts.map((one) => one.factor));
  return factor * (rules.points + rules.sweep + (rules.melds ? MELDS : 0) + (rules.stoeck ? STOECK_POINTS : 0));
}

/**
 * The maximum points that a side can still make in the running deal: cards, declared melds before the comparison, a
 * Stöck, and a sweep while one is possible.
 */
function mostHere(table: Table, rules: Rules, side: number, left: number): number {
  const sweeps = table.tricks.every((trick) => trick.taker !== null && sideOf(table, trick.taker) === side);
  const said = table.meldPoints.length > 0 ? [] : table.declared.filter((one) => sideOf(table, one.seat) === side).flatMap((one) => one.declared.map((meld) => meld.points));
  return left + sum(said) + (rules.stoeck && table.stoeck.length === 0 ? STOECK_POINTS : 0) + (sweeps ? rules.sweep : 0);
}
