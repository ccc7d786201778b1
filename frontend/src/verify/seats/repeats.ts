/** What decides between searches: broken wishes, then how often somebody sat so before, in this order. */

import type { Pair, Problem } from "./problem";

class Counts {
  readonly #counts = new Map<string, number>();
  again = 0;

  add(a: number, b: number): void {
    const key = `${a} ${b}`;
    const count = this.#counts.get(key) ?? 0;
    if (count > 0) this.again++;
    this.#counts.set(key, count + 1);
  }
}

const keyOf = (a: number, b: number): string => (a < b ? `${a} ${b}` : `${b} ${a}`);
const keys = (pairs: readonly Pair[]): Set<string> => new Set(pairs.map(([a, b]) => keyOf(a, b)));

export function repeats(problem: Problem, rounds: readonly number[][]): number[] {
  const { inPairs, past } = problem;
  const [fixed, neverPartner, neverMeet] = [keys(problem.fixedPairs), keys(problem.neverPartner), keys(problem.neverMeet)];
  const [partners, meetings, opponents, seats, tables] = [new Counts(), new Counts(), new Counts(), new Counts(), new Counts()];
  const drawn = rounds.map((one) => problem.inTables(one));
  let broken = 0;
  [...past.map((one) => one.tables), ...drawn].forEach((one, number) => {
    const isNew = number >= past.length;
    const split = new Set(fixed);
    one.forEach((table, place) => {
      table.forEach((a, i) => {
        if (a < 0) return;
        seats.add(a, i);
        tables.add(a, place);
        for (let j = 0; j < i; j++) {
          const b = table[j]!;
          if (b < 0) continue;
          const key = keyOf(a, b);
          const together = inPairs && table.length === 4 && i - j === 2;
          if (together) split.delete(key);
          if (isNew) broken += Number(together && neverPartner.has(key)) + Number(neverMeet.has(key));
          if (fixed.has(key)) continue;
          const [low, high] = [Math.min(a, b), Math.max(a, b)];
          meetings.add(low, high);
          (together ? partners : opponents).add(low, high);
        }
      });
    });
    if (isNew) broken += split.size;
  });
  return [broken, ...[partners, meetings, opponents, seats, tables].map((counts) => counts.again)];
}
