import { expect, test } from "vitest";

import { bestDeal, whyOver } from "../../../frontend/src/board/game-end";
import { dealOf } from "../../../frontend/src/table/moments";
import { type Page, useWords } from "../../../frontend/src/page";
import { type DealRow, fold, type Table } from "../../../frontend/src/table/table";
import { numbered, START } from "./game";

useWords({
  "end.stopped": "{name} enough", "end.claimed": "{name} claimed", "end.claimed_wrongly": "{name} claimed wrongly", "end.bid": "bid {points}",
  "end.target": "target {points}", "end.deals": "deals {deals}", "end.apples": "apples", "end.strokes": "strokes {points}",
}); // prettier-ignore

const names = ["Anna", "Beat", "Chiara", "Dario"];
const page = (rules: Record<string, unknown>): Page => ({ names, rules: { slate: "points", deals: null, targets: null, ...rules } }) as unknown as Page;
const row = (deal: number, scores: number[], more: Partial<DealRow> = {}): DealRow => ({ deal, scores, annulled: false, ...more }) as unknown as DealRow;
const ended = (more: Partial<Table>): Table => ({ ...fold(numbered([START])), winners: [0], totals: [1000, 700], rows: [], ...more });

test("each end says why it came", () => {
  const calls = ended({}).calls;
  const plain = ended({});

  expect(whyOver(page({ targets: [1000, 1000] }), plain)).toBe("target 1000");
  expect(whyOver(page({ targets: [null, null] }), ended({ bid: 900 }))).toBe("bid 900");
  expect(whyOver(page({ deals: 2 }), ended({ rows: [row(1, [1, 2]), row(2, [1, 2])] }))).toBe("deals 2");
  expect(whyOver(page({ slate: "apples" }), ended({ options: { goal: "apples" } }))).toBe("apples");
  expect(whyOver(page({ slate: "strokes" }), ended({ totals: [7, 2] }))).toBe("strokes 7");
  expect(whyOver(page({ slate: "sacks" }), ended({ totals: [5, 0], calls: { ...calls, stopped: 1 } }))).toBe("Beat enough strokes 5");
  expect(whyOver(page({}), ended({ calls: { ...calls, claimed: { seat: 2, right: true } as never } }))).toBe("Chiara claimed");
  expect(whyOver(page({}), ended({ calls: { ...calls, claimed: { seat: 3, right: false } as never } }))).toBe("Dario claimed wrongly");
  expect(whyOver(page({}), ended({ winners: null }))).toBe("");
});

test("the best deal is the one that brought the winner most beside the others", () => {
  const rows = [row(1, [100, 57]), row(2, [0, 257]), row(3, [157, 0]), row(4, [300, 0], { annulled: true })];

  expect(bestDeal(page({}), ended({ rows }))?.deal).toBe(3);
  expect(bestDeal(page({}), ended({ rows, winners: [1] }))?.deal).toBe(2);
  expect(bestDeal(page({}), ended({ rows: rows.slice(0, 1) }))).toBeNull();
  expect(bestDeal(page({}), ended({ rows: [row(1, [10, 20]), row(2, [30, 30])] }))).toBeNull();
  expect(bestDeal(page({ slate: "predictions" }), ended({ rows: [row(1, [20, 9, 9, 9]), row(2, [0, 40, 30, 9])] }))?.deal).toBe(2);
});

test("a link leads to where a deal begins", () => {
  expect([dealOf("#deal=4"), dealOf("#seq=4"), dealOf("#deal=x"), dealOf("")]).toEqual([4, null, null, null]);
});
