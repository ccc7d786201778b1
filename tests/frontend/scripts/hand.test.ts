import { describe, expect, test } from "vitest";

import { codesOf, DECK } from "../../../frontend/src/table/cards";
import { sortHand } from "../../../frontend/src/table/hand-order";
import { heldAtFirst } from "../../../frontend/src/board/hand";
import { meldsIn, mayCount } from "../../../frontend/src/table/melds";
import { calledNames } from "../../../frontend/src/table/short-names";
import { fold, sideShown, type Table } from "../../../frontend/src/table/table";
import { DEALT, NAMED, numbered, START } from "./game";

describe("a hand", () => {
  test("is sorted by suits with trumps first, high to low as trumps go", () => {
    expect(sortHand(["C6", "H9", "HJ", "HA", "S7", "SA"], "hearts")).toEqual(["HJ", "H9", "HA", "SA", "S7", "C6"]);
  });

  test("turns round when the contract is bottom-up", () => {
    expect(sortHand(["SA", "S6", "S10"], "undenufe")).toEqual(["S6", "S10", "SA"]);
  });

  test("reads a mask in deck order", () => {
    const mask = DECK.map((code) => (code === "S6" || code === "DA" ? "1" : "0")).join("");

    expect(codesOf(mask)).toEqual(["DA", "S6"]);
  });
});

describe("proposed melds", () => {
  test("are sequences as long as they go", () => {
    expect(meldsIn(["S6", "S7", "S8", "S9", "D6", "D7"])).toEqual([{ cards: ["S6", "S7", "S8", "S9"], points: 50 }]);
  });

  test("count nine in a row as three hundred", () => {
    expect(meldsIn(DECK.slice(0, 9))[0]?.points).toBe(300);
  });

  test("let a card be in a sequence and in four of a kind", () => {
    const melds = meldsIn(["SJ", "SQ", "SK", "HJ", "DJ", "CJ"]);

    expect(melds.map((meld) => meld.points)).toEqual([200, 20]);
  });

  test("leave out low fours where the table does not count them", () => {
    const sixes = ["D6", "H6", "S6", "C6"] as const;

    expect(meldsIn(sixes)).toHaveLength(1);
    expect(meldsIn(sixes, { low_quads: false })).toHaveLength(0);
  });
});

test("a declared meld stands beside its seat until the melds of the other side score", () => {
  const declares = (seat: number, points: number): (typeof DEALT)[number] => ({ type: "melds_declared", seat, declared: [{ points }], melds: null });
  const both = [START, ...DEALT, ...NAMED, declares(0, 20), declares(1, 50)];
  const seen = (table: Table): number[] => [0, 1, 2, 3].map((seat) => mayCount(table, seat).length);
  const scored = (side: number | null): (typeof DEALT)[number] => ({ type: "melds_scored", side, points: side === null ? null : 50, shown: [] });

  expect(seen(fold(numbered(both)))).toEqual([1, 1, 0, 0]);
  expect(seen(fold(numbered([...both, scored(1)])))).toEqual([0, 1, 0, 0]);
  expect(seen(fold(numbered([...both, scored(null)])))).toEqual([1, 1, 0, 0]);
});

test("a hand is as wide as when its first card was played, also where others lay on the table", () => {
  const dealt = [
    { type: "game_started", seats: 2, sides: 2, variant: "lake-constance", preset: null, options: {}, players: [], mode: "dealt" },
    { type: "deal_started", deal: 1, dealer: 1 },
    ...[0, 1].map((seat) => ({ type: "hand_dealt", seat, cards: null, size: 2 })),
    { type: "table_dealt", seat: 0, open: ["H6", "C7"], size: 2, closed: null },
  ] as unknown as (typeof DEALT)[number][];
  const plays = (seat: number, card: string): (typeof DEALT)[number] => ({ type: "card_played", seat, card }) as unknown as (typeof DEALT)[number];
  const turned = { type: "table_card_turned", seat: 0, card: "S9" } as unknown as (typeof DEALT)[number];
  const later = [dealt, [...dealt, plays(0, "SA")], [...dealt, plays(0, "H6")], [...dealt, plays(0, "H6"), turned, plays(0, "S9")]];

  expect(later.map((events) => heldAtFirst(fold(numbered(events)), 0))).toEqual([2, 2, 2, 2]);
});

describe("the side of a seat that is shown", () => {
  test("is not known before an auction has found who plays against all others", () => {
    const bieter = { ...fold(numbered([START])), seats: 3, sides: 2, declarer: null };

    expect([0, 1, 2].map((seat) => sideShown(bieter, seat))).toEqual([null, null, null]);
    expect([0, 1, 2].map((seat) => sideShown({ ...bieter, declarer: 1 }, seat))).toEqual([1, 0, 1]);
    expect([0, 1, 2, 3].map((seat) => sideShown(fold(numbered([START])), seat))).toEqual([0, 1, 0, 1]);
  });
});

test("names in a line are first names, where these tell all of a table apart", () => {
  expect(calledNames(["Anna Ammann", "Beat Bühler", "Chiara Caduff"])).toEqual(["Anna", "Beat", "Chiara"]);
  expect(calledNames(["Anna Ammann", "Anna Bühler"])).toEqual(["Anna Ammann", "Anna Bühler"]);
  expect(calledNames(["Seat A", "Seat B"])).toEqual(["Seat A", "Seat B"]);
});
