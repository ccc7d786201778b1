import { expect, test } from "vitest";

import { SETTLING_MS, Settling } from "../../../frontend/src/choices/settling";

function panel(): { settling: Settling; at: (time: number) => Settling } {
  let clock = 0;
  const settling = new Settling(() => clock);
  const at = (time: number): Settling => {
    clock = time;
    return settling;
  };
  return { settling, at };
}

test("what a page begins with takes taps at once", () => {
  const { at } = panel();
  at(0).show("slots");
  at(1).press();
  expect(at(2).takes).toBe(true);
});

test("what appears under a finger takes no tap for a moment", () => {
  const { at } = panel();
  at(0).show("slots");
  expect(at(1000).show("contracts")).toBe(true);
  at(1000 + SETTLING_MS - 1).press();
  expect(at(1000 + SETTLING_MS - 1).takes).toBe(false);
  at(1000 + SETTLING_MS).press();
  expect(at(1000 + SETTLING_MS).takes).toBe(true);
});

test("a tap that began before it was there is not one on it, however long it lasts", () => {
  const { at } = panel();
  at(0).show("slots");
  at(999).press();
  at(1000).show("contracts");
  expect(at(1000 + 10 * SETTLING_MS).takes).toBe(false);
});

test("drawing the same again changes nothing, something else begins anew", () => {
  const { at } = panel();
  at(0).show("slots");
  at(1000).show("contracts");
  expect(at(1200).show("contracts")).toBe(false);
  at(1000 + SETTLING_MS).press();
  expect(at(1000 + SETTLING_MS).takes).toBe(true);
  at(2000).show("slots");
  at(2100).press();
  expect(at(2100).takes).toBe(false);
});
