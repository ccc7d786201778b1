import { expect, test } from "vitest";

import { difference, say, useWords } from "../../../frontend/src/page";

test("sentences contain a minus sign in front of negative numbers", () => {
  useWords({ "log.stoeck_declared": "{name} declares the Stöck: {points}." });
  expect(say("log.stoeck_declared", { name: "Anna-Lea", points: -20 })).toBe("Anna-Lea declares the Stöck: −20.");
});

test("a difference has one sign", () => {
  expect([20, -20, 0].map(difference)).toEqual(["+20", "−20", "0"]);
});
