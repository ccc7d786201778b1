/** Every draw of seats made again, also of rounds still secret: its seed and what it started from are in the open. */

import { list, text, unhex, whole, type Json, type JsonObject } from "./bytes";
import { Problem } from "./problem";
import type { Report } from "./report";
import { SEARCH, seatsAgain } from "./seats";
import type { Streams } from "./streams";

interface Drawn {
  players: string[];
  tables: string[][];
  out: string[];
}

/** `rounds`: the rows of the rounds, which say in which order they were. */
export function checkDraws(report: Report, streams: Streams, rounds: readonly JsonObject[]): void {
  if (report.differences.length) {
    report.note("verify.no_draws");
    return;
  }
  const all = [...streams.values()].filter((stream) => stream.kind === "round").map((stream) => stream.id);
  if (all.sort().join() !== rounds.map((row) => text(row["stream"])).sort().join()) {
    report.differs("championship.json", "verify.rounds_gone");
    return;
  }
  const played: Drawn[] = [];
  for (const row of [...rounds].sort((one, other) => whole(one["number"]) - whole(other["number"]))) {
    const stream = streams.get(text(row["stream"]))!;
    const revealed = stream.events.some((event) => event.type === "seed_revealed");
    let standing: Drawn | null = null;
    for (const { type, body } of stream.events) {
      if (type === "draw_undone") standing = null;
      if (type !== "seats_drawn") continue;
      const names = (value: Json | undefined): string[] => list(value).map(text);
      standing = { players: names(body["players"]), tables: list(body["tables"]).map(names), out: names(body["sit_out"]) };
      const place = { round: whole(row["number"]), n: whole(body["draw"]) };
      try {
        checkDraw(report, place, body, standing, played, revealed);
      } catch (error) {
        report.broken(`round ${place.round}, ${place.n}`, error);
      }
    }
    if (standing !== null) played.push(standing);
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
  if (body["algorithm"] === "by hand") {
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
