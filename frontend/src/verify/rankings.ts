/** Published rankings: the ones whose hashes stand in the log, and what the tables had given by then. */

import { Unusable, compact, hex, list, text, whole, type Json, type JsonObject } from "./file/bytes";
import { mergedAt, pairsAt } from "./seats/entrants";
import { standingEvents } from "./games";
import { knownGame } from "./known_games";
import { ranked, type Given, type Meeting, type Recorded, type Row } from "./places";
import type { Report } from "./report";
import { sha256 } from "./file/sha2";
import { chanceOf, same, started, type Round } from "./story";
import type { StoredEvent, Stream, Streams } from "./file/streams";
import { isOfThree, type Tables } from "./tables";

/** `own`: the events of the championship. */
export function checkRankings(report: Report, tables: Tables, streams: Streams, rounds: readonly Round[], own: readonly StoredEvent[]): void {
  const published = own.filter((event) => event.type === "standings_published");
  const regulations = own.filter((event) => event.type === "regulations_set").at(-1)?.body["regulations"] as JsonObject | undefined;
  const sealed = sealedNumber(regulations, rounds);
  const snapshots = tables.rows("standingssnapshot");
  if (!published.every((event, at) => event.body["version"] === at + 1)) report.differs("championship", "verify.rankings_numbered");
  for (const { body } of published) {
    const n = body["version"];
    if (!snapshots.some((one) => one["version"] === n)) report.differs("", "verify.ranking_gone", { n });
  }
  if (new Set(snapshots.map((one) => one["version"])).size < snapshots.length) report.differs("championship.json", "verify.row_twice");
  for (const snapshot of snapshots) {
    const n = snapshot["version"];
    const event = published.find((one) => one.body["version"] === n);
    const isIt = event?.body["digest"] === hex(sha256(compact(snapshot["rows"])));
    if (event === undefined || !isIt || !["after_round", "reason"].every((name) => event.body[name] === snapshot[name])) {
      report.differs("", "verify.ranking", { n });
      continue;
    }
    const known = sealed !== null && snapshot["after_round"] === regulations!["rounds"];
    const counts = (row: Json): boolean => {
      const { off, total } = row as JsonObject;
      return off === (known ? Math.abs(whole(total) - sealed) : null);
    };
    if (!list(snapshot["rows"]).every(counts)) {
      report.differs("", "verify.sealed_number", { n });
      continue;
    }
    if (rounds.some((one) => one.standing.some((game) => hasUnknownSides(streams.get(game)!)))) {
      report.leaves("verify.unknown_sides", { n });
      continue;
    }
    try {
      checkRanking({ tables, streams, rounds, own, regulations: regulations! }, snapshot, event, event === published.at(-1));
    } catch (error) {
      report.broken(`ranking ${text(String(n))}`, error);
    }
  }
  report.check("verify.checked_rankings", { n: snapshots.length });
  if (sealed !== null) report.check("verify.checked_sealed", { n: sealed });
}

/** The number to come near to, where there is one and the seed of the last round is revealed. */
function sealedNumber(regulations: JsonObject | undefined, rounds: readonly Round[]): number | null {
  const counting = regulations?.["counting"] as JsonObject | undefined;
  if (counting?.["what"] !== "nearest") return null;
  const last = rounds[whole(regulations!["rounds"]) - 1]?.chapters.at(-1);
  if (!last?.seed) return null;
  const least = whole(counting["least"]);
  const span = whole(counting["most"]) - least + 1;
  const stream = chanceOf(last).bytes("sealed", 1, 0);
  for (;;) {
    const pair = 256 * stream.next().value + stream.next().value;
    if (pair < 65_536 - (65_536 % span)) return least + (pair % span);
  }
}

/** What a table had given at some moment: totals, winners, and the deals in which a side took all. */
class Result {
  readonly sides: number[];
  totals: number[];
  winners: Json[] = [];
  readonly swept = new Map<Json | undefined, Json | undefined>();
  /** Sweeps by side, where totals of a round were handed in. */
  many: number[] = [];
  /** What swept is, is then the engine's to say. */
  ruled: boolean;

  /** A table of three whose results count as those of four. */
  readonly #scaled: boolean;

  constructor(stream: Stream, moment: string, regulations: JsonObject) {
    const start = started(stream);
    this.#scaled = (regulations["byes"] as JsonObject)["three"] === "scaled" && isOfThree(start, regulations);
    const [seats, sides] = [whole(start["seats"], 2), whole(start["sides"], 2)];
    // Who won the auction is one side, the others are the other.
    const bidders = seats === 3 && sides === 2;
    this.totals = new Array<number>(sides).fill(0);
    this.ruled = bidders;
    const bySeat = Array.from({ length: seats }, (_, seat) => (sides === seats ? seat : seat % 2));
    let takers = new Set<number | null>();
    let chooser: number | null = null;
    for (const { type, body, recordedAt } of standingEvents(stream)) {
      if (recordedAt > moment) continue;
      const [totals, winners] = [list(body["totals"] ?? []), list(body["winners"] ?? [])];
      if (totals.length) this.totals = totals.map((total) => whole(total));
      if (winners.length) this.winners = winners;
      if (["ruling_made", "deal_annulled", "deal_stopped"].includes(type)) this.ruled = true;
      else if (type === "auction_won") chooser = whole(body["seat"], 0);
      else if (type === "deal_started") takers = new Set();
      else if (type === "trick_taken") takers.add(body["seat"] === null ? null : bySeat[whole(body["seat"], 0)]!);
      else if (type === "deal_scored") this.swept.set(body["deal"], takers.size === 1 ? [...takers][0]! : null);
      else if (type === "result_entered" || type === "result_corrected") {
        this.swept.set(body["deal"], body["sweep"] ?? null);
        this.many = list(body["sweeps"] ?? []).map((count) => whole(count, 0));
        if ((body["chooser"] ?? null) !== null) chooser = whole(body["chooser"], 0);
      }
    }
    this.sides = bidders ? bySeat.map((_, seat) => Number(seat !== chooser)) : bySeat;
  }

  credit(side: number, kind: Json | undefined): number {
    if (kind !== "wins") return this.#scaled ? Math.floor((8 * this.totals[side]! + 3) / 6) : this.totals[side]!;
    const beaten = this.winners.includes(side) ? this.sides.filter((other) => !this.winners.includes(other)).length : 0;
    return this.#scaled ? Math.floor((6 * beaten + 2) / 4) : beaten;
  }

  sweeps(side: number): number | null {
    return this.ruled ? null : [...this.swept.values()].filter((one) => one === side).length + (this.many[side] ?? 0);
  }
}

interface Basis {
  tables: Tables;
  streams: Streams;
  rounds: readonly Round[];
  own: readonly StoredEvent[];
  regulations: JsonObject;
}

/** Whether two sides of four may be partners, or who won an auction against the others. */
function hasUnknownSides(stream: Stream): boolean {
  const start = started(stream);
  const isTwoOfFour = start["seats"] === 4 && start["sides"] === 2;
  return knownGame(start) === null && isTwoOfFour && stream.events.some(({ type }) => type === "auction_won");
}

/** Points, sums and places of a ranking follow from the tables as they stood then. Throws Unusable. */
function checkRanking({ tables, streams, rounds, own, regulations }: Basis, snapshot: JsonObject, event: StoredEvent, last: boolean): void {
  const moment = event.recordedAt;
  const closed: { one: Round; end: string }[] = [];
  for (const one of rounds) {
    // Who sat where, and what counted then, was changed since: the last ranking tells.
    if (!last && one.stream.events.some(({ type }) => type === "round_reopened")) return;
    const ends = one.stream.events.filter(({ recordedAt, type }) => recordedAt <= moment && ["round_closed", "round_reopened", "draw_undone"].includes(type));
    const end = ends.at(-1);
    if (end?.type === "round_closed") closed.push({ one, end: countedAt(one, streams, end.recordedAt, moment) });
  }
  if (snapshot["after_round"] !== Math.max(0, ...closed.map(({ one }) => one.number))) throw new Unusable("verify.ranking_rounds");
  const entries = tables.rows("entry");
  const written = new Map(entries.map((row) => [text(row["player_ref"]), whole(row["number"])]));
  const keys = new Map(written);
  for (const [other, kept] of mergedAt(own, moment)) keys.set(other, written.get(kept)!);
  const house = new Set(entries.filter((row) => row["house"] !== false).map((row) => row["number"]));
  const given = new Map<number, Given[]>();
  const give = (player: string, one: Given): void => {
    const key = keys.get(player)!;
    given.set(key, [...(given.get(key) ?? []), one]);
  };
  const meetings: Meeting[] = [];
  for (const { one, end } of closed) {
    // As the round was closed: what sitting out is worth follows from that.
    const credits: number[] = [];
    for (const game of one.standing) {
      const result = new Result(streams.get(game)!, moment, regulations);
      const then = new Result(streams.get(game)!, end, regulations);
      const who = one.satAt(game);
      who.forEach((player, seat) => {
        const side = result.sides[seat]!;
        const credit = (regulations["play"] as JsonObject)["credit"];
        const points = result.credit(side, credit);
        const won = result.winners.length === 1 && result.winners[0] === side;
        credits.push(then.credit(side, credit));
        give(player, { round: one.number, points, sweeps: result.sweeps(side), played: true, table: result.totals[side]!, won });
      });
      if (result.totals.length === 2) {
        const of = (side: number): number[] => who.filter((_, seat) => result.sides[seat] === side).map((player) => keys.get(player)!);
        meetings.push({ sides: [of(0), of(1)], totals: [result.totals[0]!, result.totals[1]!] });
      }
    }
    const byes = regulations["byes"] as JsonObject;
    const sum = credits.reduce((all, points) => all + points, 0);
    const average = credits.length ? Math.floor((2 * sum + credits.length) / (2 * credits.length)) : 0;
    for (const { type, body, recordedAt } of one.stream.events) {
      if (type !== "sitting_out_counted" || recordedAt !== end) continue;
      if (byes["points"] === "fixed" || body["points"] !== average) throw new Unusable("verify.sitting_out", { round: one.number, told: body["points"] });
    }
    const points = byes["points"] === "fixed" ? whole(byes["fixed"]) : average;
    for (const player of one.out) give(player, { round: one.number, points, sweeps: 0, played: false, table: 0, won: false });
  }
  const fixed = (regulations["play"] as JsonObject)["format"] === "fixed_pairs";
  const members = new Map<number, number[]>();
  for (const { number, players } of fixed ? pairsAt(own, moment).values() : []) {
    members.set(number, players.map((player) => keys.get(player)!).sort((one, other) => one - other));
  }
  const pairOf = new Map([...members].flatMap(([key, each]) => each.map((number) => [number, key] as const)));
  const all = [...new Set([...keys.values()].filter((number) => !house.has(number)).map((number) => pairOf.get(number) ?? number))];
  const asOne = new Map(all.map((key) => [key, together((members.get(key) ?? [key]).map((number) => given.get(number) ?? []))]));
  for (const meeting of meetings) {
    meeting.sides = meeting.sides.map((side) => [...new Set(side.map((number) => pairOf.get(number) ?? number))]) as Meeting["sides"];
  }
  const rows = list(snapshot["rows"]) as unknown as Row[];
  checkRows(rows, asOne, members);
  const level = ranked(rows, asOne, meetings, regulations["counting"] as JsonObject, closed.length, recorded(own, written, moment));
  let at = 0;
  for (const group of level) {
    const place = at + 1;
    for (const row of [...group].sort((one, other) => one.key - other.key)) {
      if (rows[at++] !== row || row.place !== place || row.shared !== group.length > 1) throw new Unusable("verify.ranking_place", { key: row.key });
    }
  }
}

/** When sitting out in a round was counted for a ranking of that moment: as the round was closed, or anew after that. What an official has put right since counts in any case. */
function countedAt(one: Round, streams: Streams, closedAt: string, moment: string): string {
  const written = one.standing.flatMap((game) => streams.get(game)!.events).filter(({ type, body }) => type.startsWith("result_") && (body["reason"] ?? null) !== null);
  const counted = [...one.stream.events.filter(({ type }) => type === "sitting_out_counted"), ...written].map(({ recordedAt }) => recordedAt);
  return [closedAt, ...counted.filter((at) => at <= moment)].sort().at(-1)!;
}

/** What a pair has of each round: as its first member played it, else what the first was given. */
function together(ofMembers: readonly Given[][]): Given[] {
  const rounds = new Map<number, Given>();
  for (const one of ofMembers.flat()) {
    const before = rounds.get(one.round);
    if (before === undefined || (one.played && !before.played)) rounds.set(one.round, one);
  }
  return [...rounds.values()].sort((one, other) => one.round - other.round);
}

function checkRows(rows: readonly Row[], given: ReadonlyMap<number, Given[]>, members: ReadonlyMap<number, number[]>): void {
  const told = new Set(rows.map((row) => row.key));
  const known = rows.every(({ key }) => given.has(key));
  const complete = [...given].every(([key, mine]) => !mine.length || told.has(key));
  if (told.size < rows.length || !complete || !known) throw new Unusable("verify.ranking_people");
  for (const { key, rounds, members: listed } of rows) {
    if (!same(listed ?? null, members.get(key) ?? null)) throw new Unusable("verify.ranking_pair", { key });
    const mine = given.get(key)!;
    const fits = rounds.length === mine.length && mine.every((one, at) => rounds[at]!.round === one.round && rounds[at]!.played === one.played);
    if (!fits) throw new Unusable("verify.ranking_played", { key });
    for (const [at, { round, points, sweeps }] of mine.entries()) {
      if (rounds[at]!.points !== points) throw new Unusable("verify.ranking_points", { key, round, points, told: rounds[at]!.points });
      if (sweeps !== null && rounds[at]!.sweeps !== sweeps) throw new Unusable("verify.ranking_sweeps", { key, round });
    }
  }
}

/** Lots and cards that were recorded, by number. */
function recorded(own: readonly StoredEvent[], keys: ReadonlyMap<string, number>, moment: string): Recorded {
  const found: Recorded = { cut: new Map(), lot: new Map() };
  for (const { type, body, recordedAt } of own) {
    if (type !== "separator_recorded" || recordedAt > moment) continue;
    const kind = body["kind"] === "cut" ? found.cut : found.lot;
    for (const [player, value] of Object.entries(body["values"] as JsonObject)) kind.set(keys.get(player)!, whole(value));
  }
  return found;
}
