import { describe, expect, test } from "vitest";

import type { Frame } from "../../../frontend/src/table/events";
import { NOTHING, receive } from "../../../frontend/src/connection/feed";
import { GAME } from "./game";

const frame = (from: number, to: number, extra: object = {}): Frame => ({
  kind: "events",
  game: "g",
  seq: to - 1,
  events: GAME.slice(from, to),
  ...extra,
});

describe("receiving frames", () => {
  test("takes events once, however often they come", () => {
    const first = receive(NOTHING, frame(0, 8));
    const again = receive(first.feed, frame(3, 9));

    expect(again.fresh.map((event) => event.seq)).toEqual([8]);
    expect(again.feed.events).toHaveLength(9);
    expect(again.ask).toBe("nothing");
  });

  test("sees a gap and asks for what is missing, keeping what it has", () => {
    const first = receive(NOTHING, frame(0, 4));
    const gap = receive(first.feed, frame(6, 9));

    expect(gap.ask).toBe("missing");
    expect(gap.feed.table.seq).toBe(3);
    expect(gap.fresh).toEqual([]);
  });

  test("hears from a heartbeat that it has missed something", () => {
    const { feed } = receive(NOTHING, frame(0, 4));

    expect(receive(feed, { kind: "heartbeat", game: "g", seq: 3, watching: 0 }).ask).toBe("nothing");
    expect(receive(feed, { kind: "heartbeat", game: "g", seq: 4, watching: 0 }).ask).toBe("missing");
  });

  test("forgets everything when it is told to begin again", () => {
    const { feed } = receive(NOTHING, frame(0, 4));
    const told = receive(feed, { kind: "resync", game: "g", seq: 2 });

    expect(told.ask).toBe("restart");
    expect(told.feed.table.seq).toBe(-1);
  });

  test("believes whose turn it is from the newest frame only", () => {
    const turn = (seat: number) => ({ turn: { seat, phase: "trick_play", commands: ["play"] } });
    const now = receive(NOTHING, frame(0, 9, turn(2)));
    const late = receive(now.feed, frame(0, 5, turn(1)));

    expect(late.feed.prompt.turn?.seat).toBe(2);
  });

  test("keeps what may be said beside the turn with whose turn it is", () => {
    const { feed } = receive(NOTHING, frame(0, 9, { turn: null, beside: [[], ["stop"]] }));

    expect(feed.prompt.beside).toEqual([[], ["stop"]]);
  });
});
