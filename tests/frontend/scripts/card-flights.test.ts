import { describe, expect, test } from "vitest";

import { countedDeal, madeOf } from "../../../frontend/src/board/deal-end";
import { landsAfter } from "../../../frontend/src/board/card-flights";
import { heapFor, heapsOf } from "../../../frontend/src/board/heaps";
import { useWords } from "../../../frontend/src/page";
import { rulesOf } from "../../../frontend/src/table/rules";
import { fold, type Table } from "../../../frontend/src/table/table";
import { DEALT, NAMED, numbered, play, START, TRICK } from "./game";

const after = (...bodies: typeof TRICK): Table => fold(numbered([START, ...DEALT, ...NAMED, ...bodies]));
const trick = (taker: number | null): typeof TRICK => [...[0, 1, 2, 3].map((seat) => play(seat, null)), { type: "trick_taken", seat: taker, points: null }];
const SCORED = { type: "deal_scored", deal: 1, card_points: [100, 57], scores: [100, 57], totals: [100, 57], ties: null };

describe("dealt from the dealer", () => {
  test("three cards at a time, who sits after the dealer first", () => {
    const dealt = { dealer: 3, seats: 4 };
    const order = [0, 1, 2, 3].map((seat) => landsAfter(dealt, seat, 0));
    expect([...order].sort((a, b) => a - b)).toEqual(order);
    expect(landsAfter(dealt, 0, 2)).toBe(landsAfter(dealt, 0, 0));
    expect(landsAfter(dealt, 0, 3)).toBeGreaterThan(landsAfter(dealt, 3, 0));
    expect(landsAfter(dealt, 1, 3)).toBeGreaterThan(landsAfter(dealt, 0, 3));
  });

  test("the whole deal takes little more than a second", () => {
    for (const [seats, size] of [[4, 9], [3, 12], [2, 18]] as const) {
      const last = Math.max(...[...Array(seats).keys()].map((seat) => landsAfter({ dealer: 0, seats }, seat, size - 1)));
      expect(last).toBeLessThan(1300);
    }
  });
});

describe("swept to the taker's heap", () => {
  test("which lies by who took the first trick of a side, with the count of its tricks", () => {
    const table = after(...trick(2), ...trick(1), ...trick(0), ...trick(3));
    expect(heapsOf(table)).toEqual([{ side: 0, seat: 2, tricks: 2 }, { side: 1, seat: 1, tricks: 2 }]);
    expect(heapFor(table, 0)).toBe(2);
    expect(heapFor(table, 3)).toBe(1);
  });

  test("and not before it is swept there", () => {
    const table = after(...trick(2), ...trick(0));
    expect(heapsOf(table, 1)).toEqual([{ side: 0, seat: 2, tricks: 1 }]);
    expect(heapsOf(after(...trick(1)), 1)).toEqual([]);
    expect(heapFor(after(), 3)).toBe(3);
  });

  test("of a trick that nobody knows who took there is none", () => {
    expect(heapsOf(after(...trick(null)))).toEqual([]);
  });

  test("a new deal begins without heaps", () => {
    expect(heapsOf(after(...trick(2), SCORED, { type: "deal_started", deal: 2, dealer: 0 }))).toEqual([]);
  });
});

describe("at the deal's end the heaps turn over", () => {
  test("once it is counted, until the next is dealt or the game is over", () => {
    const over = [...TRICK, SCORED];
    expect(countedDeal(after(...TRICK))).toBeNull();
    expect(countedDeal(after(...over))?.scores).toEqual([100, 57]);
    expect(countedDeal(after(...over, { type: "deal_started", deal: 2, dealer: 0 }))).toBeNull();
    expect(countedDeal(after(...over, { type: "game_ended", winners: [0], totals: [100, 57] }))).toBeNull();
  });

  test("of a deal that is annulled nothing is counted", () => {
    const ruling = { type: "ruling_made", ruling: 1, deal: 1, kind: "annul_deal", replaces: null, scores: [0, 0], totals: [0, 0] };
    expect(countedDeal(after(...TRICK, SCORED, ruling))).toBeNull();
  });
});

describe("what a deal was made of is said beside it", () => {
  useWords({ "deals.in_cards": "{points} in cards", "deals.predicted": "predicted {points}", "deals.sweep": "sweep {points}", "table.melds": "Meld {points}", "table.stoeck": "Stöck" });
  const rules = rulesOf({ rules: { sweep: 100, contracts: [{ contract: "hearts", factor: 2 }] } } as never);
  const made = (table: Table, side: number, factors = rules): string => madeOf(table, table.rows.at(-1)!, side, factors);
  const scored = (scores: number[], cards = [100, 57]): (typeof TRICK)[number] => ({ ...SCORED, card_points: cards, scores });

  test("cards, melds, Stöck and how many times it counts", () => {
    const melds = { type: "melds_scored", side: 0, points: 40, shown: [] };
    const table = after({ type: "stoeck_declared", seat: 1, points: 20 }, melds, ...trick(0), ...trick(1), scored([280, 154]));
    expect(made(table, 0)).toBe("100 in cards, Meld 40, ×2");
    expect(made(table, 1)).toBe("57 in cards, Stöck 20, ×2");
  });

  test("a sweep, of who took all", () => {
    const table = after(...trick(0), ...trick(2), scored([514, 0], [157, 0]));
    expect(made(table, 0)).toBe("157 in cards, sweep 100, ×2");
    expect(made(table, 1)).toBe("0 in cards, ×2");
  });

  test("what was predicted", () => {
    const table = after({ type: "predictions_revealed", points: [40, 60, 0, 57] }, ...trick(0), ...trick(1), scored([14, 3], [54, 57]));
    expect(made(table, 0, rulesOf({ rules: {} } as never))).toBe("predicted 40, 54 in cards");
  });

  test("nothing where the cards are all that counted", () => {
    expect(made(after(...trick(0), ...trick(1), SCORED), 0, rulesOf({ rules: {} } as never))).toBe("");
  });
});
