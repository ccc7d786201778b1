/** The search behind a draw: players change places while that costs less, or a little more. docs/developers/seats.md. */

import type { Numbers } from "./numbers";
import type { Problem } from "./problem";
import { repeats } from "./repeats";

const PARTNER = 20_000;
const MEETING = 3;
const OPPONENT = 4;
const FORBIDDEN = 1_000_000_000;

/** By player; 0 where nothing is known. */
class Costs {
  readonly #rows: Map<number, number>[];

  constructor(players: number) {
    this.#rows = Array.from({ length: players + 1 }, () => new Map<number, number>());
  }

  get(a: number, b: number): number {
    return this.#rows[a]!.get(b) ?? 0;
  }

  add(a: number, b: number, cost: number): void {
    this.#rows[a]!.set(b, this.get(a, b) + cost);
  }
}

export class Search {
  cost = 0;
  readonly floor: number;
  /** Rounds of positions: the tables in turn, who sits out, and on the last one nobody. */
  rounds: number[][];
  /** By position: which table, and how many sit at it. */
  readonly #table: number[] = [];
  readonly #size: number[] = [];
  readonly #partner: number[] = [];
  readonly #first: number[] = [];
  readonly #second: number[] = [];
  readonly #partnerStep: number;
  readonly #opponentStep: number;
  /** By the size of a table: what one time more costs with all who sit there. */
  readonly #beside: readonly number[];
  readonly #asPartner: Costs;
  readonly #asOpponent: Costs;

  constructor(
    private readonly problem: Problem,
    start: readonly number[][],
  ) {
    const { players, seated, inPairs } = problem;
    this.rounds = start.map((one) => [...one, players]);
    problem.sizes.forEach((size, number) => {
      const base = this.#size.length;
      for (let seat = 0; seat < size; seat++) {
        const others = Array.from({ length: size - 1 }, (_, step) => base + ((seat + step + 1) % size));
        this.#partner.push(size === 4 ? others.splice(1, 1)[0]! : players);
        this.#first.push(others[0]!);
        this.#second.push(others[1] ?? players);
        this.#table.push(number);
        this.#size.push(size);
      }
    });
    this.#partnerStep = MEETING + (inPairs ? PARTNER : 0);
    this.#opponentStep = MEETING + (inPairs ? OPPONENT : 0);
    this.#beside = [0, 1, 2, 3, 4].map((size) => Math.min(size - 1, 2) * this.#opponentStep + (size === 4 ? this.#partnerStep : 0));
    this.#asPartner = new Costs(players);
    this.#asOpponent = new Costs(players);
    const forbid = (costs: Costs, a: number, b: number): void => {
      costs.add(a, b, FORBIDDEN - costs.get(a, b));
      costs.add(b, a, FORBIDDEN - costs.get(b, a));
    };
    for (const [a, b] of [...problem.neverPartner, ...problem.neverMeet]) forbid(this.#asPartner, a, b);
    for (const [a, b] of problem.neverMeet) forbid(this.#asOpponent, a, b);
    for (const table of problem.past.flatMap((one) => one.tables)) {
      table.forEach((a, i) => {
        for (let j = 0; j < i; j++) if (a >= 0 && table[j]! >= 0) this.#meet(a, table[j]!, inPairs && table.length === 4 && i - j === 2);
      });
    }
    this.floor = this.cost;
    for (const one of this.rounds) {
      for (let at = 0; at < seated; at++) {
        for (const others of [this.#partner, this.#first, this.#second]) {
          if (others[at]! < at) this.#meet(one[at]!, one[others[at]!]!, others === this.#partner);
        }
      }
    }
  }

  #meet(a: number, b: number, partners: boolean): void {
    if (this.problem.fixed.get(a) === b) return;
    this.cost += (partners ? this.#asPartner : this.#asOpponent).get(a, b);
    this.#shift(a, b, partners, 1);
  }

  /** Once more, or once less, together: what one time more would cost. */
  #shift(a: number, b: number, partners: boolean, sign: number): void {
    const p = sign * (partners ? this.#partnerStep : MEETING);
    const o = sign * (partners ? MEETING : this.#opponentStep);
    this.#asPartner.add(a, b, p);
    this.#asPartner.add(b, a, p);
    this.#asOpponent.add(a, b, o);
    this.#asOpponent.add(b, a, o);
  }

  /** Go through those who meet somebody again, in so many tries. */
  repair(moves: number, numbers: Numbers): void {
    const { seated } = this.problem;
    let left = moves;
    while (left > 0) {
      const troubled: [number[], number][] = [];
      for (const one of this.rounds) {
        for (let at = 0; at < seated; at++) if (this.#trouble(one, at) > 0) troubled.push([one, at]);
      }
      if (troubled.length === 0) return;
      for (const [one, at] of troubled) {
        for (let tries = Math.min(24, left); tries > 0; tries--) {
          if (this.#trouble(one, at) <= 0) break;
          this.#move(one, at, numbers.below(seated), -1);
          left--;
        }
      }
    }
  }

  #trouble(one: number[], at: number): number {
    const player = one[at]!;
    const beside = one[this.#partner[at]!]!;
    const opponents = this.#asOpponent.get(player, one[this.#first[at]!]!) + this.#asOpponent.get(player, one[this.#second[at]!]!);
    const fixed = this.problem.fixed.get(player) === beside;
    return opponents - this.#beside[this.#size[at]!]! + (fixed ? this.#partnerStep : this.#asPartner.get(player, beside));
  }

  /** Try so many moves; the threshold falls from `start` to 0. The best that was seen stays. */
  run(moves: number, start: number, numbers: Numbers): void {
    const { seated, inPairs } = this.problem;
    let best = this.cost;
    let bestRounds = this.rounds.map((one) => [...one]);
    let words: number[] = [];
    for (let i = 0; i < moves && this.cost > this.floor; i++) {
      if (words.length < 3) words = numbers.words();
      const threshold = Math.floor((start * (moves - i)) / moves);
      const place = (word: number, count: number): number => Math.floor((word * count) / 2 ** 32);
      const one = this.rounds[place(words.pop()!, this.rounds.length)]!;
      const at = place(words.pop()!, seated);
      const drawn = words.pop()!;
      const other = place(drawn, seated);
      if (inPairs && drawn % 8 === 0) this.#swapPairs(one, at, other, threshold);
      else this.#move(one, at, other, threshold);
      if (this.cost < best) {
        best = this.cost;
        bestRounds = this.rounds.map((row) => [...row]);
      }
    }
    this.cost = best;
    this.rounds = bestRounds;
  }

  #move(one: number[], x: number, y: number, threshold: number): void {
    const isFixed = (at: number): boolean => this.problem.fixed.has(one[at]!);
    if (this.#table[x] === this.#table[y]) {
      const neighbours = this.problem.inPairs && this.#size[x] === 4 && (x - y) % 2 !== 0;
      if (neighbours && !isFixed(x) && !isFixed(y)) this.#changePartners(one, x, y, threshold);
    } else if (this.#size[x] !== this.#size[y]) return;
    else if (isFixed(x) || isFixed(y)) this.#swapPairs(one, x, y, threshold);
    else this.#swap(one, x, y, threshold);
  }

  #swap(one: number[], x: number, y: number, threshold: number): void {
    const [a, b] = [one[x]!, one[y]!];
    const [ax, fx, sx] = [one[this.#partner[x]!]!, one[this.#first[x]!]!, one[this.#second[x]!]!];
    const [by, fy, sy] = [one[this.#partner[y]!]!, one[this.#first[y]!]!, one[this.#second[y]!]!];
    const [p, o] = [this.#asPartner, this.#asOpponent];
    const come = p.get(a, by) + o.get(a, fy) + o.get(a, sy) + p.get(b, ax) + o.get(b, fx) + o.get(b, sx);
    const go = p.get(a, ax) + o.get(a, fx) + o.get(a, sx) + p.get(b, by) + o.get(b, fy) + o.get(b, sy);
    const size = this.#size[x]!;
    const rise = 2 * this.#beside[size]! + come - go;
    if (rise > threshold) return;
    [one[x], one[y]] = [b, a];
    this.cost += rise;
    const exchange = (ofA: number, ofB: number, partners: boolean): void => {
      this.#shift(a, ofA, partners, -1);
      this.#shift(b, ofB, partners, -1);
      this.#shift(a, ofB, partners, 1);
      this.#shift(b, ofA, partners, 1);
    };
    if (size === 4) exchange(ax, by, true);
    exchange(fx, fy, false);
    if (size > 2) exchange(sx, sy, false);
  }

  #changePartners(one: number[], x: number, y: number, threshold: number): void {
    const [a, b, c, d] = [one[x]!, one[y]!, one[this.#partner[x]!]!, one[this.#partner[y]!]!];
    if (this.problem.fixed.has(c) || this.problem.fixed.has(d)) return;
    const [p, o] = [this.#asPartner, this.#asOpponent];
    const come = p.get(a, d) + p.get(b, c) + o.get(a, c) + o.get(b, d);
    const go = p.get(a, c) + p.get(b, d) + o.get(a, d) + o.get(b, c);
    const rise = 2 * (this.#partnerStep + this.#opponentStep) - 4 * MEETING + come - go;
    if (rise > threshold) return;
    [one[x], one[y]] = [b, a];
    this.cost += rise;
    for (const [q, r, sign] of [[a, c, -1], [b, d, -1], [a, d, 1], [b, c, 1]] as const) {
      this.#shift(q, r, true, sign);
      this.#shift(q, r, false, -sign);
    }
  }

  #swapPairs(one: number[], x: number, y: number, threshold: number): void {
    if (this.#table[x] === this.#table[y] || this.#size[x]! + this.#size[y]! !== 8) return;
    const pair = (at: number): [number, number] => [one[at]!, one[this.#partner[at]!]!];
    const against = (at: number): [number, number] => [one[this.#first[at]!]!, one[this.#second[at]!]!];
    const sides = [[pair(x), against(x), against(y)], [pair(y), against(y), against(x)]] as const;
    let rise = 8 * this.#opponentStep;
    for (const [own, old, next] of sides) {
      for (const p of own) {
        rise += this.#asOpponent.get(p, next[0]) + this.#asOpponent.get(p, next[1]);
        rise -= this.#asOpponent.get(p, old[0]) + this.#asOpponent.get(p, old[1]);
      }
    }
    if (rise > threshold) return;
    for (const [u, v] of [[x, y], [this.#partner[x]!, this.#partner[y]!]] as const) [one[u], one[v]] = [one[v]!, one[u]!];
    this.cost += rise;
    for (const [own, old, next] of sides) {
      for (const p of own) {
        for (const n of [0, 1] as const) {
          this.#shift(p, old[n], false, -1);
          this.#shift(p, next[n], false, 1);
        }
      }
    }
  }

  /** Whether this search came out better than another one. */
  beats(other: Search): boolean {
    const [mine, theirs] = [repeats(this.problem, this.rounds), repeats(this.problem, other.rounds)];
    const at = mine.findIndex((count, n) => count !== theirs[n]);
    return at >= 0 && mine[at]! < theirs[at]!;
  }
}
