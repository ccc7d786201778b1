import { describe, expect, test } from "vitest";

import { chalk, total } from "../../../frontend/src/slate";

describe("the slate", () => {
  test("writes hundreds above, fifties in the middle, twenties below, the rest as a figure", () => {
    const slate = chalk([197]);

    expect(slate.hundreds).toEqual(["I"]);
    expect(slate.fifties).toBe(1);
    expect(slate.twenties).toBe(2);
    expect(slate.rests).toEqual([{ value: 7, crossed: false }]);
  });

  test("turns rests into a stroke at twenty and crosses them out", () => {
    const slate = chalk([12, 15]);

    expect(slate.twenties).toBe(1);
    expect(slate.rests).toEqual([
      { value: 12, crossed: true },
      { value: 15, crossed: true },
      { value: 7, crossed: false },
    ]);
  });

  test("writes five hundred and a thousand in one go as V and X", () => {
    expect(chalk([1628]).hundreds).toEqual(["X", "V", "I"]);
  });

  test("notes what is taken away as a negative figure", () => {
    const slate = chalk([100, -30]);

    expect(slate.rests).toEqual([{ value: -30, crossed: false }]);
    expect(total(slate)).toBe(70);
  });

  test("is always worth what was written", () => {
    for (let seed = 1; seed < 400; seed += 7) {
      const entries = [seed, (seed * 31) % 258, (seed * 17) % 157, seed % 3 === 0 ? -seed : 0, 514];
      expect(total(chalk(entries))).toBe(entries.reduce((a, b) => a + b, 0));
    }
  });
});
