import { describe, expect, test } from "vitest";

import { outlookOf } from "../../../frontend/src/table/outlook";
import { rulesOf } from "../../../frontend/src/table/rules";
import { EMPTY, type Table, type Trick } from "../../../frontend/src/table/table";

const rules = rulesOf({ rules: { deals: 8, stoeck: true, sweep: 100, contracts: [{ contract: "trump-C", factor: 2 }] } } as never);
const by = (taker: number, points: number | null): Trick => ({ taker, plays: [], points, seq: 0 }) as unknown as Trick;
const last: Table = {
  ...EMPTY, seats: 4, sides: 2, deal: 8, contract: "trump-H" as Table["contract"], tricks: [by(0, 100), by(1, 20)], sizes: [1, 1, 1, 1], totals: [900, 800],
}; // prettier-ignore

test("what no trick has brought yet is still to be won", () => {
  expect(outlookOf(last, rules).left).toBe(37);
  expect(outlookOf({ ...last, tricks: [by(0, 100), by(1, null)] }, rules)).toMatchObject({ left: null, won: null });
  expect(outlookOf({ ...last, tricks: [] }, rules).left).toBeNull();
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
  expect(outlookOf({ ...behind, totals: [1000, 822], tricks: [by(1, 100), by(3, 20)] }, rules).won).toBeNull();
  // After the comparison melds are part of the points, and add nothing more.
  const scored = { ...behind, declared: melds, meldPoints: [{ side: 1, points: 20 }], stoeck: [{ seat: 1, points: 20 }] };
  expect(outlookOf({ ...scored, totals: [820, 822] }, rules).won).toBe(0);
  expect(outlookOf({ ...scored, totals: [819, 822] }, rules).won).toBeNull();
  const doubled: Table = { ...last, contract: "trump-C" as Table["contract"], totals: [800, 850] };
  expect(outlookOf(doubled, rules).won).toBeNull();
});

test("a sweep pays more than its cards", () => {
  const swept: Table = { ...last, tricks: [by(1, 100), by(3, 20)] };
  // The target is 957: 820 and 120, 37, 20 are 997; with 100 for a sweep 1097.
  expect(outlookOf({ ...swept, totals: [1097, 820] }, rules).won).toBeNull();
  expect(outlookOf({ ...swept, totals: [1098, 820] }, rules).won).toBe(0);
});

describe("in each deal, as the state stood then, who could still win", () => {
  const plain = { ...rules, stoeck: false, contracts: [] };
  const early: Table = { ...last, deal: 7 };

  test("is whoever all that is to come could bring level", () => {
    // 37 in this deal, 257 in the one after it.
    expect(outlookOf({ ...early, totals: [1000, 786] }, plain).won).toBeNull();
    expect(outlookOf({ ...early, totals: [1000, 785] }, plain).won).toBe(0);
    expect(outlookOf({ ...early, deal: 6, totals: [1000, 785] }, plain).won).toBeNull();
  });

  test("before the first trick of a deal, and after its last, all of it or nothing of it is to come", () => {
    const before: Table = { ...early, deal: 8, contract: null, tricks: [] };
    expect(outlookOf({ ...before, totals: [1000, 743] }, plain).won).toBeNull();
    expect(outlookOf({ ...before, totals: [1000, 742] }, plain).won).toBe(0);
    const row = { deal: 7 } as Table["rows"][number];
    expect(outlookOf({ ...early, rows: [row], totals: [1000, 743] }, plain).won).toBeNull();
    expect(outlookOf({ ...early, rows: [row], totals: [1000, 742] }, plain).won).toBe(0);
  });

  test("a factor, melds and Stöck count in every deal that is to come", () => {
    const far: Table = { ...early, totals: [2000, 1000] };
    expect(outlookOf(far, plain).won).toBe(0);
    expect(outlookOf(far, { ...plain, melds: true }).won).toBeNull();
    const factor = { ...plain, contracts: [{ contract: "clubs" as const, factor: 5 }] };
    expect(outlookOf(far, factor).won).toBeNull();
  });

  test("until then it says who leads, by how much, and how many deals are to come", () => {
    expect(outlookOf({ ...early, deal: 3, totals: [300, 350] }, plain).ahead).toEqual({ side: 0, by: 30, deals: 5, here: true });
    expect(outlookOf({ ...early, deal: 3, totals: [300, 380] }, plain).ahead).toBeNull();
    const missed = { ...plain, slate: "predictions" as const };
    expect(outlookOf({ ...early, deal: 3, totals: [30, 50] }, missed).ahead).toEqual({ side: 0, by: 20, deals: 5, here: false });
    const next = { ...early, deal: 3, tricks: [], totals: [350, 300] };
    expect(outlookOf(next, plain).ahead).toEqual({ side: 0, by: 50, deals: 5, here: false });
  });

  test("where so many points win, what each side still needs", () => {
    const until = { ...plain, deals: null, targets: [1000, 1000] };
    expect(outlookOf({ ...early, totals: [850, 300] }, until)).toMatchObject({ won: null, ahead: null, needs: [50, 680] });
    expect(outlookOf({ ...early, totals: [950, 300] }, until).needs).toEqual([0, 680]);
  });
});

test("melds and Stöck that count are in how it stands, with the factor", () => {
  const doubled = { ...rules, deals: null, targets: [1000, 1000], contracts: [{ contract: "clubs" as const, factor: 2 }] };
  const table: Table = { ...last, contract: "clubs", totals: [0, 0], meldPoints: [{ side: 1, points: 50 }], stoeck: [{ seat: 3, points: 20 }] };
  expect(outlookOf(table, doubled).needs).toEqual([800, 820]);
});

test("in games that end otherwise nobody is said to have won", () => {
  for (const other of [{ targets: [1000, 1000] }, { slate: "predictions" as const }, { deals: null }]) {
    expect(outlookOf(last, { ...rules, ...other }).won).toBeNull();
  }
});
