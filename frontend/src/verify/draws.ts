/** Every draw of seats made again, also of rounds still secret: its seed and what it started from are in the open. */

import { list, text, unhex, whole, type Json, type JsonObject } from "./bytes";
import { Problem } from "./problem";
import type { Report } from "./report";
import { DRAW_STEP } from "./rounds";
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
    const round = whole(row["number"]);
    let standing: Drawn | null = null;
    for (const { type, body } of stream.events) {
      try {
        if (type === "draw_undone") standing = null;
        else if (type === "seats_drawn") {
          const names = (value: Json | undefined): string[] => list(value).map(text);
          standing = { players: names(body["players"]), tables: list(body["tables"]).map(names), out: names(body["sit_out"]) };
          checkDraw(report, { round, n: whole(body["draw"]) }, body, standing, played, revealed);
        } else if (standing !== null && (type === "forehand_drawn" || type === "seats_exchanged")) {
          if (!changeChairs(standing.tables, type, body)) report.differs("", "verify.chairs", { round });
        }
      } catch (error) {
        report.broken(`round ${round}`, error);
      }
    }
    if (standing !== null) played.push(standing);
  }
}

/**
 * Who has changed chairs after the draw: the opponents of forehand, so that the one who drew higher deals, or two
 * who sat otherwise in the hall. Whether they end where the event says.
 */
function changeChairs(tables: string[][], type: string, body: JsonObject): boolean {
  const exchange = (one: string[], seat: number, other: string[], second: number): void => {
    [one[seat], other[second]] = [other[second]!, one[seat]!];
  };
  if (type === "forehand_drawn") {
    const dealer = whole(body["dealer"], 0);
    const table = tables[(whole(body["number"]) - 1) % DRAW_STEP];
    if (table === undefined) return false;
    if (body["exchanged"] === true) exchange(table, dealer, table, (dealer + 2) % table.length);
    return true;
  }
  const [one, other] = list(body["tables"]).map((number) => tables[whole(number) - 1]);
  const [seat, second] = list(body["seats"]).map((chair) => whole(chair, 0));
  if (one === undefined || other === undefined || one[seat!] === undefined || other[second!] === undefined) return false;
  exchange(one, seat!, other, second!);
  return JSON.stringify([one[seat!], other[second!]]) === JSON.stringify(body["players"]);
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
