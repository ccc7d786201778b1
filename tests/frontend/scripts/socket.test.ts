import { beforeEach, describe, expect, test } from "vitest";

import type { Frame } from "../../../frontend/src/table/events";
import { CLOSINGS } from "../../../frontend/src/generated/tables";
import { GameConnection, Refused, type World } from "../../../frontend/src/connection/socket";
import { GAME } from "./game";

/** A network of plain objects: the test opens it, sends frames and breaks it. */
class Wire {
  readyState = 0;
  sent: { command_id: string; command: object }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly url: string) {}

  send(text: string): void {
    this.sent.push(JSON.parse(text) as { command_id: string; command: object });
  }

  close(): void {
    this.readyState = 3;
  }

  up(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  say(frame: Frame): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  down(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

let wires: Wire[] = [];
let reloads = 0;
let timers: { id: number; action: () => void; after: number }[] = [];
let counter = 0;
let chance = 0.5;
let visible = true;

const world: World = {
  connect: (url) => {
    const wire = new Wire(url);
    wires.push(wire);
    return wire as unknown as WebSocket;
  },
  later: (action, after) => {
    counter += 1;
    timers.push({ id: counter, action, after });
    return counter;
  },
  cancel: (id) => {
    timers = timers.filter((timer) => timer.id !== id);
  },
  random: () => chance,
  reload: () => {
    reloads += 1;
  },
  visible: () => visible,
};

const frame = (from: number, to: number): Frame => ({ kind: "events", game: "g", seq: to - 1, events: GAME.slice(from, to) });

function line(asks = false) {
  const seen: number[] = [];
  const states: string[] = [];
  const made = new GameConnection(
    "/ws/",
    { onEvents: (_, fresh) => seen.push(...fresh.map((event) => event.seq)), onState: (state) => states.push(state) },
    world,
    asks,
  );
  made.open();
  return { made, seen, states };
}

function fire(): void {
  const [first] = timers.splice(0, 1);
  first?.action();
}

beforeEach(() => {
  reloads = 0;
  wires = [];
  timers = [];
});

describe("the line to a game", () => {
  test("comes back by itself and asks from the last event it holds", () => {
    const { seen, states } = line();
    wires[0]?.up();
    wires[0]?.say(frame(0, 4));
    wires[0]?.down();
    fire();
    wires[1]?.up();
    wires[1]?.say(frame(4, 6));

    expect(wires.map((wire) => wire.url)).toEqual(["/ws/", "/ws/?since=3"]);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
    expect(states).toEqual(["connecting", "open", "lost", "connecting", "open"]);
  });

  test("asks again soon when something is missing", () => {
    line();
    wires[0]?.up();
    wires[0]?.say(frame(0, 3));
    wires[0]?.say(frame(5, 7));
    expect(timers.map((timer) => timer.after)).toEqual([250]);
    fire();

    expect(wires[1]?.url).toBe("/ws/?since=2");
  });

  test("begins from nothing after a resync", () => {
    const { made } = line();
    wires[0]?.up();
    wires[0]?.say(frame(0, 3));
    wires[0]?.say({ kind: "resync", game: "g", seq: 1 });
    fire();

    expect(wires[1]?.url).toBe("/ws/");
    expect(made.feed.events).toEqual([]);
  });

  test("waits longer after each failure, never longer than twenty-two seconds", () => {
    line();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 9; attempt += 1) {
      wires[wires.length - 1]?.down();
      waits.push(timers[0]?.after ?? 0);
      fire();
    }

    expect(waits[0]).toBe(600);
    expect(waits[1]).toBe(1200);
    expect(Math.max(...waits)).toBeLessThanOrEqual(22_500);
  });

  test("comes back at a moment of its own, so that a hall does not come all at once", () => {
    const waits = [0, 0.25, 1].map((drawn) => {
      chance = drawn;
      timers = [];
      line();
      wires[wires.length - 1]?.down(1012);
      return timers[0]?.after;
    });
    chance = 0.5;

    expect(waits).toEqual([300, 450, 900]);
  });

  test("sends an unanswered command again under the same id, and not once it is answered", async () => {
    const { made } = line();
    wires[0]?.up();
    const answer = made.submit({ cmd: "play", seat: 0, card: "S6" }, "one");
    wires[0]?.down();
    fire();
    wires[1]?.up();
    wires[1]?.say({ kind: "ack", command_id: "one", seq: 9 });

    expect(wires[0]?.sent.map((letter) => letter.command_id)).toEqual(["one"]);
    expect(wires[1]?.sent.map((letter) => letter.command_id)).toEqual(["one"]);
    await expect(answer).resolves.toBe(9);
    wires[1]?.down();
    fire();
    wires[2]?.up();
    expect(wires[2]?.sent).toEqual([]);
  });

  test("hands on why a command was refused", async () => {
    const { made } = line();
    wires[0]?.up();
    const answer = made.submit({ cmd: "accept", seat: 0 }, "one");
    wires[0]?.say({ kind: "error", command_id: "one", code: "play/not_your_turn", detail: "no", params: { seat: 2 } });

    await expect(answer).rejects.toMatchObject({ code: "play/not_your_turn", params: { seat: 2 } });
    await expect(answer).rejects.toBeInstanceOf(Refused);
  });

  test.each(Object.entries(CLOSINGS))("does what belongs to the code it was closed with: %s, %s", (code, then) => {
    line();
    wires[0]?.up();
    wires[0]?.down(Number(code));
    const wait = { again: [600], patiently: [15_000], never: [], reload: [] }[then];

    expect(timers.map((timer) => timer.after)).toEqual(wait);
    expect(reloads).toBe(then === "reload" ? 1 : 0);
  });

  test("does not ask again for ever with an address that nobody understands", () => {
    line();
    wires[0]?.down(4400);

    expect(timers).toEqual([]);
  });

  test("takes a code that the server never sends for a broken line", () => {
    line();
    wires[0]?.down(4401);

    expect(timers.map((timer) => timer.after)).toEqual([600]);
  });

  test("removes the cards from the screen of a player who has lost the seat", () => {
    line();
    wires[0]?.up();
    wires[0]?.down(4404);
    expect(reloads).toBe(0);
    line();
    wires[1]?.down(4403);

    expect(reloads).toBe(1);
  });

  test("tries at once when the network is back, sends what was tapped meanwhile once, and leaves an open line alone", () => {
    const { made, states } = line(true);
    wires[0]?.up();
    made.sever();
    expect(made.up).toBe(false);
    void made.submit({ cmd: "push", seat: 0 });
    made.wake();
    made.wake();
    wires[1]?.up();
    made.wake();

    expect(wires).toHaveLength(2);
    expect(wires[1]?.sent.filter((said) => "command_id" in said)).toHaveLength(1);
    expect(states).toEqual(["connecting", "open", "lost", "connecting", "open"]);
  });

  test("comes back within a moment where one only watches: a hall that has its network again comes bit by bit", () => {
    const { made } = line();
    wires[0]?.up();
    made.sever();
    made.wake();
    made.wake();
    expect(wires).toHaveLength(1);
    expect(timers.map((timer) => timer.after)).toEqual([750]);
    fire();
    expect(wires).toHaveLength(2);
  });

  test("is not woken by anything once it is closed", () => {
    const { made } = line();
    wires[0]?.up();
    made.close();
    made.wake();
    made.sever();
    expect(wires).toHaveLength(1);
  });

  test("has one try under way, also when the network goes after the line broke", () => {
    const { made } = line();
    wires[0]?.up();
    wires[0]?.down();
    made.sever();
    expect(timers).toHaveLength(1);
    made.wake();
    fire();
    wires[1]?.up();
    expect(timers.map((timer) => timer.after), "only signs are waited for").toEqual([45_000, 7250]);
    expect(wires).toHaveLength(2);
  });

  test.each([4400, 4404, 4403])("is not woken where the answer would be the same: %i", (code) => {
    const { made } = line();
    wires[0]?.up();
    wires[0]?.down(code);
    made.wake();
    made.sever();
    expect(wires).toHaveLength(1);
    expect(timers).toEqual([]);
  });

  test("takes silence for a broken line", () => {
    line();
    wires[0]?.up();
    wires[0]?.say(frame(0, 2));
    fire();
    fire();

    expect(wires[1]?.url).toBe("/ws/?since=1");
  });
});

/** Fire the timer of this many milliseconds. */
function elapse(after: number): void {
  const at = timers.findIndex((timer) => timer.after === after);
  expect(at, `nothing waits for ${after} ms`).toBeGreaterThanOrEqual(0);
  timers.splice(at, 1)[0]?.action();
}

const waited = (): number[] => timers.map((timer) => timer.after).sort((a, b) => a - b);

describe("a line that hears nothing", () => {
  beforeEach(() => {
    visible = true;
  });

  test("asks for a sign, says that it is slow, and breaks off where none comes", () => {
    const { states } = line(true);
    wires[0]?.up();
    wires[0]?.say(frame(0, 4));
    elapse(3500);
    expect(wires[0]?.sent).toEqual([{ since: 3 }]);
    elapse(1500);
    expect(states).toEqual(["connecting", "open", "slow"]);
    elapse(6000);
    expect(wires[0]?.readyState).toBe(3);
    expect(states[3]).toBe("lost");
    expect(waited()).toEqual([600]);
  });

  test("is well again with any answer, and shows nothing anew for it", () => {
    const handed: number[] = [];
    const states: string[] = [];
    const made = new GameConnection("/ws/", { onEvents: (_, fresh) => handed.push(fresh.length), onState: (state) => states.push(state) }, world, true);
    made.open();
    wires[0]?.up();
    wires[0]?.say(frame(0, 4));
    elapse(3500);
    elapse(1500);
    wires[0]?.say({ kind: "events", game: "g", seq: 3, events: [] });
    expect(states).toEqual(["connecting", "open", "slow", "open"]);
    expect(handed).toEqual([4]);
    expect(waited()).toEqual([7000, 45_000]);
    elapse(7000);
    wires[0]?.say(frame(4, 5));
    expect(handed).toEqual([4, 1]);
    expect(waited(), "after something has happened it asks as soon as at first").toEqual([3500, 45_000]);
  });

  test("asks for a sign where one only watches too, later, and each of a hall at another moment", () => {
    const after: number[] = [];
    for (const [at, by] of [0, 0.5, 1].entries()) {
      chance = by;
      const { states } = line();
      wires[at]?.up();
      wires[at]?.say(frame(0, 4));
      after.push(Math.min(...waited()));
      elapse(after.at(-1)!);
      expect(wires[at]?.sent).toEqual([{ since: 3 }]);
      elapse(1500);
      expect(states, "within ten seconds it is said that nothing comes").toEqual(["connecting", "open", "slow"]);
      timers = [];
    }
    chance = 0.5;
    expect(after).toEqual([6000, 7250, 8500]);
  });

  test("of who only watches asks soon when somebody looks again, not with a whole hall at once", () => {
    const { made } = line();
    wires[0]?.up();
    made.wake();
    expect(wires[0]?.sent).toEqual([]);
    elapse(750);
    expect(wires[0]?.sent).toEqual([{ since: -1 }]);
  });

  test("asks ever more seldom, until heartbeats come before", () => {
    line(true);
    wires[0]?.up();
    wires[0]?.say(frame(0, 4));
    for (const after of [3500, 7000, 14_000]) {
      elapse(after);
      wires[0]?.say({ kind: "heartbeat", game: "g", seq: 3, watching: 0 });
    }
    expect(waited()).toEqual([28_000, 45_000]);
  });

  test("asks for nothing where nobody looks, and at once when somebody does again", () => {
    visible = false;
    const { made } = line(true);
    wires[0]?.up();
    elapse(3500);
    expect(wires[0]?.sent).toEqual([]);
    visible = true;
    made.wake();
    made.wake();
    expect(wires[0]?.sent).toEqual([{ since: -1 }]);
  });

  test("says that it is slow where a command is not answered, and waits for it", () => {
    const { made, states } = line();
    wires[0]?.up();
    void made.submit({ cmd: "push", seat: 0 }, "one");
    elapse(1500);
    expect(states).toEqual(["connecting", "open", "slow"]);
    expect(waited()).toEqual([7250, 45_000]);
    wires[0]?.say({ kind: "ack", command_id: "one", seq: 4 });
    expect(states[3]).toBe("open");
  });
});

describe("tables beside one", () => {
  const [mine, other] = ["a".repeat(32), "b".repeat(32)];
  const held = { [other]: 5 };
  const take = (frames: Frame[]) => ({ held: () => held, take: (frame: Frame) => frames.push(frame) });

  function watching() {
    const seen: number[] = [];
    const made = new GameConnection(`/ws/games/${mine}/`, { onEvents: (_, fresh) => seen.push(...fresh.map((event) => event.seq)), onState: () => undefined }, world);
    made.open();
    return { made, seen };
  }

  test("are named again on each new line, with the seq that is held by then", () => {
    const { made } = watching();
    made.haveBeside(take([]));
    wires[0]!.up();
    expect(wires[0]!.sent).toEqual([{ also: held }]);
    held[other] = 8;
    wires[0]!.down();
    fire();
    wires[1]!.up();
    expect(wires[1]!.sent).toEqual([{ also: { [other]: 8 } }]);
  });

  test("never get into the game that is watched, whatever they say", () => {
    const { made, seen } = watching();
    const frames: Frame[] = [];
    made.haveBeside(take(frames));
    wires[0]!.up();
    wires[0]!.say({ kind: "events", game: mine, seq: 2, events: GAME.slice(0, 3) });
    wires[0]!.say({ kind: "events", game: other, seq: 3, events: GAME.slice(3, 4) });
    wires[0]!.say({ kind: "heartbeat", game: other, seq: 99, watching: 7 });
    wires[0]!.say({ kind: "resync", game: other, seq: 99 });

    expect(frames.map((frame) => frame.kind)).toEqual(["events", "heartbeat", "resync"]);
    expect(seen).toEqual([0, 1, 2]);
    expect(wires).toHaveLength(1);
    expect(wires[0]!.readyState).toBe(1);
  });
});
