/** What a draw of seats has to start from beside its seed and the rounds before it: by that, too, seats can be chosen. docs/developers/seats.md. */

import { list, whole, type Json, type JsonObject } from "../file/bytes";
import { pairsAt } from "./entrants";
import type { Report } from "../report";
import { same, type Draw } from "../story";
import type { StoredEvent } from "../file/streams";
import type { Tables } from "../tables";

interface Place {
  round: number;
  n: number;
}

/** Player-rounds up to which a draw looks ahead over all rounds that are still to be played. */
const AHEAD = 320;
const FIRST_SEARCH = "1";

/** How many wishes of the director a draw started from. Pairs were wishes only in the first search. */
export function wishesOf(body: JsonObject): number {
  const problem = body["problem"] as JsonObject;
  const kinds = ["never_partner", "never_meet", ...(body["algorithm"] === FIRST_SEARCH ? ["fixed_pairs"] : [])];
  return kinds.reduce((sum, kind) => sum + list(problem[kind]).length, 0);
}

/** Compare what a draw says that it started from with log, regulations and rankings of that moment. */
export function checkStart(report: Report, tables: Tables, drawn: Draw, place: Place, own: readonly StoredEvent[], moment: string): void {
  const { players } = drawn;
  const problem = drawn.body["problem"] as JsonObject;
  const regulations = regulationsAt(own, moment);
  const play = regulations["play"] as JsonObject;
  const differs = (what: string): void => report.differs("", what, { ...place });
  const numbers = numbersOf(own);
  const order = players.map((player) => whole(numbers.get(player), 0));
  if (order.some((number, at) => at > 0 && number <= order[at - 1]!)) differs("verify.draw_order");
  const left = whole(regulations["rounds"]) - place.round + 1;
  if (problem["rounds"] !== (players.length * left <= AHEAD ? Math.max(1, left) : 1)) differs("verify.draw_ahead");
  if (!seatsByRegulations(problem, play, players.length)) differs("verify.draw_tables");
  const first = drawn.body["algorithm"] === FIRST_SEARCH;
  if (first) report.leaves("verify.draw_first_search", { ...place });
  else {
    if (list(problem["sit_out_first"]).length) differs("verify.draw_sit_out_first");
    if (!same(problem["fixed_pairs"], pairsIn(players, play, own, moment))) differs("verify.draw_pairs");
    checkLeaders(report, tables, drawn, place, { own, moment, numbers, regulations });
  }
}

/** The regulations that held at that moment; the first ones where dates go backwards. */
function regulationsAt(own: readonly StoredEvent[], moment: string): JsonObject {
  const told = own.filter(({ type }) => type === "regulations_set");
  const held = told.filter(({ recordedAt }) => recordedAt <= moment).at(-1) ?? told[0]!;
  return held.body["regulations"] as JsonObject;
}

function numbersOf(own: readonly StoredEvent[]): Map<string, Json | undefined> {
  return new Map(own.filter(({ type }) => type === "entry_added").map(({ body }) => [String(body["player"]), body["number"]]));
}

function seatsByRegulations(problem: JsonObject, play: JsonObject, players: number): boolean {
  const ofFour = play["seats"] === 4 && play["format"] !== "fixed_pairs";
  const threes = problem["threes"] ?? 0;
  const format = play["format"] === "solo" ? "solo" : "pairs";
  const fits = threes === 0 || (ofFour && threes === (4 - (players % 4)) % 4);
  return fits && problem["format"] === format && problem["table_size"] === play["seats"];
}

/** Who plays together all evening and is drawn, by places among the players. */
function pairsIn(players: readonly string[], play: JsonObject, own: readonly StoredEvent[], moment: string): number[][] {
  if (play["format"] !== "fixed_pairs") return [];
  const places = (members: readonly string[]): number[] => members.map((player) => players.indexOf(player)).filter((at) => at >= 0);
  const there = [...pairsAt(own, moment).values()].map((pair) => places(pair.players).sort((a, b) => a - b));
  return there.filter((pair) => pair.length === 2).sort((one, other) => one[0]! - other[0]!);
}

interface Known {
  own: readonly StoredEvent[];
  moment: string;
  numbers: ReadonlyMap<string, Json | undefined>;
  regulations: JsonObject;
}

/** Who was kept from sitting out led in a ranking published after the round before; and who led before the last round was kept. */
function checkLeaders(report: Report, tables: Tables, drawn: Draw, place: Place, { own, moment, numbers, regulations }: Known): void {
  const here = drawn.players.map((player) => numbers.get(player));
  const sorted = (keys: readonly (Json | undefined)[]): string => keys.map(String).sort().join();
  const published = tables.rows("standingssnapshot").filter((one) => one["after_round"] === place.round - 1);
  const leaders = (of: JsonObject): (Json | undefined)[] =>
    (list(of["rows"]) as JsonObject[]).filter((row) => row["place"] === 1 && here.includes(row["key"])).map((row) => row["key"]);
  const last = place.round > 1 && place.round === regulations["rounds"];
  const kept = list((drawn.body["problem"] as JsonObject)["sit_out_last"]).map((at) => here[whole(at, 0)]);
  if (kept.length) {
    if (!last || !published.some((one) => sorted(leaders(one)) === sorted(kept))) report.differs("", "verify.draw_leaders", { ...place });
    return;
  }
  const version = own.filter(({ type, recordedAt }) => type === "standings_published" && recordedAt <= moment).at(-1)?.body["version"];
  const latest = published.find((one) => one["version"] === version);
  const led = latest !== undefined && leaders(latest).length > 0;
  if (last && led && (regulations["play"] as JsonObject)["format"] !== "fixed_pairs") report.differs("", "verify.draw_led", { ...place });
}
