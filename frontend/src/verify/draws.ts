/** Every draw of seats made again, also of rounds still secret: its seed and what it started from are in the open. */

import { unhex, type JsonObject } from "./bytes";
import { Problem } from "./problem";
import type { Report } from "./report";
import { SEARCH, seatsAgain } from "./seats";
import { BY_HAND, type Round } from "./story";

interface Drawn {
  players: string[];
  tables: string[][];
  out: string[];
}

export function checkDraws(report: Report, rounds: readonly Round[]): void {
  if (report.differences.length) {
    report.note("verify.no_draws");
    return;
  }
  const played: Drawn[] = [];
  for (const one of rounds) {
    for (const drawn of one.drawn) {
      try {
        checkDraw(report, { round: one.number, n: drawn.draw }, drawn.body, drawn, played, drawn.chapter.seed !== null);
      } catch (error) {
        report.broken(one.where, error);
      }
    }
    if (one.draw !== null) played.push({ players: one.draw.players, tables: one.sat, out: one.out });
  }
}

/** One draw: from the rounds before it and its seed to its seats. Says what could be drawn again. */
function checkDraw(
  report: Report,
  place: { round: number; n: number },
  body: JsonObject,
  drawn: Drawn,
  played: readonly Drawn[],
  revealed: boolean,
): void {
  if (body["algorithm"] === BY_HAND) {
    report.note("verify.draw_by_hand", place);
    return;
  }
  if (body["algorithm"] !== SEARCH) {
    report.note("verify.draw_unknown", { ...place, search: body["algorithm"] });
    return;
  }
  const { players } = drawn;
  const at = new Map(players.map((player, n) => [player, n]));
  const numbers = (names: readonly string[]): number[] => names.map((name) => at.get(name) ?? -1);
  const past = played.map((one) => ({ tables: one.tables.map(numbers), byes: numbers(one.out).sort((a, b) => a - b) }));
  const problem = new Problem(body["problem"], unhex(body["seed"], 32));
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
