/** What is still to be won in a deal, and whether somebody can no longer be caught. Pure, and careful: what it says holds whatever is played. */

import { factorOf, type Rules } from "./rules";
import { oneAgainstAll, sideOf, type Table } from "./table";

/** Its holder may still say it. */
const STOECK = 20;

export interface Outlook {
  /** Points in cards that no trick has brought yet; null where that is not known. */
  left: number | null;
  /** The side that wins the game whatever is played; null: none yet, or it cannot be told. */
  won: number | null;
}

const sum = (points: readonly number[]): number => points.reduce((all, one) => all + one, 0);

export function outlookOf(table: Table, rules: Rules): Outlook {
  const { taken } = table;
  const running = table.contract !== null && table.tricks.length > 0 && table.winners === null && !table.rows.some((row) => row.deal === table.deal);
  if (!running || taken.length === 0 || taken.some((points) => points === null)) return { left: null, won: null };
  const left = Math.max(0, rules.points - sum(taken as number[]));
  return { left, won: wonBy(table, rules, taken as number[], left) };
}

function wonBy(table: Table, rules: Rules, taken: readonly number[], left: number): number | null {
  if (rules.slate !== "points" || rules.targets !== null || rules.deals !== table.deal || oneAgainstAll(table)) return null;
  const factor = factorOf(rules, table.contract, table.slot);
  const has = table.totals.map((total, side) => total + factor * (taken[side] ?? 0));
  const first = has.indexOf(Math.max(...has));
  const caught = has.some((points, side) => {
    if (side === first) return false;
    // A sweep counts more than its cards: whoever may still make one is not counted out.
    if (table.tricks.every((trick) => trick.taker !== null && sideOf(table, trick.taker) === side)) return true;
    const said = table.declared.filter((one) => sideOf(table, one.seat) === side).flatMap((one) => one.declared.map((meld) => meld.points));
    return points + factor * (left + sum(said) + (rules.stoeck ? STOECK : 0)) >= (has[first] ?? 0);
  });
  return caught ? null : first;
}
