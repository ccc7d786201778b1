/**
 * The connection to one game: it reconnects, asks for missed events, and resends a command under the same id until the
 * server has answered. An acknowledged command is done; a command that was sent twice is done once.
 */

import type { Command, EventBase, EventsFrame, Frame, HeartbeatFrame, ResyncFrame } from "../table/events";
import { CLOSINGS } from "../generated/tables";
import { type Feed, NOTHING, receive } from "./feed";

/** `slow`: an answer is late. */
export type ConnectionState = "connecting" | "open" | "slow" | "lost";

export interface Handlers {
  onEvents(feed: Feed, fresh: readonly EventBase[]): void;
  onState(state: ConnectionState): void;
  /** The approximate number of spectators. */
  onWatching?(count: number): void;
}

/** Other tables beside the game, as anonymous spectators see them. */
export interface Others {
  /** The watched tables, with the last held seq of each. */
  held(): Readonly<Record<string, number>>;
  take(frame: EventsFrame | ResyncFrame | HeartbeatFrame): void;
}

export class Refused extends Error {
  constructor(
    readonly code: string,
    readonly detail: string,
    readonly params: Record<string, unknown>,
  ) {
    super(detail);
  }
}

interface Pending {
  body: string;
  resolve(seq: number): void;
  reject(error: Error): void;
}

/** The environment, replaceable in tests. */
export interface World {
  connect(url: string): WebSocket;
  later(action: () => void, milliseconds: number): number;
  cancel(timer: number): void;
  random(): number;
  reload(): void;
  /** Whether the page is visible. */
  visible(): boolean;
}

const BROWSER: World = {
  connect: (url) => new WebSocket(url),
  later: (action, milliseconds) => window.setTimeout(action, milliseconds),
  cancel: (timer) => window.clearTimeout(timer),
  random: Math.random,
  reload: () => window.location.reload(),
  visible: () => !document.hidden,
};

const SILENCE_LIMIT_MS = 45_000;
/** The silence after which a connection pings; then twice as long each time, until heartbeats come first. */
const PLAYER_PING_DELAY_MS = 3500;
/** Spectators ping later, and spread: thousands saw the same card at the same moment. */
const SPECTATOR_PING_DELAY_MS = 6000;
const SPECTATOR_PING_JITTER_MS = 2500;
/** The delay after which an answer counts as slow. */
const SLOW_ANSWER_MS = 1500;
/** From then on, until the connection counts as dead. */
const DEAD_CONNECTION_MS = 6000;
const RESYNC_DELAY_MS = 250;
const SPECTATOR_WAKE_JITTER_MS = 1500;
const MAX_RECONNECT_DELAY_MS = 15_000;

/** 128 random bits as hex; `randomUUID` is missing on plain HTTP. */
export function commandId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class GameConnection {
  feed: Feed = NOTHING;
  #socket: WebSocket | null = null;
  #attempts = 0;
  #silence = 0;
  #retry = 0;
  #asking = 0;
  #late = 0;
  #quiet: number;
  #asked = false;
  #slow = false;
  #closed = false;
  readonly #pending = new Map<string, Pending>();
  readonly #game: string | null;
  #others: Others | null = null;

  constructor(
    private readonly path: string,
    private readonly handlers: Handlers,
    private readonly world: World = BROWSER,
    /** Whether the user plays, which shortens the delays. */
    private readonly plays = false,
  ) {
    this.#quiet = this.#atFirst();
    this.#game = /games\/([0-9a-f]+)\//.exec(path)?.[1] ?? null;
  }

  /** Tell the server which other tables are watched now. */
  haveBeside(others: Others): void {
    this.#others = others;
    if (this.up) this.#socket?.send(JSON.stringify({ also: others.held() }));
  }

  #atFirst(): number {
    return this.plays ? PLAYER_PING_DELAY_MS : SPECTATOR_PING_DELAY_MS + SPECTATOR_PING_JITTER_MS * this.world.random();
  }

  open(): void {
    this.#closed = false;
    this.world.cancel(this.#retry);
    this.handlers.onState("connecting");
    const since = this.feed.table.seq >= 0 ? `?since=${this.feed.table.seq}` : "";
    const socket = this.world.connect(this.path + since);
    this.#socket = socket;
    socket.onopen = () => {
      this.#attempts = 0;
      this.handlers.onState("open");
      this.#listen();
      for (const { body } of this.#pending.values()) this.#say(body);
      if (this.#others !== null && Object.keys(this.#others.held()).length > 0) this.haveBeside(this.#others);
    };
    socket.onmessage = (message) => {
      if (socket === this.#socket) this.#take(JSON.parse(String(message.data)) as Frame);
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#dropped(event.code);
    };
  }

  get up(): boolean {
    return this.#socket?.readyState === 1;
  }

  /** The network is back, or the page is visible again: retry now, for spectators with a random delay, because a whole hall wakes at once. */
  wake(): void {
    if (this.up && this.plays) this.#ask();
    else if (this.up) this.#askIn(SPECTATOR_WAKE_JITTER_MS * this.world.random());
    if (this.#closed || (this.#socket?.readyState ?? 3) < 2) return;
    this.#attempts = 0;
    this.world.cancel(this.#retry);
    if (this.plays) this.open();
    else this.#retry = this.world.later(() => this.open(), SPECTATOR_WAKE_JITTER_MS * this.world.random());
  }

  /** The network is gone: an open socket would notice only after a long silence. */
  sever(): void {
    const socket = this.#socket;
    if (this.#closed || socket === null) return;
    this.#socket = null;
    socket.close();
    this.#dropped(1006);
  }

  close(): void {
    this.#closed = true;
    this.world.cancel(this.#retry);
    this.#hush();
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  /** Resolves with the seq of the answer; rejects with `Refused` when the server refuses. */
  submit(command: Command, id: string = commandId()): Promise<number> {
    const body = JSON.stringify({ command_id: id, command });
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { body, resolve, reject });
      if (this.up) this.#say(body);
    });
  }

  /** Send a message that gets an answer. */
  #say(body: string): void {
    this.#socket?.send(body);
    this.world.cancel(this.#late);
    this.#late = this.world.later(() => this.#isLate(), SLOW_ANSWER_MS);
  }

  #isLate(): void {
    this.#slow = true;
    this.handlers.onState("slow");
    // A command may wait for others at the server; a question is answered at once on a working connection.
    if (this.#asked) this.#late = this.world.later(() => this.sever(), DEAD_CONNECTION_MS);
  }

  /** Ping: any message counts as an answer. */
  #ask(): void {
    if (this.#asked || !this.up || !this.world.visible()) return;
    this.#quiet *= 2;
    this.#asked = true;
    this.#say(JSON.stringify({ since: this.feed.table.seq }));
  }

  #askIn(milliseconds: number): void {
    this.world.cancel(this.#asking);
    this.#asking = this.world.later(() => this.#ask(), milliseconds);
  }

  #take(frame: Frame): void {
    if ("game" in frame && this.#game !== null && frame.game !== this.#game) {
      this.#others?.take(frame);
      return;
    }
    const answers = this.#asked;
    if (frame.kind === "events" && frame.events.length > 0) this.#quiet = this.#atFirst();
    this.#listen();
    if (frame.kind === "ack") {
      this.#pending.get(frame.command_id)?.resolve(frame.seq);
      this.#pending.delete(frame.command_id);
      return;
    }
    if (frame.kind === "error") {
      const id = frame.command_id ?? "";
      this.#pending.get(id)?.reject(new Refused(frame.code, frame.detail, frame.params ?? {}));
      this.#pending.delete(id);
      return;
    }
    if (frame.kind === "heartbeat") this.handlers.onWatching?.(frame.watching ?? 0);
    const { feed, fresh, ask } = receive(this.feed, frame);
    const changed = feed !== this.feed;
    this.feed = feed;
    if (ask !== "nothing") this.#reopen();
    else if (changed && !(answers && fresh.length === 0)) this.handlers.onEvents(feed, fresh);
  }

  /** Ask again from the last held seq over a new connection, which always works. Delayed, so that two disagreeing sides do not loop. */
  #reopen(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#hush();
    this.world.cancel(this.#retry);
    this.#retry = this.world.later(() => this.open(), RESYNC_DELAY_MS * (0.5 + this.world.random()));
  }

  /** A message arrived. */
  #listen(): void {
    this.#hush();
    this.#silence = this.world.later(() => this.#reopen(), SILENCE_LIMIT_MS);
    this.#askIn(this.#quiet);
    if (this.#slow) this.handlers.onState("open");
    this.#slow = false;
  }

  #hush(): void {
    for (const timer of [this.#silence, this.#asking, this.#late]) this.world.cancel(timer);
    this.#asked = false;
  }

  #dropped(code: number): void {
    this.#hush();
    this.#slow = false;
    this.#quiet = this.#atFirst();
    this.world.cancel(this.#retry);
    this.handlers.onState("lost");
    if (this.#closed) return;
    const then = CLOSINGS[code] ?? "again";
    if (then === "reload") this.world.reload();
    this.#closed = then === "reload" || then === "never"; // a returning network does not change the answer
    if (this.#closed) return;
    this.#attempts += 1;
    const wait = then === "patiently" ? MAX_RECONNECT_DELAY_MS : Math.min(MAX_RECONNECT_DELAY_MS, 300 * 2 ** this.#attempts);
    this.#retry = this.world.later(() => this.open(), wait * (0.5 + this.world.random()));
  }
}
