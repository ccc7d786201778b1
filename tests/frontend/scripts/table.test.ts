import { describe, expect, test } from "vitest";

import { DECK, reasonOf } from "../../../frontend/src/table/cards";
import { fold } from "../../../frontend/src/table/table";
import { nextSeat, stoeckWith, winningPlay } from "../../../frontend/src/table/turn";
import { DEALT, GAME, NAMED, numbered, play, START, TRICK } from "./game";

describe("the picture of a table", () => {
  test("follows the cards: trick, points, what is left in the hands", () => {
    const table = fold(GAME);

    expect(table.tricks).toHaveLength(1);
    expect(table.tricks[0]?.taker).toBe(0);
    expect(table.taken).toEqual([38, 0]);
    expect(table.trick.map((played) => played.card)).toEqual(["SA"]);
    expect(table.sizes).toEqual([7, 8, 8, 8]);
    expect(table.contract).toBe("hearts");
    expect(table.seq).toBe(GAME.length - 1);
  });

  test("keeps a known hand and takes played cards out of it", () => {
    const dealt = DEALT.map((body) => (body["seat"] === 0 ? { ...body, cards: ["HJ", "SA", "D6"] } : body));
    const table = fold(numbered([START, ...dealt, ...NAMED, ...TRICK]));

    expect(table.hands[0]).toEqual(["SA", "D6"]);
    expect(table.hands[1]).toBeNull();
  });

  test("leaves the points of a side open once one trick has no known points", () => {
    const table = fold(numbered([START, ...DEALT, ...NAMED, play(0, null), { type: "trick_taken", seat: null, points: null }]));

    expect(table.taken).toEqual([null, null]);
  });

  test("remembers the trick before when a new deal begins in the same breath", () => {
    const table = fold(numbered([START, ...DEALT, ...NAMED, ...TRICK, { type: "deal_started", deal: 2, dealer: 0 }]));

    expect(table.tricks).toHaveLength(0);
    expect(table.lastTrick?.plays.map((played) => played.card)).toEqual(["HJ", "H6", "H9", "HK"]);
  });

  test("counts a deal as the last ruling on it says", () => {
    const table = fold(
      numbered([
        START,
        ...DEALT,
        { type: "deal_scored", deal: 1, card_points: [100, 57], scores: [100, 57], totals: [100, 57] },
        { type: "ruling_made", ruling: 1, kind: "award_from_trick", deal: 1, reason: "revoke", scores: [0, 157], totals: [0, 157] },
      ]),
    );

    expect(table.rows[0]?.scores).toEqual([0, 157]);
    expect(table.totals).toEqual([0, 157]);
  });

  test("moves on past an event it has never heard of", () => {
    const table = fold([...GAME, { seq: GAME.length, type: "something_new" }]);

    expect(table.seq).toBe(GAME.length);
    expect(table.trick).toHaveLength(1);
  });

  test("replaces a corrected result and wants it confirmed again", () => {
    const result = { seat: 0, side: 0, deal: 1, card_points: [87, 70], scores: [87, 70], totals: [87, 70] };
    const table = fold(
      numbered([
        { ...START, mode: "sheet" },
        { type: "result_entered", ...result },
        { type: "result_confirmed", seat: 1, side: 1, deal: 1 },
        { type: "result_corrected", ...result, scores: [78, 79], totals: [78, 79], replaces: 1 },
      ]),
    );

    expect(table.results).toHaveLength(1);
    expect(table.results[0]?.confirmed).toBe(false);
    expect(table.totals).toEqual([78, 79]);
  });
});

describe("questions of a hand", () => {
  test("whose turn it is goes round, and to the taker after a trick", () => {
    expect(nextSeat(fold(GAME))).toBe(1);
    expect(nextSeat(fold(GAME.slice(0, -1)))).toBe(0);
    expect(nextSeat(fold(numbered([START, ...DEALT])))).toBe(0);
    expect(nextSeat(fold(numbered([START, ...DEALT, NAMED[0]!])))).toBe(2);
  });

  test("the puur wins over the nell and the ace of trumps", () => {
    const table = fold(numbered([START, ...DEALT, ...NAMED, play(0, "H9"), play(1, "HA"), play(2, "HJ")]));

    expect(winningPlay(table)).toBe(2);
  });

  test("Stöck comes with the second of king and queen, from the same hand", () => {
    const table = fold(GAME);

    expect(stoeckWith(table, 3, "HQ")).toBe(true);
    expect(stoeckWith(table, 2, "HQ")).toBe(false);
    expect(stoeckWith(table, 3, "SQ")).toBe(false);
  });

  test("a dark card says why, in the words of the reason the server gave", () => {
    const why = DECK.map((card) => (card === "D6" ? "1" : card === "H7" ? "3" : "0")).join("");

    expect(reasonOf(why, "D6")).toBe("reason.1");
    expect(reasonOf(why, "H7")).toBe("reason.3");
    expect(reasonOf(why, "S6")).toBeNull();
    expect(reasonOf(undefined, "D6")).toBeNull();
  });
});

test("once somebody has dealt in another's place, who deals next is the game's to say", () => {
  const deal = (number: number, dealer: number, more = {}) => ({ type: "deal_started", deal: number, dealer, ...more });

  expect(fold(numbered([START, deal(1, 3)])).exchanged).toBe(false);
  expect(fold(numbered([START, deal(1, 3), deal(2, 2, { place: 0 })])).exchanged).toBe(true);
  expect(fold(numbered([START, deal(1, 3), deal(2, 2, { place: 0 }), deal(3, 1)])).exchanged).toBe(true);
});
