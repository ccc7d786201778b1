/** From points to places: sums, what is dropped, and the chain of tie-breaks. */

import { Unusable, list, whole, type JsonObject } from "./file/bytes";

export interface Row {
  place: number;
  shared: boolean;
  key: number;
  total: number;
  sweeps: number;
  off: number | null;
  /** The numbers of those ranked as one; of somebody alone there are none. */
  members?: number[];
  rounds: { round: number; points: number; sweeps: number; counts: boolean; played: boolean }[];
}

/** What a round gave somebody. `sweeps`: null where only the engine can say. */
export interface Given {
  round: number;
  points: number;
  sweeps: number | null;
  played: boolean;
  table: number;
  won: boolean;
}

export interface Meeting {
  sides: [number[], number[]];
  totals: [number, number];
}

export interface Recorded {
  cut: Map<number, number>;
  lot: Map<number, number>;
}

type Values = (row: Row) => readonly number[];

/** The rows in groups that are level, the first place first. Throws Unusable where a sum is not one. */
export function ranked(
  rows: readonly Row[],
  given: ReadonlyMap<number, Given[]>,
  meetings: readonly Meeting[],
  counting: JsonObject,
  held: number,
  recorded: Recorded,
): Row[][] {
  const lowest = counting["lowest_wins"] === true;
  const better = lowest ? -1 : 1;
  const number = whole(counting["number"]);
  const kept = counting["what"] === "best" ? Math.min(number, held) : counting["what"] === "drop_worst" ? (held ? Math.max(1, held - number) : 0) : held;
  for (const row of rows) checkSums(row, kept, better);
  const worth: Values = ({ rounds, total, off }) => (lowest || off !== null ? [Math.min(rounds.length, kept), -(off ?? total)] : [total]);
  let groups = split(rows, worth);
  for (const name of list(counting["tie_breaks"])) {
    groups = groups.flatMap((group) => {
      const values = group.length > 1 ? valuesOf(String(name), group, given, meetings, recorded, better) : null;
      return values === null ? [group] : split(group, values);
    });
  }
  return groups;
}

function checkSums({ key, rounds, total, sweeps }: Row, kept: number, better: number): void {
  const best = [...rounds].sort((one, other) => better * (other.points - one.points) || one.round - other.round).slice(0, kept);
  if (rounds.some((one) => one.counts !== best.includes(one))) throw new Unusable("verify.ranking_counts", { key });
  const points = best.reduce((sum, one) => sum + one.points, 0);
  if (total !== points || sweeps !== rounds.reduce((sum, one) => sum + one.sweeps, 0)) throw new Unusable("verify.ranking_total", { key, points, told: total });
}

function compared(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < Math.min(one.length, other.length); at++) if (one[at] !== other[at]) return other[at]! - one[at]!;
  return other.length - one.length;
}

/** In parts of equal value, best first. */
function split(rows: readonly Row[], values: Values): Row[][] {
  const parts = new Map<string, { value: readonly number[]; rows: Row[] }>();
  for (const row of rows) {
    const value = values(row);
    const part = parts.get(value.join()) ?? { value, rows: [] };
    part.rows.push(row);
    parts.set(value.join(), part);
  }
  return [...parts.values()].sort((one, other) => compared(one.value, other.value)).map((part) => part.rows);
}

/** What a tie-break says of everybody in a group; null where it says nothing. */
function valuesOf(
  name: string,
  group: readonly Row[],
  given: ReadonlyMap<number, Given[]>,
  meetings: readonly Meeting[],
  recorded: Recorded,
  better: number,
): Values | null {
  const sum = (value: (one: Given) => number): Values => (row) => [(given.get(row.key) ?? []).reduce((all, one) => all + value(one), 0)];
  if (name === "direct_encounter") return encounters(group, meetings);
  if (name === "cut" || name === "lot") {
    const values = recorded[name];
    const sign = name === "cut" ? 1 : -1;
    return group.every((row) => values.has(row.key)) ? (row) => [sign * values.get(row.key)!] : null;
  }
  if (name === "sweeps") return (row) => [row.sweeps];
  if (name === "wins") return sum((one) => Number(one.won));
  if (name === "table_points") return sum((one) => one.table);
  const best: Values = (row) => row.rounds.map((one) => better * one.points).sort((one, other) => other - one);
  return (row) => (name === "highest_round" ? best(row).slice(0, 1) : best(row).slice(1));
}

function encounters(group: readonly Row[], meetings: readonly Meeting[]): Values | null {
  const won = new Map(group.map((row) => [row.key, 0]));
  const met = new Set<string>();
  for (const { sides, totals } of meetings) {
    for (const at of [0, 1] as const) {
      const lead = totals[at] - totals[1 - at]!;
      for (const a of sides[at].filter((key) => won.has(key))) {
        for (const b of sides[1 - at]!.filter((key) => won.has(key))) {
          met.add(`${a} ${b}`);
          won.set(a, won.get(a)! + Number(lead > 0) + Number(lead >= 0));
        }
      }
    }
  }
  return met.size === group.length * (group.length - 1) ? (row) => [won.get(row.key)!] : null;
}
