/** Who plays as one: pairs as the log tells them, and their rows. docs/verify/threats.md. */

import { list, text, whole, type Json } from "../file/bytes";
import type { Report } from "../report";
import { names, same, type Round } from "../story";
import type { StoredEvent } from "../file/streams";
import type { Tables } from "../tables";

/** The number of a pair, and its players in the order in which they came. */
export interface Pair {
  number: number;
  players: string[];
}

/** Pairs as the log knew them at a moment, by their references. */
export function pairsAt(own: readonly StoredEvent[], moment: string): Map<string, Pair> {
  const found = new Map<string, Pair>();
  for (const { type, body, recordedAt } of own) {
    if (recordedAt > moment) continue;
    if (type === "entrant_formed") found.set(text(body["entrant"]), { number: whole(body["number"]), players: names(body["players"]) });
    else if (type === "entrant_joined") found.get(text(body["entrant"]))?.players.push(text(body["player"]));
    else if (type === "entrant_parted") found.delete(text(body["entrant"]));
  }
  return found;
}

/** Who was entered twice, as the log knew it: the second reference → the one that counts. */
export function mergedAt(own: readonly StoredEvent[], moment: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const { type, body, recordedAt } of own) {
    if (recordedAt > moment) continue;
    if (type === "entries_merged") found.set(text(body["other"]), text(body["player"]));
    else if (type === "entries_parted") found.delete(text(body["other"]));
  }
  return found;
}

/** Two entries are made one only of people who were entered and never sat in one round; rows say the same. */
export function checkMerged(report: Report, tables: Tables, rounds: readonly Round[], own: readonly StoredEvent[]): void {
  const entered = new Set<string>();
  const oneOf = new Map<string, string>();
  const differs = (what: string): void => report.differs("championship", what);
  for (const { type, body, recordedAt } of own) {
    if (type === "entry_added") entered.add(text(body["player"]));
    if (type !== "entries_merged" && type !== "entries_parted") continue;
    const [player, other] = [text(body["player"]), text(body["other"])];
    if (type === "entries_parted") {
      if (oneOf.get(other) !== player) differs("verify.not_merged");
      oneOf.delete(other);
      continue;
    }
    const taken = [...oneOf].flat();
    const free = [player, other].every((one) => entered.has(one) && !taken.includes(one));
    if (player === other || !free) differs("verify.merged");
    oneOf.set(other, player);
    for (const one of rounds) {
      const seated = seatedAt(one, recordedAt);
      if (seated.includes(player) && seated.includes(other)) report.differs("championship", "verify.merged_together", { round: one.number });
    }
  }
  const players = new Map(tables.rows("entry").map((row) => [row["pk"], row["player_ref"]]));
  const rows = tables.rows("entry").filter((row) => (row["merged_into"] ?? null) !== null);
  const told = rows.map((row) => [row["player_ref"], players.get(row["merged_into"]) ?? null]);
  const ordered = (all: unknown[]): string[] => all.map((one) => JSON.stringify(one)).sort();
  if (!same(ordered(told), ordered([...oneOf]))) report.differs("championship.json", "verify.other_merged");
}

/** Who sat at a table of this round, as it was at that moment. */
function seatedAt(one: Round, moment: string): string[] {
  let seats = new Map<string, string>();
  const chair = (table: Json | undefined, seat: Json | undefined): string => `${String(table)} ${String(seat)}`;
  for (const { type, body, recordedAt } of one.stream.events) {
    if (recordedAt > moment) continue;
    if (type === "seats_drawn") {
      const drawn = list(body["tables"]).flatMap((table, at) => names(table).map((player, seat) => [chair(at + 1, seat), player] as const));
      seats = new Map(drawn);
    } else if (type === "draw_undone") seats = new Map();
    else if (type === "chair_taken") seats.set(chair(body["table"], body["seat"]), text(body["player"]));
    else if (type === "seats_exchanged") {
      const [tables, places] = [list(body["tables"]), list(body["seats"])];
      names(body["players"]).forEach((player, at) => seats.set(chair(tables[at], places[at]), player));
    }
  }
  return [...seats.values()];
}

/** Pairs are of people who were entered and free, are parted only before they have played, and their rows are the log's. */
export function checkEntrants(report: Report, tables: Tables, rounds: readonly Round[], own: readonly StoredEvent[]): void {
  const numbers = new Map<Json | undefined, Json | undefined>();
  const gone = new Set<Json | undefined>();
  const pairs = new Map<string, string[]>();
  const differs = (what: string): void => report.differs("championship", what);
  const isFree = (player: string): boolean => numbers.has(player) && !gone.has(player) && ![...pairs.values()].flat().includes(player);
  const present = (players: readonly string[]): number => players.filter((player) => !gone.has(player)).length;
  for (const { type, body, recordedAt } of own) {
    if (type === "entry_added") numbers.set(body["player"], body["number"]);
    else if (type === "entry_withdrawn") gone.add(body["player"]);
    else if (type === "entry_returned") {
      gone.delete(body["player"]);
      const mine = [...pairs.values()].find((players) => players.includes(text(body["player"])));
      if (present(mine ?? []) > 2) differs("verify.pair_joined");
    } else if (type === "entrant_formed") {
      const [entrant, players] = [text(body["entrant"]), names(body["players"])];
      const fits = players.length >= 2 && new Set(players).size === players.length && players.every(isFree);
      if (pairs.has(entrant) || !fits || numbers.get(players[0]) !== body["number"]) differs("verify.pair_formed");
      pairs.set(entrant, players);
    } else if (type === "entrant_joined") {
      const [players, player] = [pairs.get(text(body["entrant"])) ?? [], text(body["player"])];
      if (!isFree(player) || present(players) !== 1) differs("verify.pair_joined");
      players.push(player);
    } else if (type === "entrant_parted") {
      const players = pairs.get(text(body["entrant"]));
      if (players === undefined || rounds.some((one) => hasPlayed(one, players, recordedAt))) differs("verify.pair_parted");
      pairs.delete(text(body["entrant"]));
    }
  }
  checkRows(report, tables, pairsAt(own, "\uffff"));
}

/** Whether one of them had a seat, or sat out, in this round when it was open or closed at that moment. */
function hasPlayed(one: Round, players: readonly string[], moment: string): boolean {
  let seated: string[] = [];
  let opened = false;
  for (const { type, body, recordedAt } of one.stream.events) {
    if (recordedAt > moment) continue;
    if (type === "seats_drawn") [seated, opened] = [names(body["players"]), false];
    else if (type === "round_opened" || type === "draw_undone") opened = type === "round_opened";
  }
  return opened && players.some((player) => seated.includes(player));
}

function checkRows(report: Report, tables: Tables, pairs: ReadonlyMap<string, Pair>): void {
  const members = new Map<Json, string[]>();
  for (const row of tables.rows("entry")) {
    const entrant = row["entrant"] ?? null;
    if (entrant !== null) members.set(entrant, [...(members.get(entrant) ?? []), text(row["player_ref"])]);
  }
  const rows = tables.rows("entrant");
  const told = rows.map((row) => [row["ref"], row["number"], [...(members.get(row["pk"] ?? null) ?? [])].sort()]);
  const wanted = [...pairs].map(([ref, { number, players }]) => [ref, number, [...players].sort()]);
  const listed = [...members.keys()].every((pk) => rows.some((row) => row["pk"] === pk));
  const ordered = (all: unknown[]): string[] => all.map((one) => JSON.stringify(one)).sort();
  if (!listed || !same(ordered(told), ordered(wanted))) report.differs("championship.json", "verify.other_pairs");
}
