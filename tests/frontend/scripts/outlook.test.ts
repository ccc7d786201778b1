import { expect, test } from "vitest";

import { outlookOf } from "../../../frontend/src/outlook";
import { rulesOf } from "../../../frontend/src/rules";
import { EMPTY, type Table, type Trick } from "../../../frontend/src/table";

const rules = rulesOf({ rules: { deals: 8, stoeck: true, contracts: [{ contract: "trump-C", factor: 2 }] } } as never);
const by = (taker: number): Trick => ({ taker, plays: [], points: 0, seq: 0 }) as unknown as Trick;
const last: Table = {
  ...EMPTY, seats: 4, sides: 2, deal: 8, contract: "trump-H" as Table["contract"], tricks: [by(0), by(1)], taken: [100, 20], totals: [900, 800],
}; // prettier-ignore

test("what no trick has brought yet is still to be won", () => {
  expect(outlookOf(last, rules).left).toBe(37);
  expect(outlookOf({ ...last, taken: [100, null] }, rules)).toEqual({ left: null, won: null });
  expect(outlookOf({ ...last, tricks: [], taken: [0, 0] }, rules).left).toBeNull();
  expect(outlookOf({ ...last, contract: null }, rules).left).toBeNull();
});

test("who is further ahead than all that is left cannot be caught", () => {
  // 1000 to 820; 37 points and a Stöck are to come.
  expect(outlookOf(last, rules).won).toBe(0);
  expect(outlookOf({ ...last, totals: [820, 857 - 0] }, rules).won).toBeNull();
});

test("as much as it takes to draw level is enough to hope", () => {
  const level: Table = { ...last, totals: [800, 823] };
  // 900 to 843; 37 and 20 make 900.
  expect(outlookOf(level, rules).won).toBeNull();
  expect(outlookOf({ ...level, totals: [800, 822] }, rules).won).toBe(0);
});

test("a factor, melds that were said, and a sweep that is possible keep hope alive", () => {
  const behind: Table = { ...last, totals: [800, 822] };
  const melds = [{ seat: 1, declared: [{ points: 20 }], melds: null }] as unknown as Table["declared"];
  expect(outlookOf({ ...behind, declared: melds }, rules).won).toBeNull();
  expect(outlookOf({ ...behind, totals: [1000, 822], tricks: [by(1), by(3)], taken: [0, 120] }, rules).won).toBeNull();
  const doubled: Table = { ...last, contract: "trump-C" as Table["contract"], totals: [800, 850] };
  expect(outlookOf(doubled, rules).won).toBeNull();
});

test("before the last deal, and in games that end otherwise, nobody is said to have won", () => {
  expect(outlookOf({ ...last, deal: 7 }, rules).won).toBeNull();
  for (const other of [{ targets: [1000, 1000] }, { slate: "predictions" as const }, { deals: null }]) {
    expect(outlookOf(last, { ...rules, ...other }).won).toBeNull();
  }
});
