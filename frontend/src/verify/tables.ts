/** The tables beside the log say what the log says, as far as that says it. docs/verify/threats.md. */

import { Unusable, fields, list, text, whole, type Json, type JsonObject } from "./file/bytes";
import { checkEntrants, checkMerged } from "./seats/entrants";
import type { Export } from "./file/export";
import { same, started, type Round } from "./story";
import type { StoredEvent, Streams } from "./file/streams";

const TABLES = ["championship", "regulations", "entry", "round", "game", "seat", "table", "seating", "sitout", "standingssnapshot"];
const COUNTS = ["deal_scored", "result_entered", "result_corrected", "ruling_made", "game_ended"];
const FILE = "championship.json";

/** Rows of the tables beside the log. */
export class Tables {
  constructor(private readonly told: JsonObject) {}

  static async of(file: Export): Promise<Tables> {
    const found = await file.lines(FILE);
    if (found.length !== 1) throw new Unusable("verify.fields");
    return new Tables(fields(found[0], Object.keys(Object(found[0]))));
  }

  rows(table: string): JsonObject[] {
    return list(this.told[table] ?? []).map((row) => fields(row, Object.keys(Object(row))));
  }

  get missing(): string[] {
    return TABLES.filter((table) => !Object.hasOwn(this.told, table));
  }
}

/** The same whatever the order of keys is. */
function alike(one: Json | undefined, other: Json | undefined): boolean {
  const sorted = (value: Json): Json =>
    Array.isArray(value)
      ? value.map(sorted)
      : value !== null && typeof value === "object"
        ? Object.keys(value)
            .sort()
            .map((key) => [key, sorted(value[key]!)])
        : value;
  return same(sorted(one ?? null), sorted(other ?? null));
}

const ordered = <T>(rows: T[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

export function checkTables(file: Export, tables: Tables, streams: Streams, rounds: readonly Round[], own: readonly StoredEvent[]): void {
  const { report } = file;
  if (tables.missing.length) report.differs(FILE, "verify.tables_gone", { names: tables.missing.join(", ") });
  for (const table of TABLES) {
    const rows = tables.rows(table);
    if (new Set(rows.map((row) => row["pk"])).size < rows.length) report.differs(FILE, "verify.row_twice");
  }
  const told = (type: string): JsonObject[] => own.filter((event) => event.type === type).map((event) => event.body);
  const sets = told("regulations_set");
  checkRegulations(file, tables, sets, told("regulations_frozen"), told("championship_finished").length > 0);
  const planned = told("rounds_planned").at(-1)?.["rounds"] ?? (sets.at(-1)?.["regulations"] as JsonObject | undefined)?.["rounds"];
  if (tables.rows("round").length !== planned) file.report.differs(FILE, "verify.rounds_planned", { n: tables.rows("round").length, planned });
  const added = told("entry_added");
  checkEntries(file, tables, added, rounds);
  checkEntrants(report, tables, rounds, own);
  checkMerged(report, tables, rounds, own);
  checkRows(file, tables, rounds);
  checkGameRows(file, tables, streams, rounds, sets.at(-1)?.["regulations"] as JsonObject | undefined);
  report.check("verify.checked_tables", { entries: added.length, tables: tables.rows("table").length });
  const house = tables.rows("entry").filter((row) => row["house"] !== false).length;
  if (house) report.leaves("verify.house", { n: house });
  const bots = tables.rows("seat").filter((row) => row["bot"] !== "").length;
  if (bots) report.leaves("verify.bots", { n: bots });
}

function checkRegulations(file: Export, tables: Tables, sets: readonly JsonObject[], frozen: readonly JsonObject[], finished: boolean): void {
  const versions = sets.map((body) => body["version"]);
  const fixed = frozen.map((body) => body["version"]);
  const standing = fixed.length === 0 || (fixed.length === 1 && fixed[0] === versions.at(-1));
  if (!versions.every((version, at) => version === at + 1) || !standing) file.report.differs("championship", "verify.regulations_moved");
  const status = finished ? "finished" : fixed.length ? "running" : "draft";
  const rows = tables.rows("championship").map((row) => [row["stream"], row["slug"], row["regulations_version"], row["status"]]);
  if (!same(rows, [[file.championship, file.slug, versions.at(-1) ?? null, status]])) file.report.differs(FILE, "verify.other_championship");
  const written = tables.rows("regulations");
  const fits = sets.every((body) => {
    const row = written.find((one) => one["version"] === body["version"]);
    const isFixed = fixed.includes(body["version"]);
    return row !== undefined && alike(row["data"], body["regulations"]) && (row["frozen_at"] !== null) === isFixed;
  });
  if (!fits || written.length !== sets.length) file.report.differs(FILE, "verify.other_regulations");
}

function checkEntries(file: Export, tables: Tables, added: readonly JsonObject[], rounds: readonly Round[]): void {
  const wanted = added.map((body) => [body["number"], body["player"]]);
  const there = tables.rows("entry").map((row) => [row["number"], row["player_ref"]]);
  if (!same(ordered(there), ordered(wanted))) file.report.differs(FILE, "verify.other_entries");
  const entered = new Set(added.map((body) => body["player"]));
  if (new Set(added.map((body) => body["number"])).size < added.length || entered.size < added.length) file.report.differs("championship", "verify.entered_twice");
  for (const one of rounds) {
    for (const { draw, players } of one.drawn) if (!players.every((player) => entered.has(player))) one.differs("verify.never_entered", { n: draw });
    if (!one.came.every((player) => entered.has(player))) one.differs("verify.came_unknown");
  }
}

/** Rounds, their tables, and who sits there. */
function checkRows(file: Export, tables: Tables, rounds: readonly Round[]): void {
  const players = new Map(tables.rows("entry").map((row) => [row["pk"], row["player_ref"]]));
  const ofRound = new Map(tables.rows("round").map((row) => [row["pk"], row]));
  for (const [pk, row] of ofRound) {
    const one = rounds.find((round) => round.stream.id === row["stream"]);
    if (one === undefined) continue;
    if (row["status"] !== one.status || row["draws"] !== one.draws) one.differs("verify.round_status");
    const mine = (table: string): JsonObject[] => tables.rows(table).filter((other) => other["round"] === pk && (other["undone"] ?? null) === null); // kept for what a referee decided there
    const drawn = new Map(mine("table").map((table) => [table["pk"], whole(table["number"])]));
    if (!same([...drawn.values()].sort((a, b) => a - b), one.sat.map((_, at) => at + 1))) one.differs("verify.round_tables");
    const there = mine("table").filter((table) => table["game"] !== null);
    const wanted = one.standing.map((game, at) => [at + 1, game, one.opened.get(game)!.mode]);
    const games = ordered(there.map((table) => [table["number"], table["game"], table["mode"]]));
    if (["open", "closed"].includes(one.status) && !same(games, ordered(wanted))) one.differs("verify.round_games");
    const sat = mine("seating").map((seating) => [drawn.get(seating["table"]!) ?? 0, seating["seat"], players.get(seating["entry"]!)]);
    if (!same(ordered(sat), ordered(one.sat.flatMap((table, at) => table.map((player, seat) => [at + 1, seat, player]))))) one.differs("verify.round_seats");
    const out = mine("sitout").map((sitOut) => players.get(sitOut["entry"]!));
    if (!same(ordered(out), ordered(one.out))) one.differs("verify.round_out");
    const plays = tables.rows("substitute").filter((row) => drawn.has(row["table"]!));
    const rows = plays.map((row) => [drawn.get(row["table"]!), row["seat"], row["deal"], players.get(row["entry"]!)]);
    const named = [...one.substitutes].flatMap(([chair, by]) => [...by].map(([deal, player]) => [...chair.split(" ").map(Number), deal, player]));
    if (!same(ordered(rows), ordered(named))) one.differs("verify.round_substitutes");
  }
  for (const table of ["table", "seating", "sitout"]) {
    if (!tables.rows(table).every((row) => ofRound.has(row["round"]))) file.report.differs(FILE, "verify.row_round", { table });
  }
}

function checkGameRows(file: Export, tables: Tables, streams: Streams, rounds: readonly Round[], regulations: JsonObject | undefined): void {
  const { report } = file;
  const games = tables.rows("game");
  const ids = [...streams.values()].filter((stream) => stream.kind === "game").map((stream) => stream.id);
  if (!same(ordered(games.map((row) => row["pk"])), ordered(ids))) report.differs(FILE, "verify.other_games");
  const belongs = rounds.flatMap((one) => [...one.opened.keys()]);
  if (new Set(belongs).size < belongs.length) report.differs("", "verify.game_twice");
  const seats = new Map<Json | undefined, Map<Json | undefined, Json | undefined>>();
  for (const row of tables.rows("seat")) seats.set(row["game"], (seats.get(row["game"]) ?? new Map()).set(row["number"], row["player_ref"]));
  const options = new Map<Json | undefined, Json | undefined>();
  for (const row of games) {
    const id = text(row["pk"]);
    const where = `game ${id}`;
    const start = started(streams.get(id));
    const one = rounds.find((round) => round.stream.id === row["round_stream"]);
    const fits = start["variant"] === row["variant"] && start["mode"] === row["mode"] && start["seats"] === row["seat_count"];
    if (!fits || !alike(start["options"], row["options"])) report.differs(where, "verify.other_game");
    const opened = one?.opened.get(id);
    if (one === undefined || opened === undefined) {
      const counts = streams.get(id)?.events.some(({ type }) => COUNTS.includes(type)) ?? true;
      if (one === undefined || counts) report.differs(where, "verify.no_round");
      else report.note("verify.game_undone", { game: id });
    } else {
      if (row["number"] !== opened.number) report.differs(where, "verify.game_number");
      const sat = one.satAt(id);
      const there = seats.get(id);
      if (there?.size !== sat.length || !sat.every((player, seat) => there.get(seat) === player)) report.differs(where, "verify.game_people");
    }
    if (regulations !== undefined && !playsBy(start, row, regulations)) report.differs(where, "verify.not_by_regulations");
    if (!options.has(start["seats"])) options.set(start["seats"], start["options"]);
    if (!alike(start["options"], options.get(start["seats"]))) report.differs(where, "verify.other_rules");
  }
  if ([...seats.keys()].some((game) => !games.some((row) => row["pk"] === game))) report.differs(FILE, "verify.no_game_seats");
}

/** Whether this is a table of three beside tables of four. */
export function isOfThree(start: JsonObject, regulations: JsonObject): boolean {
  return start["seats"] === 3 && (regulations["play"] as JsonObject)["seats"] === 4;
}

/** Whether a game was begun as the regulations say; what a preset means is the platform's to say. */
function playsBy(start: JsonObject, row: JsonObject, regulations: JsonObject): boolean {
  const play = regulations["play"] as JsonObject;
  const options = (start["options"] ?? {}) as JsonObject;
  const wanted = { ...(play["options"] as JsonObject) };
  const ofThree = isOfThree(start, regulations);
  // At a table of three each deals as often as at one of four.
  const deals = ofThree ? Math.floor((whole(regulations["deals"]) * 3) / 4) : whole(regulations["deals"]);
  if (Object.hasOwn(options, "deals") && deals !== 0) wanted["deals"] = deals;
  return (
    start["variant"] === play["variant"] &&
    (start["seats"] === play["seats"] || ofThree) &&
    row["preset"] === (play["preset"] ?? "") &&
    (start["won_before"] ?? null) === null &&
    !start["written_scores"] &&
    (start["mode"] !== "sheet" || sheetBy(start, regulations)) &&
    Object.entries(wanted).every(([name, value]) => Object.hasOwn(options, name) && alike(options[name], value))
  );
}

/** Whether a sheet takes and is confirmed by what the regulations say; one begun before they said anything of it takes deals. */
const sheetBy = (start: JsonObject, regulations: JsonObject): boolean =>
  (start["hand_in"] ?? "deals") === (regulations["hand_in"] ?? "deals") && (start["confirmation"] ?? "paper") === (regulations["confirmation"] ?? "paper");

/** Names may be taken away; who is in the file is somebody whom the log knows by a number. And what this verifier cannot know. */
export async function checkNames(file: Export, tables: Tables): Promise<void> {
  if (file.has("names.json")) {
    const [names] = (await file.lines("names.json")) as (JsonObject | undefined)[];
    const known = new Set(tables.rows("entry").map((row) => String(row["pk"])));
    if (!Object.keys(Object(names?.["entry"])).every((pk) => known.has(pk))) file.report.differs("names.json", "verify.names_unknown");
  }
  file.report.leaves("verify.not_sealed_names");
  file.report.leaves("verify.rules_elsewhere");
}

/** In a backup: which events each command caused, as the envelopes say. */
export async function checkReceipts(file: Export, streams: Streams): Promise<void> {
  if (!file.listed().includes("receipts.jsonl")) return;
  const told = (await file.lines("receipts.jsonl")).map((line) => {
    const one = line as JsonObject;
    return [one["stream"], one["command_id"], one["first_seq"], one["count"]];
  });
  const found: [string, string, number, number][] = [];
  for (const stream of streams.values()) {
    for (const { commandId, seq } of stream.events) {
      const last = found.at(-1);
      if (last !== undefined && last[0] === stream.id && last[1] === commandId) last[3]++;
      else found.push([stream.id, commandId, seq, 1]);
    }
  }
  if (!same(ordered(told), ordered(found))) file.report.differs("receipts.jsonl", "verify.receipts");
}
