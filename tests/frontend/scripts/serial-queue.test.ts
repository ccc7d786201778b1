import { describe, expect, it } from "vitest";

import { SerialQueue } from "../../../frontend/src/connection/serial-queue";

describe("things in turn", () => {
  it("begins at once while nothing is on its way", () => {
    const begun: string[] = [];
    new SerialQueue<string>((item) => begun.push(item)).put("S6");
    expect(begun).toEqual(["S6"]);
  });

  it("lets what comes meanwhile wait, and begins it in order", () => {
    const begun: string[] = [];
    const turns = new SerialQueue<string>((item) => {
      begun.push(item);
      turns.hold();
    });
    for (const card of ["S6", "S7", "S8"]) turns.put(card);
    expect(begun).toEqual(["S6"]);
    turns.free();
    turns.free();
    turns.free();
    expect(begun).toEqual(["S6", "S7", "S8"]);
  });

  it("keeps an unknown card, which is nothing but a place", () => {
    const begun: (string | null)[] = [];
    const turns = new SerialQueue<string | null>((item) => begun.push(item));
    turns.hold();
    turns.put(null);
    turns.free();
    expect(begun).toEqual([null]);
  });

  it("forgets what was put on top of something that failed", () => {
    const begun: string[] = [];
    const turns = new SerialQueue<string>((item) => begun.push(item));
    turns.hold();
    turns.put("S7");
    turns.drop();
    turns.put("S8");
    expect([begun, turns.waiting]).toEqual([["S8"], []]);
  });
});
