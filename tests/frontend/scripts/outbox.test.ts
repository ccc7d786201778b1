import { beforeEach, describe, expect, it } from "vitest";

import { SerialQueue } from "../../../frontend/src/connection/serial-queue";
import { CommandQueue } from "../../../frontend/src/connection/outbox";
import { forgetTables, forgetUnsent, isAnythingUnsent, outboxOf, remember, remembered } from "../../../frontend/src/connection/device-storage";

class Storage {
  readonly kept = new Map<string, string>();
  full = false;

  get length(): number {
    return this.kept.size;
  }

  key(at: number): string | null {
    return [...this.kept.keys()][at] ?? null;
  }

  getItem(name: string): string | null {
    return this.kept.get(name) ?? null;
  }

  setItem(name: string, text: string): void {
    if (this.full) throw new Error("full");
    this.kept.set(name, text);
  }

  removeItem(name: string): void {
    this.kept.delete(name);
  }
}

let storage = new Storage();

beforeEach(() => {
  storage = new Storage();
  Object.assign(globalThis, { localStorage: storage });
});

describe("what a device remembers of a table", () => {
  it("comes back as it was, a table at a time, until nothing is to be remembered", () => {
    remember("taps", "a", ["S6", null]);
    expect(remembered("taps", "a")).toEqual(["S6", null]);
    expect(remembered("taps", "b")).toBeNull();
    remember("taps", "a", null);
    expect(storage.length).toBe(0);
  });

  it("is nothing where the storage is full or holds rubbish", () => {
    storage.setItem("puur_feed_a", "{not json");
    storage.full = true;
    remember("draft", "a", { deal: 1 });
    expect([remembered("feed", "a"), remembered("draft", "a")]).toEqual([null, null]);
  });

  it("goes when another person comes; what waits to be sent goes by itself alone", () => {
    for (const kind of ["feed", "forms", "draft", "taps"] as const) remember(kind, "a", [1]);
    storage.setItem("puur_side_a", "1");
    const queue = new CommandQueue({ load: () => storage.getItem(outboxOf("a")), save: (text) => storage.setItem(outboxOf("a"), text) });
    expect(isAnythingUnsent()).toBe(false);
    queue.add({ command_id: "1", command: { cmd: "confirm_result", deal: 1 } });
    queue.add({ command_id: "1", command: { cmd: "confirm_result", deal: 1 } });
    expect(queue.waiting).toHaveLength(1);
    expect(isAnythingUnsent()).toBe(true);

    forgetTables();
    expect([...storage.kept.keys()]).toEqual(["puur_side_a", outboxOf("a")]);
    queue.remove("1");
    expect(isAnythingUnsent()).toBe(false);
    queue.add({ command_id: "2", command: { cmd: "confirm_result", deal: 2 } });
    forgetUnsent();
    expect([...storage.kept.keys()]).toEqual(["puur_side_a"]);
  });
});

describe("things in turn", () => {
  it("tell each time what waits", () => {
    const told: string[][] = [];
    const turns = new SerialQueue<string>(() => turns.hold(), (waiting) => told.push([...waiting]));
    for (const card of ["S6", "S7", "S8"]) turns.put(card);
    turns.free();
    turns.drop();
    expect(told).toEqual([["S7"], ["S7", "S8"], ["S8"], []]);
  });
});
