/** A draw of seats made again: from its seed and what it started from to tables and chairs. docs/developers/seats.md. */

import { Numbers } from "./numbers";
import type { Past, Problem, Table } from "./problem";
import { byPlanes, partnersInTurn, withoutMeetingTwice, type Schedule } from "./schedules";
import { Search } from "./search";

/** The versions of the algorithm; draws name theirs. */
export const SEARCHES = ["1", "2"];
const MOVES = 480_000;
const SMALL = 320;
const LARGE = 1_200;

/** The tables of the first round that is drawn, by number and by chair, and who sits out. */
export function seatsAgain(problem: Problem): Past {
  const byes = whoSitsOut(problem);
  const tables = whoMeets(problem, byes).map((one) => problem.inTables(one));
  return { tables: onChairs(problem, tables)[0]!, byes: byes[0]! };
}

function whoSitsOut(problem: Problem): number[][] {
  const rounds = Array.from({ length: problem.rounds }, (): number[] => []);
  if (problem.out === 0) return rounds;
  const numbers = new Numbers(problem.seed, "byes");
  // In the first version only a round for which somebody was there counted.
  const isFirst = problem.version === "1";
  const times = new Array<number>(problem.players).fill(isFirst ? 0 : problem.past.length);
  for (const player of problem.past.flatMap((one) => (isFirst ? one.byes : one.tables.flat()))) if (player >= 0) times[player]! += isFirst ? 1 : -1;
  const rank = new Map(problem.firstOut.map((player, n) => [player, n]));
  const last = (unit: readonly number[]): number => Number(unit.some((p) => problem.lastOut.has(p)));
  const most = (unit: readonly number[]): number => Math.max(...unit.map((p) => times[p]!));
  const first = (unit: readonly number[]): number => Math.min(...unit.map((p) => rank.get(p) ?? rank.size));
  const units: (readonly number[])[] = [...problem.fixedPairs];
  for (let p = 0; p < problem.players; p++) if (!problem.fixed.has(p)) units.push([p]);
  return rounds.map(() => {
    numbers.shuffle(units);
    units.sort((one, other) => last(one) - last(other) || most(one) - most(other) || first(one) - first(other));
    const out = (fill(units, problem.out, 0) ?? []).sort((a, b) => a - b);
    for (const player of out) times[player]!++;
    return out;
  });
}

/** For each round who sits at the tables of three: nobody a second time before all once. */
function whoSitsAtThree(problem: Problem, byes: number[][]): number[][] {
  if (problem.threes === 0) return byes.map(() => []);
  const numbers = new Numbers(problem.seed, "threes");
  const times = new Array<number>(problem.players).fill(0);
  const before = problem.past.flatMap((one) => one.tables.filter((table) => table.length === 3).flat());
  for (const player of before) if (player >= 0) times[player]!++;
  const players = Array.from({ length: problem.players }, (_, p) => p);
  return byes.map((out) => {
    numbers.shuffle(players);
    players.sort((one, other) => Number(out.includes(one)) - Number(out.includes(other)) || times[one]! - times[other]!);
    const here = players.slice(0, 3 * problem.threes).sort((a, b) => a - b);
    for (const player of here) times[player]!++;
    return here;
  });
}

/** The first units, in their order, that come to just so many players. */
function fill(units: readonly (readonly number[])[], count: number, since: number): number[] | null {
  if (count === 0) return [];
  for (let at = since; at < units.length; at++) {
    const rest = units[at]!.length <= count ? fill(units, count - units[at]!.length, at + 1) : null;
    if (rest !== null) return [...units[at]!, ...rest];
  }
  return null;
}

/** For each round the players, table by table, then who sits out. */
function whoMeets(problem: Problem, byes: number[][]): number[][] {
  const { players, rounds, seed } = problem;
  if (problem.free && problem.size === 4) {
    const known = withoutMeetingTwice(players, rounds) ?? byPlanes(players, rounds, new Numbers(seed, "planes"));
    if (known !== null) return renamed(problem, known, new Numbers(seed, "names"));
  }
  const work = players * rounds;
  const threes = whoSitsAtThree(problem, byes);
  const runs = work <= SMALL ? 8 : work <= LARGE ? 3 : 1;
  let best: Search | null = null;
  for (let run = 0; run < runs; run++) {
    const search = new Search(problem, startOf(problem, byes, threes, run));
    const numbers = new Numbers(seed, `search ${run}`);
    if (work > LARGE) {
      search.repair(MOVES / 4, numbers);
      search.run(MOVES / 2, 0, numbers);
    } else search.run(MOVES / runs, 4, numbers);
    if (best === null || search.beats(best)) best = search;
    if (best.cost <= best.floor) break;
  }
  return best!.rounds.map((one) => one.slice(0, -1));
}

/** Where a search begins: partners in turn, every second time behind a construction; else drawn. */
function startOf(problem: Problem, byes: number[][], threes: number[][], run: number): number[][] {
  const { players, rounds } = problem;
  const numbers = new Numbers(problem.seed, `start ${run}`);
  if (!(problem.free && problem.size === 4 && rounds < players)) return byes.map((out, at) => atRandom(problem, out, threes[at]!, numbers));
  let known: Schedule = [];
  for (let count = 2; run % 2 === 1 && rounds <= players / 2 && count < rounds; count++) {
    const longer = withoutMeetingTwice(players, count);
    if (longer === null) break;
    known = longer;
  }
  return renamed(problem, [...known, ...partnersInTurn(players, rounds).slice(known.length)], numbers);
}

function renamed(problem: Problem, schedule: Schedule, numbers: Numbers): number[][] {
  const names = Array.from({ length: problem.players }, (_, n) => n);
  numbers.shuffle(names);
  const rounds = schedule.map((one) => one.flat().map((player) => names[player]!));
  numbers.shuffle(rounds);
  return rounds;
}

function atRandom(problem: Problem, out: readonly number[], threes: readonly number[], numbers: Numbers): number[] {
  const pairs = problem.fixedPairs.filter(([a]) => !out.includes(a));
  const singles: number[] = [];
  for (let p = 0; p < problem.players; p++) if (!out.includes(p) && !threes.includes(p) && !problem.fixed.has(p)) singles.push(p);
  numbers.shuffle(singles);
  const last = [...threes];
  numbers.shuffle(last);
  if (!problem.inPairs) return [...singles, ...last, ...out];
  for (let n = 0; n + 1 < singles.length; n += 2) pairs.push([singles[n]!, singles[n + 1]!]);
  numbers.shuffle(pairs);
  const seated: number[] = [];
  for (let n = 0; n + 1 < pairs.length; n += 2) {
    const [[a, b], [c, d]] = [pairs[n]!, pairs[n + 1]!];
    seated.push(a, c, b, d);
  }
  return [...seated, ...last, ...out];
}

function orders(problem: Problem, size: number): number[][] {
  const grown = (rest: readonly number[]): number[][] =>
    rest.length === 0 ? [[]] : rest.flatMap((one) => grown(rest.filter((other) => other !== one)).map((more) => [one, ...more]));
  const all = grown(Array.from({ length: size }, (_, n) => n));
  return problem.inPairs && size === 4 ? all.filter((order) => Math.abs(order[0]! - order[2]!) === 2) : all;
}

/** Which table has which number, who sits on which chair: drawn, then bettered without anybody's loss. */
function onChairs(problem: Problem, rounds: number[][][]): Table[][] {
  const numbers = new Numbers(problem.seed, "seating");
  const arrangements = new Map([...new Set(problem.sizes)].map((count) => [count, orders(problem, count)]));
  const { players, size } = problem;
  const atTable = Array.from({ length: players }, () => new Map<number, number>());
  const onChair = Array.from({ length: players }, () => new Array<number>(size).fill(0));
  const putNumber = (table: Table, number: number, times: number): void => {
    for (const p of table) if (p >= 0) atTable[p]!.set(number, (atTable[p]!.get(number) ?? 0) + times);
  };
  const putChairs = (table: Table, times: number): void => table.forEach((p, chair) => p >= 0 && (onChair[p]![chair]! += times));
  const atNumber = (table: Table, number: number): number => table.reduce((sum, p) => sum + (atTable[p]!.get(number) ?? 0), 0);
  const atChairs = (table: Table): number => table.reduce((sum, p, chair) => sum + onChair[p]![chair]!, 0);
  const placed = rounds.map((one) => {
    const tables = one.map((table): Table => {
      const turns = arrangements.get(table.length)!;
      return turns[numbers.below(turns.length)]!.map((i) => table[i]!);
    });
    numbers.shuffle(tables);
    return tables;
  });
  for (const one of [...problem.past.map((past) => past.tables), ...placed]) {
    one.forEach((table, number) => {
      putNumber(table, number, 1);
      putChairs(table, 1);
    });
  }
  for (let move = 0; move < 6_000; move++) {
    const one = placed[numbers.below(placed.length)]!;
    const number = numbers.below(one.length);
    const old = one[number]!;
    const turns = arrangements.get(old.length)!;
    const order = turns[numbers.below(turns.length)]!;
    const turned = order.map((who) => old[who]!);
    putChairs(old, -1);
    one[number] = atChairs(turned) <= atChairs(old) ? turned : old;
    putChairs(one[number], 1);
    const [a, b] = [numbers.below(one.length), numbers.below(one.length)];
    const [first, second] = [one[a]!, one[b]!];
    const stay = atNumber(first, a) + atNumber(second, b) - first.length - second.length;
    if (a === b || atNumber(first, b) + atNumber(second, a) > stay) continue;
    for (const [table, before, after] of [[first, a, b], [second, b, a]] as const) {
      putNumber(table, before, -1);
      putNumber(table, after, 1);
    }
    [one[a], one[b]] = [second, first];
  }
  return placed;
}
