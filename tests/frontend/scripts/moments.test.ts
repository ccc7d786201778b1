import { expect, test } from "vitest";

import { askedFor, cardFollows, dealsOf, jump, placeOf, seqOf, step } from "../../../frontend/src/table/moments";
import { EMPTY, reduce, type Table } from "../../../frontend/src/table/table";
import { DEALT, GAME, NAMED, numbered, play, START, TRICK } from "./game";

function picturesOf(events: readonly (typeof GAME)[number][]): Table[] {
  let table = EMPTY;
  return events.map((event) => (table = reduce(table, event)));
}

test("a deal begins with what is said of its hands, its tricks with their first card", () => {
  const [deal, ...others] = dealsOf(GAME, picturesOf(GAME));

  expect(others).toEqual([]);
  expect([deal?.deal, deal?.begin, deal?.start, deal?.end]).toEqual([1, 1, 5, 13]);
  expect(deal?.over).toBe(false);
  expect(deal?.tricks).toMatchObject([{ first: 8, end: 12, side: 0, seat: 0, points: 38, marked: false }]);
});

test("the taking of a trick belongs to that trick, the next card to the next", () => {
  const deals = dealsOf(GAME, picturesOf(GAME));

  expect(placeOf(deals, 0)).toEqual({ deal: -1, trick: -1 });
  expect(placeOf(deals, 6)).toEqual({ deal: 0, trick: -1 });
  expect(placeOf(deals, 8)).toEqual({ deal: 0, trick: 0 });
  expect(placeOf(deals, 12)).toEqual({ deal: 0, trick: 0 });
});

test("a trick is marked where a card of it was against the rules, and its deal with it", () => {
  const found = { type: "infraction_found", seat: 1, trick: 1, code: "revoke", at_seq: 9 };
  const game = numbered([START, ...DEALT, ...NAMED, ...TRICK, found]);
  const [deal] = dealsOf(game, picturesOf(game));

  expect([deal?.marked, deal?.tricks[0]?.marked]).toEqual([true, true]);
});

test("a trick that was taken back is none", () => {
  const started = { ...START, mode: "transcribed" };
  const game = numbered([started, ...DEALT, ...NAMED, ...TRICK, { type: "taken_back", seat: null, to: 11 }]);

  expect(dealsOf(game, picturesOf(game))[0]?.tricks).toEqual([]);
});

test("a step passes over hands being dealt, and stays within the game", () => {
  const game = numbered([START, ...DEALT, ...NAMED, play(0, "HJ")]);

  expect(step(game, 1, 1)).toBe(6);
  expect(step(game, 6, -1)).toBe(1);
  expect(step(game, 0, -1)).toBe(0);
  expect(step(game, 8, 1)).toBe(8);
});

test("the nearest place on either side is jumped to", () => {
  expect(jump([3, 12], 3, 1)).toBe(12);
  expect(jump([3, 12], 12, 1)).toBe(12);
  expect(jump([3, 12], 13, -1)).toBe(12);
});

test("a link names a moment, anything else names none", () => {
  expect(seqOf("#seq=17")).toBe(17);
  expect(seqOf("#seq=x")).toBeNull();
  expect(askedFor("?at=17")).toBe(17);
  for (const query of ["", "?at=", "?at=-1", "?at=1x", "?at=12345678"]) expect(askedFor(query)).toBeNull();
  expect(seqOf("")).toBeNull();
});

test("another card can be tried where one of the same deal follows", () => {
  const scored = { type: "deal_scored", deal: 1, card_points: [100, 57], scores: [100, 57], totals: [100, 57] };
  const ended = { type: "game_ended", winners: [0], totals: [100, 57] };
  const game = numbered([START, ...DEALT, ...NAMED, ...TRICK, scored, { ...DEALT[0]!, deal: 2 }, ...TRICK, scored, ended]);

  expect([0, 1, 7, 10].map((at) => cardFollows(game, at))).toEqual([false, true, true, true]);
  // The first deal is over, the second begins, and its last card is on the table.
  expect([11, 12, 13, 14, 18, 20].map((at) => cardFollows(game, at))).toEqual([false, false, false, true, false, false]);
});
