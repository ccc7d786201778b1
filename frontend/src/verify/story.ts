/** What the stream of a round tells, followed from its first event to its last. docs/developers/dealing.md. */

import { Unusable, compact, concat, hex, list, text, unhex, whole, type Json, type JsonObject } from "./file/bytes";
import { Chance } from "./chance";
import type { Report } from "./report";
import { sha256 } from "./file/sha2";
import type { StoredEvent, Stream, Streams } from "./file/streams";

export const DRAW_STEP = 10_000;
export const BY_HAND = "by hand";

/** From one commitment to a seed to the next: the seed, once it is revealed, and when both was. */
export interface Chapter {
  committed: Json | undefined;
  committedAt: string;
  seed: Uint8Array | null;
  revealedAt: string;
  entropy: string[];
  begun: boolean;
}

export interface Draw {
  draw: number;
  body: JsonObject;
  players: string[];
  tables: string[][];
  out: string[];
  chapter: Chapter;
  entropy: string[];
}

/** A game of a round: its table, the number of its decks, the seed they come from, and who sat there before the draw was undone. */
export interface Opened {
  place: number;
  number: number;
  chapter: Chapter;
  mode: Json | undefined;
  forehand: { body: JsonObject; entropy: string[] } | null;
  sat: string[] | null;
}

export const names = (value: Json | undefined): string[] => list(value).map(text);
export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The body of a game's first event; nothing where there is none. */
export function started(stream: Stream | undefined): JsonObject {
  const [first] = stream?.events ?? [];
  return first?.type === "game_started" ? first.body : {};
}

export class Round {
  status = "planned";
  draws = 0;
  readonly chapters: Chapter[] = [];
  /** The draw that stands, and who sits where since. */
  draw: Draw | null = null;
  sat: string[][] = [];
  /** Who sits out since, and chair (table seat) → deal → who plays there for another from that deal on. */
  out: string[] = [];
  substitutes = new Map<string, Map<number, string>>();
  /** Who sat down after a draw, or played for another. */
  readonly came: string[] = [];
  /** Game → what it is, of every draw. */
  readonly opened = new Map<string, Opened>();
  /** The games of the draw that stands, in the order of the tables. */
  standing: string[] = [];
  readonly drawn: Draw[] = [];
  readonly where: string;

  constructor(
    readonly stream: Stream,
    readonly number: number,
    private readonly report: Report,
    private readonly streams: Streams,
  ) {
    this.where = `round ${number}`;
    for (const event of stream.events) {
      try {
        this.#follow(event);
      } catch (error) {
        report.broken(`${this.where}, ${event.seq}`, error);
      }
    }
  }

  differs(what: string, params: Record<string, unknown> = {}): void {
    this.report.differs(this.where, what, params);
  }

  /** Who sat at a game of this round, by seat. */
  satAt(game: string): string[] {
    const opened = this.opened.get(game)!;
    return opened.sat ?? this.sat[opened.place - 1] ?? [];
  }

  #follow(event: StoredEvent): void {
    const { type, body } = event;
    if (type === "seed_committed") this.#commit(event);
    else if (type === "entropy_added") this.#add(body);
    else if (type === "seed_revealed") this.#reveal(event);
    else if (type === "seats_drawn") this.#seat(body);
    else if (type === "draw_undone") this.#undo(body);
    else if (type === "forehand_drawn") this.#first(body);
    else if (type === "seats_exchanged") this.#exchange(body);
    else if (type === "chair_taken") this.#take(event);
    else if (type === "substitute_named") this.#stepIn(body);
    else if (type === "round_opened") this.#open(body);
    else if (type === "round_closed") this.#close();
    else if (type === "round_reopened") {
      if (this.status !== "closed") this.differs("verify.not_closed");
      this.status = "open";
    }
  }

  get #now(): Chapter {
    const now = this.chapters.at(-1);
    if (now === undefined) throw new Unusable("verify.no_seed");
    return now;
  }

  #commit({ body, commitments, recordedAt }: StoredEvent): void {
    if (this.chapters.at(-1)?.seed === null) this.differs("verify.seed_renewed");
    if (body["algorithm"] !== "puur/draw/1" || body["single"]) this.differs("verify.other_chance");
    const committed = { committed: commitments["seed"], committedAt: recordedAt };
    this.chapters.push({ ...committed, seed: null, revealedAt: "", entropy: [], begun: false });
  }

  #add(body: JsonObject): void {
    this.#now.entropy.push(text(body["entropy"]));
    if (this.#now.begun || this.#now.seed !== null) this.differs("verify.late_entropy");
  }

  #reveal({ body, recordedAt }: StoredEvent): void {
    const now = this.#now;
    const seed = unhex(body["seed"], 32);
    if (now.seed !== null) this.differs("verify.revealed_twice");
    if (hex(sha256(concat(unhex(body["nonce"], 32), compact(body["seed"])))) !== now.committed) this.differs("verify.seed");
    now.seed = seed;
    now.revealedAt = recordedAt;
  }

  #seat(body: JsonObject): void {
    const n = ++this.draws;
    const now = this.#now;
    const byHand = body["seed"] === "";
    const draw = {
      draw: whole(body["draw"]),
      body,
      players: names(body["players"]),
      tables: list(body["tables"]).map(names),
      out: names(body["sit_out"]),
      chapter: now,
      entropy: [...now.entropy],
    };
    if (this.status !== "planned" || draw.draw !== n) this.differs("verify.draw_stands", { n: draw.draw });
    if (now.seed !== null && !byHand) this.differs("verify.seed_public");
    if (byHand !== (body["algorithm"] === BY_HAND)) this.differs("verify.draw_no_seed", { n });
    const seated = [...draw.tables.flat(), ...draw.out].sort();
    if (!same(seated, [...new Set(draw.players)].sort())) this.differs("verify.draw_everybody", { n });
    this.status = "drawn";
    this.draw = draw;
    this.standing = [];
    this.sat = draw.tables.map((table) => [...table]);
    this.out = [...draw.out];
    this.substitutes = new Map();
    this.drawn.push(draw);
  }

  #undo(body: JsonObject): void {
    if (!["drawn", "open"].includes(this.status) || body["draw"] !== this.draws) this.differs("verify.undone");
    for (const opened of this.opened.values()) opened.sat ??= this.sat[opened.place - 1] ?? [];
    this.status = "planned";
    this.draw = null;
    this.sat = [];
    this.out = [];
    this.substitutes = new Map();
    this.standing = [];
  }

  #first(body: JsonObject): void {
    const now = this.#now;
    const number = whole(body["number"], 1);
    const place = ((number - 1) % DRAW_STEP) + 1;
    const game = text(body["game"]);
    now.begun = true;
    if (now.seed !== null) this.differs("verify.seed_public");
    if (this.status !== "drawn" || number !== this.#numberOf(place)) this.differs("verify.other_cards", { n: place });
    if (this.opened.has(game)) this.differs("verify.forehand_twice", { n: place });
    const forehand = { body, entropy: [...now.entropy] };
    this.opened.set(game, { place, number, chapter: now, mode: undefined, forehand, sat: null });
    const table = this.sat[place - 1];
    if (table === undefined) throw new Unusable("verify.other_tables");
    if (body["exchanged"] !== true) return;
    const seat = whole(body["dealer"], 0);
    swap(table, seat, table, (seat + 2) % table.length);
  }

  #exchange(body: JsonObject): void {
    if (!["drawn", "open"].includes(this.status)) {
      this.differs("verify.nobody_sat");
      return;
    }
    const [one, other] = list(body["tables"]).map((number) => this.sat[whole(number, 1) - 1]);
    const [seat, second] = list(body["seats"]).map((chair) => whole(chair, 0));
    const there = one?.[seat!] !== undefined && other?.[second!] !== undefined;
    if (there) swap(one, seat!, other, second!);
    if (!there || !same([one[seat!], other[second!]], body["players"])) this.differs("verify.chairs", { round: this.number });
  }

  #take({ body, recordedAt }: StoredEvent): void {
    const [number, at] = [whole(body["table"], 1), whole(body["seat"], 0)];
    const [player, instead] = [text(body["player"]), text(body["instead"])];
    const more = this.status === "drawn" && instead === "" && at === 0 && number === this.sat.length + 1;
    if (more) this.sat.push([]); // people who came late make a table with those who sat out
    const table = this.sat[number - 1] ?? [];
    const begun = this.status === "open" && (instead === "" || this.#written(this.standing[number - 1], recordedAt));
    if (!["drawn", "open"].includes(this.status) || begun || (table[at] ?? "") !== instead || at > table.length) {
      this.differs("verify.chair_not_free");
      return;
    }
    if ((table.length === 0 && !more) || this.sat.flat().includes(player)) {
      this.differs("verify.two_chairs");
      return;
    }
    table[at] = player;
    this.out = this.out.filter((other) => other !== player);
    if (body["sits_out"] === true && instead !== "") this.out.push(instead);
    this.substitutes.delete(`${number} ${at}`);
    this.came.push(player);
  }

  /** Whether anything was entered in this game before. */
  #written(game: string | undefined, moment: string): boolean {
    const [, ...events] = this.streams.get(game ?? "")?.events ?? [];
    return events.some((event) => event.recordedAt < moment);
  }

  #stepIn(body: JsonObject): void {
    const [number, seat, deal] = [whole(body["table"], 1), whole(body["seat"], 0), whole(body["deal"], 1)];
    const [player, instead, chair] = [text(body["player"]), text(body["instead"]), `${number} ${seat}`];
    if (!["drawn", "open"].includes(this.status) || number > this.sat.length) {
      this.differs("verify.nobody_sat");
      return;
    }
    const others = [...this.substitutes].flatMap(([at, told]) => (at === chair || told.size === 0 ? [] : told.get(Math.max(...told.keys()))!));
    others.push(...this.sat.flat().filter((other) => other !== instead));
    if (this.sat[number - 1]![seat] !== instead || others.includes(player)) this.differs("verify.substitute");
    const told = new Map([...(this.substitutes.get(chair) ?? [])].filter(([n]) => n < deal));
    if (told.size > 0 || player !== instead) told.set(deal, player);
    this.substitutes.set(chair, told);
    this.came.push(player);
  }

  #open(body: JsonObject): void {
    const now = this.#now;
    const [games, modes] = [names(body["games"]), names(body["modes"])];
    now.begun = true;
    const fits = games.length === modes.length && games.length === this.sat.length && games.length === new Set(games).size;
    if (this.status !== "drawn" || !fits) this.differs("verify.other_tables");
    games.forEach((game, at) => {
      const n = at + 1;
      const number = this.#numberOf(n);
      const opened = this.opened.get(game) ?? { place: n, number, chapter: now, mode: undefined, forehand: null, sat: null };
      this.opened.set(game, opened);
      if (opened.number !== number || opened.mode !== undefined) this.differs("verify.other_cards", { n });
      opened.mode = started(this.streams.get(game))["mode"] ?? null;
      if (opened.mode !== modes[at]) this.differs("verify.other_mode", { n });
      if (opened.mode === "dealt" && now.seed !== null) this.differs("verify.seed_public");
    });
    this.status = "open";
    this.standing = games;
  }

  #close(): void {
    if (this.status !== "open") this.differs("verify.not_open");
    if (this.#now.seed === null) this.differs("verify.not_revealed");
    this.status = "closed";
  }

  #numberOf(place: number): number {
    return (this.draws - 1) * DRAW_STEP + place;
  }
}

export const chanceOf = (chapter: Chapter, entropy: readonly string[] = chapter.entropy): Chance => new Chance(chapter.seed!, entropy);

function swap(one: string[], seat: number, other: string[], second: number): void {
  if (one[seat] === undefined || other[second] === undefined) throw new Unusable("verify.fields");
  [one[seat], other[second]] = [other[second], one[seat]];
}

/** What happened in each round, in the order of their numbers. */
export function readRounds(report: Report, streams: Streams, rows: readonly JsonObject[]): Round[] {
  const file = "championship.json";
  const listed = [...rows].sort((one, other) => whole(one["number"]) - whole(other["number"])).map((row) => [whole(row["number"]), text(row["stream"])] as const);
  const ids = listed.map(([, id]) => id);
  const all = [...streams.values()].filter((stream) => stream.kind === "round");
  const numbered = listed.every(([number], at) => number === at + 1);
  const there = ids.every((id) => streams.get(id)?.kind === "round");
  // Planned and given up again before it was drawn: no round of the list, and nothing happened in it.
  const idle = all.filter(({ id }) => !ids.includes(id)).every((one) => one.events.every(({ type }) => ["seed_committed", "entropy_added"].includes(type)));
  if (!numbered || !there || new Set(ids).size < ids.length || !idle) report.differs(file, "verify.rounds_gone");
  const made = ids.flatMap((id) => streams.get(id)?.events[0]?.recordedAt ?? []);
  if (!same(made, [...made].sort())) report.differs(file, "verify.rounds_order");
  const rounds = listed.filter(([, id]) => streams.get(id)?.kind === "round").map(([number, id]) => new Round(streams.get(id)!, number, report, streams));
  const committed = all.flatMap((one) => one.events.filter(({ type }) => type === "seed_committed").map((event) => event.commitments["seed"]));
  const seeds = rounds.flatMap((one) => one.chapters.flatMap(({ seed }) => (seed === null ? [] : hex(seed))));
  if (new Set(committed).size < committed.length || new Set(seeds).size < seeds.length) report.differs("", "verify.one_seed");
  return rounds;
}
