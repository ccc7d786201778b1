/** A round's event stream, as far as its cards follow from it: seeds, draws, tables. docs/developers/dealing.md. */

import { Unusable, compact, concat, hex, list, text, unhex, whole, type Json, type JsonObject } from "./file/bytes";
import { Chance } from "./chance";
import type { Report } from "./report";
import { sha256 } from "./file/sha2";
import type { StoredEvent, Stream, Streams } from "./file/streams";

const DRAW_STEP = 10_000;
const BY_HAND = "by hand";

/** The events from one commitment to the next: the seed once it is revealed, and the times of both. */
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
  /** Of its seed: seats of the round, or tables from the queue of a session. */
  purpose: "pairing" | "queue";
  seed: string;
  chapter: Chapter;
  entropy: string[];
}

/** A game of a round: its table, the number of its decks and the seed they come from. */
export interface Opened {
  place: number;
  number: number;
  chapter: Chapter;
  mode: Json | undefined;
  forehand: { body: JsonObject; entropy: string[] } | null;
}

export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The body of a game's first event; nothing without one. */
export function started(stream: Stream | undefined): JsonObject {
  const [first] = stream?.events ?? [];
  return first?.type === "game_started" ? first.body : {};
}

export class Round {
  readonly chapters: Chapter[] = [];
  /** Game id → its table, decks and seed. */
  readonly opened = new Map<string, Opened>();
  readonly drawn: Draw[] = [];
  readonly where: string;
  #tables = 0;
  #draws = 0;
  /** Forehands drawn since the last draw. */
  #forehands = 0;

  constructor(
    readonly stream: Stream,
    readonly number: number,
    private readonly report: Report,
    private readonly streams: Streams,
    /** Whether all tables play the decks of table 1. */
    private readonly sameCards = false,
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

  #follow(event: StoredEvent): void {
    const { type, body } = event;
    if (type === "seed_committed") this.#commit(event);
    else if (type === "entropy_added") this.#addEntropy(body);
    else if (type === "seed_revealed") this.#reveal(event);
    else if (type === "seats_drawn") this.#drawSeats(body);
    else if (type === "tables_drawn") this.#addTables(body);
    else if (type === "table_taken_back") this.#tables--;
    else if (type === "forehand_drawn") this.#drawForehand(body);
    else if (type === "chair_taken" && whole(body["table"], 1) === this.#tables + 1) this.#tables++; // one more table, for people who came late
    else if (type === "round_opened") this.#open(body);
    else if (type === "table_opened") this.#openTable(whole(body["table"], 1), text(body["game"]), body["mode"]);
    else if (type === "round_closed" && this.#now.seed === null) this.differs("verify.not_revealed");
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

  #addEntropy(body: JsonObject): void {
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

  #drawSeats(body: JsonObject): void {
    const draw = whole(body["draw"]);
    const now = this.#now;
    const seed = text(body["seed"]);
    this.#draws++;
    this.#forehands = 0;
    this.#tables = list(body["tables"]).length;
    if (draw !== this.#draws) this.differs("verify.draw_stands", { n: draw });
    if (now.seed !== null && seed !== "") this.differs("verify.seed_public");
    if ((seed === "") !== (body["algorithm"] === BY_HAND)) this.differs("verify.draw_no_seed", { n: draw });
    this.drawn.push({ draw, purpose: "pairing", seed, chapter: now, entropy: [...now.entropy] });
  }

  /** Tables from the queue of an open session. */
  #addTables(body: JsonObject): void {
    const now = this.#now;
    const draw = whole(body["draw"]);
    if (whole(body["first"], 1) !== this.#tables + 1) this.differs("verify.other_tables");
    if (now.seed !== null) this.differs("verify.seed_public");
    this.#tables += list(body["tables"]).length;
    this.drawn.push({ draw, purpose: "queue", seed: text(body["seed"]), chapter: now, entropy: [...now.entropy] });
  }

  #drawForehand(body: JsonObject): void {
    const now = this.#now;
    const number = whole(body["number"], 1);
    this.#forehands++; // tables are opened in their order, a late one after all others
    const place = this.sameCards ? Math.min(this.#forehands, this.#tables) : ((number - 1) % DRAW_STEP) + 1;
    const game = text(body["game"]);
    now.begun = true;
    if (now.seed !== null) this.differs("verify.seed_public");
    if (number !== this.#numberOf(place) || place > this.#tables) this.differs("verify.other_cards", { n: place });
    if (this.opened.has(game)) this.differs("verify.forehand_twice", { n: place });
    this.opened.set(game, { place, number, chapter: now, mode: undefined, forehand: { body, entropy: [...now.entropy] } });
  }

  #open(body: JsonObject): void {
    const now = this.#now;
    const [games, modes] = [list(body["games"]).map(text), list(body["modes"]).map(text)];
    now.begun = true;
    const fits = games.length === modes.length && games.length === this.#tables && games.length === new Set(games).size;
    if (!fits) this.differs("verify.other_tables");
    games.forEach((game, at) => this.#openTable(at + 1, game, modes[at]));
  }

  /** The game of table `n`; people who come late add one more while the round is open. */
  #openTable(n: number, game: string, mode: Json | undefined): void {
    const now = this.#now;
    const number = this.#numberOf(n);
    const opened = this.opened.get(game) ?? { place: n, number, chapter: now, mode: undefined, forehand: null };
    this.opened.set(game, opened);
    if (n > this.#tables) this.differs("verify.other_tables");
    if (opened.number !== number || opened.mode !== undefined) this.differs("verify.other_cards", { n });
    opened.mode = started(this.streams.get(game))["mode"] ?? null;
    if (opened.mode !== mode) this.differs("verify.other_mode", { n });
    if (opened.mode === "dealt" && now.seed !== null) this.differs("verify.seed_public");
  }

  #numberOf(place: number): number {
    return (this.#draws - 1) * DRAW_STEP + (this.sameCards ? 1 : place);
  }
}

export const chanceOf = (chapter: Chapter, entropy: readonly string[] = chapter.entropy): Chance => new Chance(chapter.seed!, entropy);

/** Whether all tables of a round play the same decks, by the last regulations. */
function playsSameCards(streams: Streams): boolean {
  const own = [...streams.values()].find(({ kind }) => kind === "championship");
  const last = own?.events.filter(({ type }) => type === "regulations_set").at(-1);
  return (last?.body["regulations"] as JsonObject | undefined)?.["same_cards"] === true;
}

/** Every round with draws, in the order of the commitments to their seeds. */
export function readRounds(report: Report, streams: Streams): Round[] {
  const all = [...streams.values()].filter((stream) => stream.kind === "round");
  const begun = all.filter(({ events }) => events.some(({ type }) => !["seed_committed", "entropy_added"].includes(type)));
  const order = (stream: Stream): string => stream.events[0]?.recordedAt ?? "";
  begun.sort((one, other) => (order(one) < order(other) ? -1 : 1));
  const sameCards = playsSameCards(streams);
  const rounds = begun.map((stream, at) => new Round(stream, at + 1, report, streams, sameCards));
  const committed = all.flatMap((one) => one.events.filter(({ type }) => type === "seed_committed").map((event) => event.commitments["seed"]));
  const seeds = rounds.flatMap((one) => one.chapters.flatMap(({ seed }) => (seed === null ? [] : hex(seed))));
  if (new Set(committed).size < committed.length || new Set(seeds).size < seeds.length) report.differs("", "verify.one_seed");
  return rounds;
}
