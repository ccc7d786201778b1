/**
 * Delays between scenes: the last trick of a deal stays visible, then its score for up to four seconds. Later events
 * wait; a tap or a key continues at once.
 */

import type { EventBase } from "../table/events";
import type { Feed } from "../connection/feed";
import { SILENT } from "../table/moments";
import type { Page } from "../page";
import { reduce, type Table } from "../table/table";

/** This many events at once are a catch-up, not a move: everything is placed without animation. */
const CATCH_UP_EVENTS = 12;
/** The maximum time of a trick in milliseconds. */
export const MAX_TRICK_MS = 1500;
/** The score of a deal stays longer than a trick, by this factor. */
const DEAL_SCORE_FACTOR = 4000 / MAX_TRICK_MS;
const BOT_CARDS_PER_SCENE = 3; // a scene lasts as long as a bot needs for this many cards
const TURN_TIME_SHARE = 0.1;

interface Scene {
  feed: Feed;
  fresh: readonly EventBase[];
  /** The scene's final state to show, if any. */
  ends: "trick" | "deal" | null;
}

/** The environment, replaceable in tests. */
export interface Surroundings {
  now(): number;
  later(action: () => void, milliseconds: number): number;
  cancel(timer: number): void;
  /** Call the action at a tap or key press. */
  onStir(action: () => void): void;
}

const BROWSER: Surroundings = {
  now: () => performance.now(),
  later: (action, milliseconds) => window.setTimeout(action, milliseconds),
  cancel: (timer) => window.clearTimeout(timer),
  onStir: (action) => ["pointerdown", "keydown"].forEach((name) => document.addEventListener(name, action, { capture: true })),
};

const catchesUp = (fresh: readonly EventBase[]): boolean => fresh.filter((event) => !SILENT.includes(event.type)).length >= CATCH_UP_EVENTS;

/** The maximum time of a trick at this table, limited by its bots and its clock. */
export function longest(page: Pick<Page, "extra">): number {
  const { pace, seconds } = (page.extra["clock"] ?? {}) as { pace?: number | null; seconds?: number | null };
  return Math.min(MAX_TRICK_MS, (pace ?? MAX_TRICK_MS) * BOT_CARDS_PER_SCENE * 1000, (seconds ?? MAX_TRICK_MS) * TURN_TIME_SHARE * 1000);
}

/** Split the events of a frame after the last trick of a deal and after its score. */
function scenesOf(before: Table, feed: Feed, fresh: readonly EventBase[]): Scene[] {
  const scenes: Scene[] = [];
  const first = feed.events.length - fresh.length;
  let table = before;
  let begin = 0;
  const cut = (end: number, ends: Scene["ends"]): void => {
    for (const event of fresh.slice(begin, end)) table = reduce(table, event);
    scenes.push({ feed: { table, events: feed.events.slice(0, first + end), prompt: {} }, fresh: fresh.slice(begin, end), ends });
    begin = end;
  };
  let taken = 0;
  let scored = 0;
  fresh.forEach(({ type }, at) => {
    if (type === "card_played") taken = 0;
    else if (type === "trick_taken") taken = at + 1;
    else if (type === "deal_scored") {
      if (taken > begin) cut(taken, "trick");
      scored = at + 1;
    } else if ((type === "deal_started" || type === "game_ended") && scored > begin) cut(at, "deal");
  });
  return [...scenes, { feed, fresh: fresh.slice(begin), ends: scored > begin ? "deal" : null }];
}

export class SceneDelays {
  #newest: Feed | null = null;
  readonly #waiting: Scene[] = [];
  #held: Scene["ends"] = null;
  #timer = 0;
  /** The deadline for all waiting scenes; 0: none waits. */
  #until = 0;
  readonly #longest: number;

  /** `show`: `live` animates, otherwise everything is placed at once. */
  constructor(
    page: Pick<Page, "extra">,
    private readonly show: (feed: Feed, fresh: readonly EventBase[], live: boolean) => void,
    private readonly world: Surroundings = BROWSER,
  ) {
    this.#longest = longest(page);
    world.onStir(() => {
      if (this.#held === null) return;
      this.#until = this.world.now();
      this.#goOn();
    });
  }

  take(feed: Feed, fresh: readonly EventBase[]): void {
    const before = this.#newest?.table;
    const goesOn = before !== undefined && fresh.length > 0 && fresh[0]!.seq === before.seq + 1 && !catchesUp(fresh);
    this.#newest = feed;
    this.#waiting.push(...(goesOn ? scenesOf(before, feed, fresh) : [{ feed, fresh, ends: null }]));
    if (this.#held === null) this.#next(before !== undefined);
  }

  #goOn(): void {
    this.world.cancel(this.#timer);
    this.#next(true);
  }

  #next(begun: boolean): void {
    this.#held = null;
    for (let scene = this.#waiting.shift(); scene !== undefined; scene = this.#waiting.shift()) {
      this.show(scene.feed, scene.fresh, begun && !catchesUp(scene.fresh));
      const left = this.#left(scene.ends);
      if (left <= 0) continue;
      this.#held = scene.ends;
      this.#timer = this.world.later(() => this.#next(true), left);
      return;
    }
    this.#until = 0;
  }

  /** The remaining time of a scene. Consecutive scenes together last no longer than a trick and a deal. */
  #left(ends: Scene["ends"]): number {
    if (ends === null) return 0;
    const now = this.world.now();
    const deal = this.#longest * DEAL_SCORE_FACTOR;
    this.#until ||= now + this.#longest + deal;
    return Math.min(ends === "deal" ? deal : this.#longest, this.#until - now);
  }
}
