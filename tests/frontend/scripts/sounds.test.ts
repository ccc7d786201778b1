import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { give, signalOf, Turns } from "../../../frontend/src/board/sounds";

const event = (type: string) => ({ type, seq: 1 });
const kept = new Map<string, string>();
const vibrate = vi.fn();
const begun = vi.fn();

class Node {
  gain = { setValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() };
  frequency = { value: 0 };
  connect = (to: unknown) => to;
  start = begun;
  stop = vi.fn();
}

class Sounds {
  currentTime = 0;
  destination = {};
  resume = () => Promise.resolve();
  createOscillator = () => new Node();
  createGain = () => new Node();
}

beforeEach(() => {
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null });
  vi.stubGlobal("navigator", { vibrate });
  vi.stubGlobal("AudioContext", Sounds);
});

afterEach(() => {
  kept.clear();
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

test("of what came at once, that says most which is one's own turn, then a trick, then a card", () => {
  const both = [event("card_played"), event("trick_taken")];

  expect(signalOf(both, true)).toBe("turn");
  expect(signalOf(both, false)).toBe("trick");
  expect(signalOf([event("card_played")], false)).toBe("card");
  expect(signalOf([event("contract_set")], false)).toBe(null);
});

test("a turn begins once, and again when somebody else had it", () => {
  const turns = new Turns();

  expect([true, true, false, true].map((mine) => turns.began(mine))).toEqual([true, false, false, true]);
});

test("nothing is heard or felt until it is wished for", () => {
  give("turn");

  expect(begun).not.toHaveBeenCalled();
  expect(vibrate).not.toHaveBeenCalled();
});

test("one's own turn is felt, a card of somebody else is only heard", () => {
  kept.set("puur_sound", "1");
  kept.set("puur_vibration", "1");

  give("card");
  expect(vibrate).not.toHaveBeenCalled();
  expect(begun).toHaveBeenCalledTimes(1);

  give("turn");
  expect(vibrate).toHaveBeenCalledWith([60]);
  expect(begun).toHaveBeenCalledTimes(3);
});
