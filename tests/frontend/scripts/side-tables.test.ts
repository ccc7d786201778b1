import { describe, expect, test } from "vitest";

import type { EventBase } from "../../../frontend/src/table/events";
import { type Glimpse, goneOn } from "../../../frontend/src/connection/side-tables";

const before: Glimpse = { seq: 9, trick: new Map([[3, "SA"]]), taken: false, deal: null, totals: null, running: null };
const row = (...events: object[]): EventBase[] => events.map((event, at) => ({ seq: 10 + at, ...event }) as EventBase);
const play = (seat: number, card: string | null) => ({ type: "card_played", seat, card });

describe("a table beside one", () => {
  test("has each card as it falls, and the trick until the next one begins", () => {
    const full = goneOn(before, row(play(0, "S6"), play(1, null), play(2, "S8"), { type: "trick_taken", seat: 3, points: 11 }))!;
    expect([...full.trick]).toEqual([[3, "SA"], [0, "S6"], [1, null], [2, "S8"]]);

    expect([...goneOn(full, [{ seq: 14, ...play(3, "H6") } as EventBase])!.trick]).toEqual([[3, "H6"]]);
  });

  test("is empty when a deal begins, and says its number and what the one before came to", () => {
    const next = goneOn(before, row({ type: "deal_scored", deal: 1, totals: [100, 57] }, { type: "deal_started", deal: 2 }))!;

    expect(next.trick.size).toBe(0);
    expect([next.deal, next.totals, next.seq]).toEqual([2, [100, 57], 11]);
  });

  test("takes nothing twice, and passes over what no thumbnail shows", () => {
    const next = goneOn(before, [{ seq: 8, ...play(1, "S7") } as EventBase, { seq: 9, ...play(3, "SA") } as EventBase, ...row({ type: "melds_declared", seat: 0 })])!;

    expect([...next.trick]).toEqual([[3, "SA"]]);
    expect(next.seq).toBe(10);
    expect(goneOn(before, [])).toBe(before);
  });

  test("has to be asked for where something is missing, or where only the page knows what to say", () => {
    expect(goneOn(before, [{ seq: 11, ...play(0, "S6") } as EventBase])).toBeNull();
    for (const type of ["game_ended", "game_closed", "ruling_made", "result_entered", "result_confirmed"]) {
      expect(goneOn(before, row(play(0, "S6"), { type }))).toBeNull();
    }
  });

  test("adds to the running deal what counts, with its factor, and begins anew with the next one", () => {
    const running = { points: [20, 0], sides: [0, 1, 0, 1], factor: 1, factors: { clubs: 2 }, chooserOnly: false, chooser: null };
    const points = (...events: object[]) => goneOn({ ...before, running }, row(...events))!.running!.points;
    const clubs = { type: "contract_set", seat: 1, contract: "clubs" };

    expect(points(clubs, { type: "trick_taken", seat: 3, points: 11 })).toEqual([20, 22]);
    expect(points(clubs, { type: "melds_scored", side: 0, points: 50, shown: [] }, { type: "stoeck_declared", seat: 1, points: 20 })).toEqual([120, 40]);
    expect(points({ type: "trick_taken", seat: 3, points: null }, { type: "trick_taken", seat: 3, points: 5 })).toBeNull();
    expect(points({ type: "deal_scored", deal: 1, totals: [1, 2] }, { type: "deal_started", deal: 2 })).toEqual([0, 0]);
    const alone = goneOn({ ...before, running: { ...running, points: [0, 0], chooserOnly: true } }, row(clubs, { type: "trick_taken", seat: 0, points: 9 }, { type: "trick_taken", seat: 3, points: 9 }))!;
    expect(alone.running!.points).toEqual([0, 18]);
  });
});
