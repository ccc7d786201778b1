import { describe, expect, test } from "vitest";

import { lastWord, predictionsOf } from "../../../frontend/src/table/calls";
import { openCards } from "../../../frontend/src/table/laying-out";
import { leastBid, pickCount, type Rules, rulesOf, type Slot, slotsLeft } from "../../../frontend/src/table/rules";
import { useWords } from "../../../frontend/src/page";
import { paid } from "../../../frontend/src/table/payments";
import { marksOf } from "../../../frontend/src/slate/slate-tallies";
import { fold, sideOf } from "../../../frontend/src/table/table";
import { actingBefore } from "../../../frontend/src/table/turn";
import { numbered, play } from "./game";

type Body = { type: string } & Record<string, unknown>;

const start = (seats: number, sides: number): Body => ({ type: "game_started", variant: "any", seats, sides, mode: "dealt", options: {} });
const deal = (seats: number, size: number, own: string[] | null = null): Body[] => [
  { type: "deal_started", deal: 1, dealer: seats - 1 },
  ...[...Array(seats).keys()].map((seat) => ({ type: "hand_dealt", seat, size, cards: seat === 0 ? own : null })),
];
const rules = (facts: Partial<Rules>): Rules => rulesOf({ rules: facts });

describe("an auction for a talon", () => {
  const opened: Body[] = [start(3, 2), ...deal(3, 2, ["SA", "D6"]), { type: "talon_dealt", open: ["H7"], size: 1, closed: null }];
  const won: Body[] = [
    { type: "bid_made", seat: 0, points: 500 },
    { type: "bid_deferred", seat: 1 },
    { type: "bid_passed", seat: 2 },
    { type: "bid_passed", seat: 1 },
    { type: "auction_won", seat: 0, points: 500 },
    { type: "talon_taken", seat: 0, cards: ["H7", "C8"] },
  ];

  test("says what everybody said, and how much the next bid is at least", () => {
    const table = fold(numbered([...opened, ...won.slice(0, 3)]));

    expect(lastWord(table, 0)).toEqual({ key: "bid", points: 500 });
    expect(lastWord(table, 1)).toEqual({ key: "deferred" });
    expect(lastWord(table, 2)).toEqual({ key: "passed" });
    expect(leastBid(rules({ bids: { least: 500, step: 10, raise: 25 } }), table)).toBe(530);
  });

  test("makes whoever won it a side alone, who holds the talon and puts as many cards away", () => {
    const table = fold(numbered([...opened, ...won]));

    expect([0, 1, 2].map((seat) => sideOf(table, seat))).toEqual([0, 1, 1]);
    expect(table.hands[0]).toEqual(["SA", "D6", "H7", "C8"]);
    expect(table.laid.talon).toBeNull();
    expect(pickCount(table, 0, ["discard"])).toBe(2);
    const after = fold(numbered([{ type: "cards_discarded", seat: 0, size: 2, cards: ["D6", "H7"] }], table.seq + 1), table);
    expect(after.hands[0]).toEqual(["SA", "C8"]);
    expect(after.sizes).toEqual([2, 2, 2]);
  });

  test("counts what was put away for the side that did it", () => {
    const table = fold(numbered([...opened, ...won, { type: "discards_counted", seat: 0, points: 21 }]));

    expect(table.taken).toEqual([21, 0]);
  });

  test("shows in a replay who spoke next", () => {
    const events = numbered([...opened, ...won]);
    const at = opened.length;

    expect(actingBefore(events, at, fold(events.slice(0, at + 1)))).toBe(1);
  });
});

describe("cards beside the hand", () => {
  const piles: Body[] = [start(2, 2), ...deal(2, 1, ["SA"]), { type: "table_dealt", seat: 0, open: ["H6", "C7"], size: 2, closed: null }];

  test("an open card on the table is played from there, and the closed one under it turned", () => {
    const played = fold(numbered([...piles, play(0, "H6")]));
    expect(openCards(played, 0)).toEqual(["C7"]);
    expect(played.sizes[0]).toBe(1);

    const turned = fold(numbered([{ type: "table_card_turned", seat: 0, card: "DK" }], played.seq + 1), played);
    expect(openCards(turned, 0)).toEqual(["DK", "C7"]);
    expect(turned.laid.piles[0]?.[0]).toEqual({ open: "DK", closed: false, bare: false });
  });

  test("the turned card goes for the six of trumps", () => {
    const laid: Body[] = [
      start(2, 2),
      ...deal(2, 2, ["S6", "DA"]),
      { type: "extra_dealt", seat: 0, size: 1, cards: null },
      { type: "trump_turned", card: "S9" },
    ];
    const after = fold(numbered([...laid, { type: "extra_exchanged", seat: 0, size: 1, given: ["DA"], taken: ["HK"] }]));

    expect(after.hands[0]).toEqual(["S6", "HK"]);
    const taken = fold(numbered([{ type: "turned_taken", seat: 0, six: "S6", card: "S9" }], after.seq + 1), after);
    expect(taken.hands[0]).toEqual(["HK", "S9"]);
  });
});

describe("what is left or sealed", () => {
  test("a slot is left until its side has played it in a deal that counts", () => {
    const slots: Slot[] = [
      { slot: "hearts", factor: 2, contracts: ["hearts"] },
      { slot: "joker7", factor: 7, contracts: ["hearts", "obenabe"] },
    ];
    const scored = { type: "deal_scored", deal: 1, card_points: [100, 57], scores: [700, 0], totals: [700, 0] };
    const played: Body[] = [start(4, 2), ...deal(4, 9), { type: "contract_set", seat: 2, contract: "hearts", slot: "joker7" }, scored];
    const left = (bodies: Body[], side: number): string[] => slotsLeft(rules({ slots }), fold(numbered(bodies)), side).map((one) => one.slot);

    expect(left(played, 0)).toEqual(["hearts"]);
    expect(left(played, 1)).toEqual(["hearts", "joker7"]);
    const ruling = { type: "ruling_made", ruling: 1, kind: "annul_deal", reason: "misdeal", scores: [0, 0], totals: [0, 0], deal: 1 };
    expect(left([...played, ruling, { type: "deal_annulled", deal: 1 }], 0)).toEqual(["hearts", "joker7"]);
  });

  test("a sealed prediction is known to be made, and known when it is revealed", () => {
    const made: Body[] = [start(3, 3), ...deal(3, 12), { type: "prediction_made", seat: 1, points: null, sealed: true }];

    expect(predictionsOf(fold(numbered(made)))).toEqual([null, null, null]);
    expect(predictionsOf(fold(numbered([...made, { type: "predictions_revealed", points: [40, 0, 117] }])))).toEqual([40, 0, 117]);
    expect(predictionsOf(fold(numbered(made.slice(0, -1))))).toBeNull();
  });
});

describe("single strokes", () => {
  test("a win crosses the first open zero off, else it is a stroke", () => {
    expect(marksOf([1, -1, -1, 1, 1, 1], "sacks")).toEqual(["I", "Ø", "Ø", "I"]);
    expect(marksOf([2, 0, null])).toEqual(["I", "I"]);
  });

  test("an apple stays, whatever is won after it", () => {
    expect(marksOf([1, -1, 1], "apples")).toEqual(["I", "apple", "I"]);
  });
});

describe("what is paid at the end", () => {
  test("comes in parts of the unit, and is said in units", () => {
    useWords({ "slate.pays": "pays {amount}", "slate.receives": "receives {amount}", "slate.even": "pays nothing" });

    expect([430, -410, 90, 0].map((payment) => paid(payment, 4))).toEqual(["pays 107.50", "receives 102.50", "pays 22.50", "pays nothing"]);
    expect(paid(-334, 3)).toBe("receives 111.33");
    expect(paid(8, 4)).toBe("pays 2");
  });
});
