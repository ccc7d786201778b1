import { beforeEach, expect, test, vi } from "vitest";

import { addressOf, follow, followed, unfollow } from "../../../frontend/src/watching/following";

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});

test("followed people are listed once, the latest last, until they are removed", () => {
  follow("herbstcup/7");
  follow("herbstcup/8");
  follow("herbstcup/7");
  expect(followed()).toEqual(["herbstcup/8", "herbstcup/7"]);
  unfollow("herbstcup/8");
  unfollow("herbstcup/7");
  expect(followed()).toEqual([]);
  expect(kept.size).toBe(0);
});

test("of more than eight the oldest are forgotten", () => {
  for (let number = 1; number <= 10; number += 1) follow(`herbstcup/${number}`);
  expect(followed()).toHaveLength(8);
  expect(followed()[0]).toBe("herbstcup/3");
});

test("nothing else that lies in the storage becomes an address", () => {
  for (const wrong of ['["../x/1", "//evil/1", "a/b", 7, null]', "{", '{"a": 1}', "null"]) {
    kept.set("puur_followed", wrong);
    expect(followed()).toEqual([]);
  }
  follow("herbstcup/7/../../x");
  expect(followed()).toEqual([]);
  expect(addressOf("herbst-cup/12")).toBe("/c/herbst-cup/people/12/follow/");
});

test("a closed storage follows nobody and breaks nothing", () => {
  vi.stubGlobal("localStorage", { getItem: () => { throw new Error("closed"); }, setItem: () => { throw new Error("closed"); } }); // prettier-ignore
  follow("herbstcup/7");
  expect(followed()).toEqual([]);
});
