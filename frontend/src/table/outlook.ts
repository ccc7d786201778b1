/**
 * What is still to be won in a deal, whether somebody can no longer be caught, and how it stands until then: of each moment
 * of each deal. Pure, and careful: what it says of the end holds whatever is played.
 */

import { STOECK_POINTS } from "../generated/tables";
import { factorOf, type Rules } from "./rules";
import { standingOf } from "./standing";
import { oneAgainstAll, sideOf, type Table } from "./table";

/** More than the cards of two hands can show in a deal: two whole suits, or four times four alike. */
const MELDS = 1000;

export interface Outlook {
  /** Points in cards that no trick has brought yet; null where that is not known. */
  left: number | null;
  /** The side that wins the game whatever is played; null: none yet, or it cannot be told. */
  won: number | null;
  /** Who leads, by how much, and how many deals come after this one; null where nobody does. `here`: tricks of a deal count
   * in it that is in no total yet. */
  ahead: { side: number; by: number; deals: number | null; here: boolean } | null;
  /** Where so many points win: what each side still needs; null elsewhere. */
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

/** The fewest lead where what was predicted is missed. */
function leader(table: Table, rules: Rules, stands: readonly number[]): Outlook["ahead"] {
  const sign = rules.slate === "predictions" ? -1 : 1;
  const [first, second] = [...stands].sort((a, b) => sign * (b - a));
  if (first === undefined || second === undefined || first === second) return null;
  return { side: stands.indexOf(first), by: Math.abs(first - second), deals: rules.deals === null ? null : Math.max(0, rules.deals - table.deal), here: stands.join() !== table.totals.join() };
}

/** `left` null: the deal is still to be played, or counted already. */
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

/** The most that a side can make in a deal that is still to be dealt. */
function mostOf(rules: Rules): number {
  const factor = Math.max(1, ...rules.contracts.map((one) => one.factor));
  return factor * (rules.points + rules.sweep + (rules.melds ? MELDS : 0) + (rules.stoeck ? STOECK_POINTS : 0));
}

/** The most that a side can still make in this one: cards, what it has declared and is not compared yet, a Stöck, a sweep
 * while one is possible. */
function mostHere(table: Table, rules: Rules, side: number, left: number): number {
  const sweeps = table.tricks.every((trick) => trick.taker !== null && sideOf(table, trick.taker) === side);
  const said = table.meldPoints.length > 0 ? [] : table.declared.filter((one) => sideOf(table, one.seat) === side).flatMap((one) => one.declared.map((meld) => meld.points));
  return left + sum(said) + (rules.stoeck && table.stoeck.length === 0 ? STOECK_POINTS : 0) + (sweeps ? rules.sweep : 0);
}
