import { describe, expect, it } from "vitest";

import { timeLeft } from "../../../frontend/src/watching/countdown";
import { Ends } from "../../../frontend/src/watching/gong";

const MINUTE = 60_000;

describe("the time left of a round", () => {
  it.each([
    [0, "0:00"],
    [-5 * MINUTE, "0:00"],
    [1, "0:01"],
    [12 * MINUTE + 5_000, "12:05"],
    [62 * MINUTE + 5_000, "1:02:05"],
  ])("of %i ms is said as %s", (left, said) => expect(timeLeft(1_000_000 + left, 1_000_000)).toBe(said));
});

describe("a gong", () => {
  it("rings once, when the end comes", () => {
    const ends = new Ends();
    expect([90, 99, 100, 101].map((now) => ends.pass(100, now))).toEqual([false, false, true, false]);
  });
  it("does not ring for an end that was over when the page was opened", () => {
    expect(new Ends().pass(100, 130)).toBe(false);
  });
  it("rings at the new end, where the director has moved it", () => {
    const ends = new Ends();
    expect([ends.pass(100, 90), ends.pass(200, 110), ends.pass(200, 200)]).toEqual([false, false, true]);
  });
  it("does not ring where the end was moved into the past", () => {
    const ends = new Ends();
    expect([ends.pass(100, 50), ends.pass(40, 50)]).toEqual([false, false]);
  });
});
