/** Schedules that are known before any search: rounds of tables of four, 0 and 2 partners. docs/developers/seats.md. */

import type { Numbers } from "./numbers";

export type Schedule = number[][][];

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** A schedule in which no two players meet twice, where a construction has it. */
export function withoutMeetingTwice(players: number, rounds: number): Schedule | null {
  if (players % 4) return null;
  const tables = players / 4;
  if (3 * (rounds - 1) < tables) return transversal(tables, rounds, (i, c, r) => (i + c * r) % tables);
  if (tables >= 4 && tables <= 64 && rounds <= tables && primePower(tables)) {
    const { plus, times } = field(tables);
    return transversal(tables, rounds, (i, c, r) => plus[i]![times[c]![r]!]!);
  }
  const points = Math.floor((players - 1) / 3);
  if (players % 12 !== 4 || rounds > points || points > 64 || !primePower(points)) return null;
  const of = field(points);
  const moved = (p: number, r: number): number => (p === players - 1 ? p : p - (p % points) + of.plus[p % points]![r]!);
  const first = bose(points, of);
  return upTo(rounds).map((r) => first.map((table) => table.map((p) => moved(p, r))));
}

function transversal(tables: number, rounds: number, place: (i: number, c: number, r: number) => number): Schedule {
  return upTo(rounds).map((r) => upTo(tables).map((i) => upTo(4).map((c) => c * tables + place(i, c, r))));
}

/** The tables of the first round of R. C. Bose's resolvable design (1939). */
function bose(q: number, { plus, times }: Field): number[][] {
  const x = upTo(q)
    .slice(1)
    .map((element) => powers(times, element))
    .find((found) => found.length === q - 1)!;
  const log = new Map(x.map((value, i) => [value, i]));
  const minusOne = plus[1]!.indexOf(0);
  const t = Math.floor((q - 1) / 4);
  const fits = (shift: number): boolean => {
    const [above, below] = [plus[x[shift]!]![1]!, plus[x[shift]!]![minusOne]!];
    return above !== 0 && below !== 0 && (log.get(above)! - log.get(below)!) % 2 !== 0;
  };
  const shift = upTo(q - 1).find((n) => n % 2 === 1 && fits(n))!;
  const tables = [[0, q, 2 * q, 3 * q]];
  for (let layer = 0; layer < 3; layer++) {
    const [near, far] = [layer * q, ((layer + 1) % 3) * q];
    for (let i = 0; i < t; i++) {
      const [a, b] = [2 * i, 2 * i + 2 * t];
      tables.push([near + x[a]!, far + x[(shift + a) % (q - 1)]!, near + x[b]!, far + x[(shift + b) % (q - 1)]!]);
    }
  }
  return tables;
}

function powers(times: number[][], element: number): number[] {
  const found = [1];
  for (let next = element; next !== 1; next = times[next]![element]!) found.push(next);
  return found;
}

/** [p, k] where order is p to the k and p a prime, else null. */
function primePower(order: number): [number, number] | null {
  if (order < 2) return null;
  const p = upTo(order + 1).find((d) => d > 1 && order % d === 0)!;
  let k = 0;
  for (; order % p === 0; order /= p) k++;
  return order === 1 ? [p, k] : null;
}

interface Field {
  plus: number[][];
  times: number[][];
}

const fieldsOf = new Map<number, Field>();

/** The finite field as its tables of sums and products, for the first modulus without zero divisors. */
function field(order: number): Field {
  const kept = fieldsOf.get(order);
  if (kept !== undefined) return kept;
  const [p, k] = primePower(order)!;
  const digits = upTo(order).map((n) => upTo(k).map((i) => Math.floor(n / p ** i) % p));
  const number = (found: readonly number[]): number => found.slice(0, k).reduce((sum, digit, i) => sum + (digit % p) * p ** i, 0);
  const product = (a: number[], b: number[], low: number[]): number => {
    const raw = new Array<number>(2 * k).fill(0);
    a.forEach((x, i) => b.forEach((y, j) => (raw[i + j]! += x * y)));
    for (let i = 2 * k - 1; i >= k; i--) low.forEach((digit, j) => (raw[i - k + j]! += raw[i]! * digit));
    return number(raw);
  };
  const plus = digits.map((a) => digits.map((b) => number(a.map((x, i) => x + b[i]!))));
  for (const low of digits) {
    const times = digits.map((a) => digits.map((b) => product(a, b, low)));
    if (times.slice(1).every((row) => row.slice(1).every((value) => value !== 0))) {
      fieldsOf.set(order, { plus, times });
      return { plus, times };
    }
  }
  throw new Error("an irreducible polynomial of every degree exists");
}

/** Players as vectors over GF(2), a round as a plane: the first choice that repeats least of all. */
export function byPlanes(players: number, rounds: number, numbers: Numbers): Schedule | null {
  if (![8, 16, 32, 64].includes(players) || rounds >= players) return null;
  const all = upTo(players).slice(1);
  const planes = all.flatMap((p) => all.filter((a) => p !== a && a < (a ^ p)).map((a) => [p, a, a ^ p] as const));
  const bound = [Math.max(0, 3 * rounds - players + 1), Math.max(0, 2 * rounds - players + 1)];
  for (let tries = Math.max(1, Math.floor(400_000 / (planes.length * rounds))); tries > 0; tries--) {
    numbers.shuffle(planes);
    const met = new Array<number>(players).fill(0);
    const opposed = [...met];
    const partnered = new Set<number>();
    const chosen: (readonly [number, number, number])[] = [];
    for (let r = 0; r < rounds; r++) {
      let best: readonly [number, number, number] = planes[0]!;
      let [least, second] = [Infinity, Infinity];
      for (const plane of planes) {
        const [p, a, b] = plane;
        const known = partnered.has(p);
        const weight = known ? 3 * rounds + 1 : met[p]! + met[a]! + met[b]!;
        const beside = known ? 0 : opposed[a]! + opposed[b]!;
        if (weight < least || (weight === least && beside < second)) [best, least, second] = [plane, weight, beside];
      }
      chosen.push(best);
      partnered.add(best[0]);
      for (const vector of best) met[vector]!++;
      opposed[best[1]]!++;
      opposed[best[2]]!++;
    }
    const repeats = [met, opposed].map((counts) => counts.reduce((sum, n) => sum + Math.max(0, n - 1), 0));
    if (repeats[0] === bound[0] && repeats[1] === bound[1]) {
      return chosen.map(([p, a, b]) => upTo(players).map((x) => [x, x ^ a, x ^ p, x ^ b]).filter((table) => Math.min(...table) === table[0]));
    }
  }
  return null;
}

/** Partners by the circle method, the pairs laid to tables as they come. */
export function partnersInTurn(players: number, rounds: number): Schedule {
  const ring = players - 1;
  return upTo(rounds).map((r) => {
    const pairs = upTo(players / 2).map((i) => (i === 0 ? [ring, r % ring] : [(r + i) % ring, (((r - i) % ring) + ring) % ring]));
    return upTo(players / 4).map((n) => {
      const [[a, b], [c, d]] = [pairs[2 * n]!, pairs[2 * n + 1]!];
      return [a!, c!, b!, d!];
    });
  });
}
