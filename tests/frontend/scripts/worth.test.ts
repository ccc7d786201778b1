import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Page } from "../../../frontend/src/page";
import { Worth } from "../../../frontend/src/watching/worth";

const gain = (seq: number, points: number) => ({ seq, seat: 0, card: "S6", best: "S7", gain: points });
const page = { worth: "/g/1/worth/", csrf: "x" } as Page;
let answers: object[];
let asked: string[];

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  vi.stubGlobal("document", { cookie: "" });
  vi.stubGlobal("window", { setTimeout: (act: () => void, wait: number) => setTimeout(act, wait) });
  vi.stubGlobal("fetch", (_: string, { body }: { body: URLSearchParams }) => {
    asked.push(String(body));
    const told = answers.shift();
    return Promise.resolve({ ok: told !== undefined, json: () => Promise.resolve(told) });
  });
});
afterEach(() => vi.useRealTimers());

test("a deal is asked for until it is worked out, and then no more", async () => {
  answers = [{ state: "working", gains: [] }, { state: "ready", gains: [gain(5, 3), gain(6, 12), gain(9, 40)] }];
  const told = vi.fn();
  const worth = new Worth(page, told);

  worth.ask(2);
  worth.ask(2);
  await vi.runAllTimersAsync();

  expect(asked).toEqual(["deal=2", "deal=2"]);
  expect(told).toHaveBeenCalledTimes(1);
  expect(worth.of(2, [{ seq: 5 }, { seq: 6 }])?.gain).toBe(12);
  expect(worth.of(2, [{ seq: 7 }])).toBeNull();
  expect(worth.of(3, [{ seq: 5 }])).toBeNull();
});

test("a refusal, or somebody who takes on no more, is the end of it", async () => {
  answers = [{ state: "full", gains: [] }];
  const worth = new Worth(page, () => undefined);

  worth.ask(1);
  worth.ask(2);
  await vi.runAllTimersAsync();

  expect(asked).toEqual(["deal=1", "deal=2"]);
});

test("a page of others asks nothing", () => {
  new Worth({ ...page, worth: "" }, () => undefined).ask(1);
  expect(asked).toEqual([]);
});
