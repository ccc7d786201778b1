import { describe, expect, test } from "vitest";

import { chalk, figuresOf, total } from "../../../frontend/src/slate/slate";

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

  test("shows every figure that counts, and crossed ones only while there is room", () => {
    const values = (entries: number[]) => figuresOf(chalk(entries), 4).map(({ value, crossed }) => (crossed ? `(${value})` : value));

    expect(values([103, 104, 102, 105, 101, 101])).toEqual([1, 1, 5, 2, 4, 3]);
    expect(values([12, 15])).toEqual([7, "(15)", "(12)"]);
    expect(values([12, 15, 1, 2, 3])).toEqual([3, 2, 1, 7]);
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
