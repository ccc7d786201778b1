/** Every draw of seats made again, also of rounds still secret: its seed and what it started from are in the open. */

import { list, unhex, whole, type Json, type JsonObject } from "./bytes";
import { mergedAt } from "./entrants";
import { Problem } from "./problem";
import type { Report } from "./report";
import { SEARCHES, seatsAgain } from "./seats";
import { BY_HAND, type Draw, type Round } from "./story";
import type { StoredEvent } from "./streams";
import type { Tables } from "./tables";

interface Drawn {
  players: string[];
  tables: string[][];
  out: string[];
}

export function checkDraws(report: Report, tables: Tables, rounds: readonly Round[], own: readonly StoredEvent[]): void {
  if (report.differences.length) {
    report.note("verify.no_draws");
    return;
  }
  const played: Drawn[] = [];
  for (const one of rounds) {
    for (const drawn of one.drawn) {
      try {
        const told = one.stream.events.find(({ type, body }) => type === "seats_drawn" && body["draw"] === drawn.draw)!;
        const merged = mergedAt(own, told.recordedAt);
        checkDraw(report, { round: one.number, n: drawn.draw }, drawn.body, drawn, played, drawn.chapter.seed !== null, merged);
        checkLeaders(report, tables, drawn, { round: one.number, n: drawn.draw }, played.length);
      } catch (error) {
        report.broken(one.where, error);
      }
    }
    if (one.draw !== null) played.push({ players: one.draw.players, tables: one.sat, out: one.out });
  }
}

/** Who was kept from sitting out led in a ranking that was published after the round before. */
function checkLeaders(report: Report, tables: Tables, drawn: Draw, place: { round: number; n: number }, after: number): void {
  const last = list((drawn.body["problem"] as JsonObject)["sit_out_last"] ?? []);
  if (last.length === 0) return;
  const numbers = new Map(tables.rows("entry").map((row) => [row["player_ref"], row["number"]]));
  const sorted = (keys: readonly (Json | undefined)[]): string => keys.map(String).sort().join();
  const here = drawn.players.map((player) => numbers.get(player));
  const kept = sorted(last.map((at) => here[whole(at, 0)]));
  const published = tables.rows("standingssnapshot").filter((one) => one["after_round"] === after);
  const led = published.map((one) => (list(one["rows"]) as JsonObject[]).filter((row) => row["place"] === 1 && here.includes(row["key"])));
  if (!led.some((rows) => sorted(rows.map((row) => row["key"])) === kept)) report.differs("", "verify.draw_leaders", place);
}

/** One draw: from the rounds before it and its seed to its seats. Says what could be drawn again. */
function checkDraw(
  report: Report,
  place: { round: number; n: number },
  body: JsonObject,
  drawn: Drawn,
  played: readonly Drawn[],
  revealed: boolean,
  merged: ReadonlyMap<string, string>,
): void {
  if (body["algorithm"] === BY_HAND) {
    report.note("verify.draw_by_hand", place);
    return;
  }
  const version = String(body["algorithm"]);
  if (!SEARCHES.includes(version)) {
    report.note("verify.draw_unknown", { ...place, search: body["algorithm"] });
    return;
  }
  const { players } = drawn;
  const at = new Map(players.map((player, n) => [player, n]));
  const numbers = (names: readonly string[]): number[] => names.map((name) => at.get(name) ?? at.get(merged.get(name) ?? "") ?? -1);
  const past = played.map((one) => ({ tables: one.tables.map(numbers), byes: numbers(one.out).sort((a, b) => a - b) }));
  const problem = new Problem(body["problem"], unhex(body["seed"], 32), version);
  if (JSON.stringify(problem.past) !== JSON.stringify(past) || problem.players !== at.size || at.size !== players.length) {
    report.differs("", "verify.draw_past", place);
    return;
  }
  const again = seatsAgain(problem);
  const tables = again.tables.map((table) => table.map((p) => players[p]));
  const out = again.byes.map((p) => players[p]);
  if (JSON.stringify([tables, out]) !== JSON.stringify([drawn.tables, drawn.out])) {
    report.differs("", "verify.draw_seats", place);
    return;
  }
  const told = { ...place, players: players.length, wishes: problem.wishes };
  report.check(revealed ? "verify.checked_draw" : "verify.checked_open_draw", told);
}
