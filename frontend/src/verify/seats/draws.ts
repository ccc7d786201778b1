/** Every draw of seats made again, also of rounds still secret: its seed and what it started from are in the open. */

import { unhex, type JsonObject } from "../file/bytes";
import { mergedAt } from "./entrants";
import { Problem } from "./problem";
import type { Report } from "../report";
import { SEARCHES, seatsAgain } from "./seats";
import { checkStart, wishesOf } from "./starts";
import { BY_HAND, type Round } from "../story";
import type { StoredEvent } from "../file/streams";
import type { Tables } from "../tables";

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
  let [known, wishes] = [0, 0];
  for (const one of rounds) {
    for (const drawn of one.drawn) {
      try {
        const told = one.stream.events.find(({ type, body }) => type === "seats_drawn" && body["draw"] === drawn.draw)!;
        const merged = mergedAt(own, told.recordedAt);
        const place = { round: one.number, n: drawn.draw };
        if (SEARCHES.includes(String(drawn.body["algorithm"]))) {
          known += 1;
          wishes += wishesOf(drawn.body);
          checkStart(report, tables, drawn, place, own, told.recordedAt);
        }
        checkDraw(report, place, drawn.body, drawn, played, drawn.chapter.seed !== null, merged);
      } catch (error) {
        report.broken(one.where, error);
      }
    }
    if (one.draw !== null) played.push({ players: one.draw.players, tables: one.sat, out: one.out });
  }
  if (known) report.leaves("verify.draw_unproven", { n: known, wishes });
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
  const told = { ...place, players: players.length, wishes: wishesOf(body) };
  report.check(revealed ? "verify.checked_draw" : "verify.checked_open_draw", told);
}
