import { beforeEach, describe, expect, test } from "vitest";

import type { EventBase } from "../../../frontend/src/table/events";
import type { Feed } from "../../../frontend/src/connection/feed";
import { longest, SceneDelays, type Surroundings } from "../../../frontend/src/board/scene-delays";
import { fold } from "../../../frontend/src/table/table";
import { DEALT, NAMED, numbered, START, TRICK } from "./game";

const SCORED = { type: "deal_scored", deal: 1, card_points: [100, 57], scores: [100, 57], totals: [100, 57], ties: null };
const NEXT = [{ type: "deal_started", deal: 2, dealer: 0 }, ...DEALT.slice(1)];
const ENDED = { type: "game_ended", winners: [0], totals: [100, 57] };

let clock = 0;
let timers: { id: number; action: () => void; at: number }[] = [];
let stir = (): void => undefined;
let shown: string[] = [];

const world: Surroundings = {
  now: () => clock,
  later(action, milliseconds) {
    timers.push({ id: timers.length + 1, action, at: clock + milliseconds });
    return timers.length;
  },
  cancel: (id) => {
    timers = timers.filter((timer) => timer.id !== id);
  },
  onStir: (action) => {
    stir = action;
  },
};

/** The frames shown while the time passes. */
function after(milliseconds: number): string[] {
  shown = [];
  clock += milliseconds;
  const due = timers.filter((timer) => timer.at <= clock);
  timers = timers.filter((timer) => timer.at > clock);
  for (const timer of due) timer.action();
  return shown;
}

/** Pass events as frames at once, after those of the page load. Returns the frames shown at once. */
function told(sceneDelays: SceneDelays, ...frames: Record<string, unknown>[][]): string[] {
  shown = [];
  const bodies = [[START, ...DEALT, ...NAMED, ...TRICK.slice(0, 3)], ...frames] as (typeof TRICK)[];
  const all = numbered(bodies.flat());
  let from = 0;
  for (const body of bodies) {
    const events = all.slice(0, from + body.length);
    const fresh = events.slice(from);
    if (from > 0) frame(sceneDelays, events, fresh);
    else sceneDelays.take({ table: fold(events), events, prompt: {} }, fresh);
    from += body.length;
  }
  return shown.slice(1);
}

let turn: number | null = 1;

function frame(sceneDelays: SceneDelays, events: readonly EventBase[], fresh: readonly EventBase[]): void {
  const feed: Feed = { table: fold(events), events, prompt: turn === null ? {} : { turn: { seat: turn, phase: "contract", commands: ["choose"] } } };
  sceneDelays.take(feed, fresh);
}

const opened = (extra: Record<string, unknown> = {}): SceneDelays =>
  new SceneDelays({ extra }, (feed, fresh, live) => shown.push(`${fresh[fresh.length - 1]?.type ?? ""} ${feed.table.deal} ${feed.table.totals.join()}${live ? "" : " still"}`), world);

const TAKEN = "trick_taken 1 0,0";
const COUNTED = "deal_scored 1 100,57";
const BEGUN = "hand_dealt 2 100,57";

beforeEach(() => {
  clock = 1000;
  timers = [];
  turn = 1;
});

describe("the end of a deal", () => {
  const end = [...TRICK.slice(3), SCORED, ...NEXT];

  test("comes in one frame and is seen trick, count, next deal", () => {
    const sceneDelays = opened();
    expect(told(sceneDelays, end)).toEqual([TAKEN]);
    expect(after(1499)).toEqual([]);
    expect(after(1)).toEqual([COUNTED]);
    expect(after(3999)).toEqual([]);
    expect(after(1)).toEqual([BEGUN]);
    expect(timers).toEqual([]);
  });

  test("is passed over by a tap", () => {
    const sceneDelays = opened();
    told(sceneDelays, end);
    shown = [];
    stir();
    expect(shown).toEqual([COUNTED, BEGUN]);
    expect(timers).toEqual([]);
  });

  test("is seen whatever was tapped before", () => {
    const sceneDelays = opened();
    stir();
    clock += 10;
    expect(told(sceneDelays, end)).toEqual([TAKEN]);
    expect(after(1500)).toEqual([COUNTED]);
  });

  test("is four seconds long for the player in turn too, who may skip it", () => {
    turn = 0;
    const sceneDelays = opened();
    expect(told(sceneDelays, end)).toEqual([TAKEN]);
    expect(after(1500)).toEqual([COUNTED]);
    expect(after(3999)).toEqual([]);
    shown = [];
    stir();
    expect(shown).toEqual([BEGUN]);
    expect(timers).toEqual([]);
  });

  test("is four seconds long, however soon the next deal comes in a frame of its own", () => {
    const sceneDelays = opened();
    expect(told(sceneDelays, [...TRICK.slice(3), SCORED])).toEqual([TAKEN]);
    expect(after(1500)).toEqual([COUNTED]);
    after(1000);
    const all = numbered([START, ...DEALT, ...NAMED, ...TRICK, SCORED, ...NEXT] as typeof TRICK);
    shown = [];
    frame(sceneDelays, all, all.slice(-NEXT.length));
    expect(shown).toEqual([]);
    expect(after(2999)).toEqual([]);
    expect(after(1)).toEqual([BEGUN]);
  });

  test("of the last deal is seen before the end of the game", () => {
    const sceneDelays = opened();
    expect(told(sceneDelays, [...TRICK.slice(3), SCORED, ENDED])).toEqual([TAKEN]);
    expect(after(1500)).toEqual([COUNTED]);
    expect(after(4000)).toEqual(["game_ended 1 100,57"]);
  });

  test("is not cut where each comes in its own frame", () => {
    const sceneDelays = opened();
    expect(told(sceneDelays, [TRICK[3]!], [TRICK[4]!], [SCORED])).toEqual(["card_played 1 0,0", TAKEN, COUNTED]);
  });
});

test("what comes meanwhile waits, together no longer than a trick and a deal", () => {
  const sceneDelays = opened();
  const ends = [...TRICK.slice(3), SCORED, ...NEXT];
  const second = [...NAMED, ...TRICK, { ...SCORED, deal: 2, totals: [200, 114] }, { ...NEXT[0], deal: 3 }];
  expect(told(sceneDelays, ends, second)).toEqual([TAKEN]);
  expect(after(1500)).toEqual([COUNTED]);
  expect(after(4000)).toEqual([BEGUN, "trick_taken 2 100,57", "deal_scored 2 200,114", "deal_started 3 200,114"]);
  expect(timers).toEqual([]);
});

test("who comes back to a table is held up by nothing", () => {
  const sceneDelays = opened();
  const long = [...TRICK.slice(3), ...TRICK, ...TRICK, ...TRICK, SCORED, ...NEXT];
  expect(told(sceneDelays, long)).toEqual([`${BEGUN} still`]);
});

test("a quick table waits no longer than its bots and its clock allow", () => {
  expect(longest({ extra: {} })).toBe(1500);
  expect(longest({ extra: { clock: { pace: null, seconds: null } } })).toBe(1500);
  expect(longest({ extra: { clock: { pace: 0.1, seconds: null } } })).toBeCloseTo(300);
  expect(longest({ extra: { clock: { pace: 1, seconds: 10 } } })).toBe(1000);
  expect(longest({ extra: { clock: { pace: 0 } } })).toBe(0);
});

test("a table whose bots take no time shows all at once", () => {
  expect(told(opened({ clock: { pace: 0 } }), [...TRICK.slice(3), SCORED, ...NEXT])).toEqual([TAKEN, COUNTED, BEGUN]);
});
