import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { TurnClock } from "../../../frontend/src/board/clock";
import type { EventBase } from "../../../frontend/src/table/events";
import { type Page, useWords } from "../../../frontend/src/page";
import { EMPTY } from "../../../frontend/src/table/table";

useWords({ "play.time_was_up": "Your time was up.", "table.time_was_up": "The time of {name} was up." });

const page = { names: ["Anna", "Beat"], extra: { clock: { seconds: 30, seats: [0, 1], now: { seat: 0, due_at: "2026-11-25T20:00:10Z" } } } } as unknown as Page;
const by = (seat: number): EventBase[] => [{ seq: 9, type: "card_played", seat } as EventBase];
const at = (seconds: number): void => void vi.setSystemTime(Date.parse("2026-11-25T20:00:00Z") + seconds * 1000);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", { setInterval: () => 1 });
  at(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The clock at its second turn, Beat's, which begins at second 5. */
function begun(): TurnClock {
  const clock = new TurnClock(page);
  clock.turnOf({ ...EMPTY, deal: 1 }, 0);
  at(5);
  clock.turnOf({ ...EMPTY, deal: 1, contract: "hearts" }, 1);
  return clock;
}

test("what comes after somebody's time was up came because of it", () => {
  const clock = begun();
  at(34.9);
  expect(clock.ranOut(by(1), 0)).toBe("");
  at(35);
  expect(clock.ranOut(by(1), 0)).toBe("The time of Beat was up.");
  expect(clock.ranOut(by(1), 1)).toBe("Your time was up.");
});

test("what somebody else does, or nobody, is not the clock's", () => {
  const clock = begun();
  at(60);
  expect(clock.ranOut(by(0), 0)).toBe("");
  expect(clock.ranOut([{ seq: 9, type: "ruling_made" }], 0)).toBe("");
  expect(clock.ranOut([], 0)).toBe("");
});

test("of a turn that began before the page was here nothing is said: the two clocks may differ", () => {
  const clock = new TurnClock(page);
  clock.turnOf({ ...EMPTY, deal: 1 }, 0);
  at(60);
  expect(clock.ranOut(by(0), null)).toBe("");
});
