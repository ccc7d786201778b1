/**
 * The standing of the running deal by the events so far. Pure. engine/scoring/deal_standing.py computes the same
 * from the ledger; tests/frontend/test_deal_standing.py compares both after every event.
 */

import { LAST_TRICK, REMEDIES } from "../generated/tables";
import { cardPoints } from "./cards";
import { predictionsOf } from "./calls";
import { factorOf, type Rules } from "./rules";
import { oneAgainstAll, sideOf, type Table, type Trick, tricksOf } from "./table";

type Points = readonly (number | null)[];

/** Per side; null if an unknown card or a ruling leaves it open. */
export interface DealStanding {
  /** Card points of the taken tricks, and of the discard once it is counted. */
  cards: Points;
  melds: Points;
  stoeck: Points;
  /** The side that has taken every trick so far, in games that pay for a sweep. */
  sweep: number | null;
  factor: number;
  /** The points of the deal so far: the sum of the above with the factor. */
  points: Points;
  /** The kind of a side's goal; null in games without one. */
  aimed: "predicted" | "bid" | "target" | null;
  /** The points to compare with the goals: of the deal, or of the game if a target ends it. */
  have: Points;
  /** The prediction, the bid or the target; null for a side without one. */
  goals: Points;
}


/**
 * The standing of the running deal from its contract or first card on; null before, between deals, after the game
 * and on a sheet.
 */
export function standingOf(table: Table, rules: Rules): DealStanding | null {
  if (table.deal === 0 || table.winners !== null || table.closed !== null || table.mode === "sheet") return null;
  if (table.contract === null && table.tricks.length === 0 && table.trick.length === 0) return null;
  if (table.rows.some((row) => row.deal === table.deal)) return null;
  const all = <T>(value: T): T[] => Array<T>(table.sides).fill(value);
  const sum = (counted: readonly (readonly [number | null, number | null])[]): Points => {
    if (counted.some(([side, points]) => side === null || points === null)) return all(null);
    return all(0).map((_, side) => counted.reduce((found, [of, points]) => (of === side ? found + (points ?? 0) : found), 0));
  };
  const factor = factorOf(rules, table.contract, table.slot);
  const size = tricksOf(table);
  const over = table.tricks.length === size;
  const told = !oneAgainstAll(table) || table.declarer !== null;
  const takerOf = (trick: Trick): number | null => (trick.taker === null ? null : sideOf(table, trick.taker));
  const { away } = table.laid;
  const tricks = table.tricks.map((trick, at) => [told ? takerOf(trick) : null, pointsOf(table, rules, trick, at + 1 === size)] as const);
  const counted = away !== null && away.counted ? [[sideOf(table, away.seat), away.points] as const] : [];
  let cards = sum([...tricks, ...counted]);
  const melds = table.meldsOpen ? all(null) : sum(table.meldPoints.map(({ side, points }) => [side, points]));
  const stoeck = sum(table.stoeck.map(({ seat, points }) => [sideOf(table, seat), points]));
  const takers = new Set(table.tricks.map(takerOf));
  const sweep = rules.sweep > 0 && takers.size === 1 ? [...takers][0]! : null;
  let points: Points = cards.map((sure, side) => {
    const melded = melds[side] ?? null;
    if (sure === null || melded === null) return null;
    return factor * (sure + melded + (stoeck[side] ?? 0) + (over && sweep === side ? rules.sweep : 0));
  });
  if (rules.chooser_only) points = points.map((own, side) => (table.chooser !== null && sideOf(table, table.chooser) === side ? own : 0));
  if (table.calls.conceded !== null) {
    cards = [0, rules.points];
    points = [0, table.calls.conceded];
  }
  if (isRuled(table)) points = all(null);
  const [aimed, goals] = goalsOf(table, rules);
  const have = aimed === "target" ? points.map((own, side) => (own === null ? null : own + (table.totals[side] ?? 0))) : points;
  return { cards, melds, stoeck, sweep, factor, points, aimed, have, goals };
}

/** The points of a trick; tricks taken before a card set trumps are counted with those trumps. */
function pointsOf(table: Table, rules: Rules, trick: Trick, last: boolean): number | null {
  if (trick.points !== null || !rules.names_trumps || (table.contract === null && table.tricks.length < tricksOf(table))) return trick.points;
  if (trick.plays.some((play) => play.card === null)) return null;
  return trick.plays.reduce((sum, { card }) => sum + (card === null ? 0 : cardPoints(card, table.contract)), last ? LAST_TRICK : 0);
}

/** Whether a ruling decides the points of the running deal. */
function isRuled({ deal, rulings }: Table): boolean {
  const replaced = rulings.map((ruling) => ruling.replaces);
  return rulings.some((ruling) => ruling.deal === deal && REMEDIES.includes(ruling.kind) && !replaced.includes(ruling.ruling));
}

function goalsOf(table: Table, rules: Rules): [DealStanding["aimed"], Points] {
  const { bid, declarer } = table;
  const sides = [...table.totals.keys()];
  if (rules.targets !== null) return ["target", rules.targets.map((target) => target ?? bid)];
  if (rules.predictions !== null) return ["predicted", predictionsOf(table) ?? sides.map(() => null)];
  if (table.wonIn === table.deal && bid !== null && declarer !== null) return ["bid", sides.map((side) => (sideOf(table, declarer) === side ? bid : null))];
  return [null, sides.map(() => null)];
}
