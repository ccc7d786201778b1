import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { answer, fits, type Seen } from "../../../frontend/src/choices/by-words";
import type { Code } from "../../../frontend/src/table/cards";
import { NOTHING_LAID, type Pile } from "../../../frontend/src/table/laying-out";
import { useWords } from "../../../frontend/src/page";
import { EMPTY, reduce, type Table } from "../../../frontend/src/table/table";
import { GAME } from "./game";

const WORDS = {
  "card.name": "{suit} {rank}",
  "rank.ch.6": "6",
  "rank.ch.7": "7",
  "rank.ch.8": "8",
  "rank.ch.9": "9",
  "rank.ch.10": "10",
  "rank.ch.Q": "Q",
  "rank.ch.K": "K",
  "rank.ch.A": "ace",
  "rank.ch.J": "under",
  "suit.ch.D": "bells",
  "suit.ch.H": "roses",
  "suit.ch.S": "shields",
  "suit.ch.C": "acorns",
  "card.suit.ch.D": "bells",
  "card.suit.ch.H": "roses",
  "card.suit.ch.S": "shields",
  "card.suit.ch.C": "acorns",
  "words.hand": "blatt",
  "words.your_hand": "Hand: {cards}.",
  "words.legal": "Legal: {cards}.",
  "words.open_own": "Open: {cards}.",
  "words.open_before": "Before {name}: {cards}.",
  "words.the_trick": "Trick {number}: {cards}",
  "words.empty_trick": "Trick {number}: nothing",
  "words.the_score": "Deal {deal}: {sides}",
  "slate.this_deal": "Here: {points}",
  "words.the_last": "{cards} by {name}",
  "words.which": "Which? {names}",
};

const press = vi.fn();
/** The first trick is taken, and the second is empty. */
const TAKEN = 13;

function seen(upTo: number, more: Partial<Seen> = {}): Seen {
  const table = GAME.slice(0, upTo).reduce<Table>((before, event) => reduce(before, event), EMPTY);
  return { page: { names: ["Anna", "Beat", "Chiara", "Dario"], rules: {} }, table, seat: 0, legal: [], offers: [], notes: [], ...more };
}

beforeAll(() => {
  vi.stubGlobal("document", { documentElement: { dataset: { deck: "ch" } } });
  useWords(WORDS);
});
afterAll(() => vi.unstubAllGlobals());

test("a name is told by the beginnings of its words", () => {
  expect(fits("sh a", "shields ace")).toBe(true);
  expect(fits("SHIELDS", "shields ace")).toBe(true);
  expect(fits("a sh", "shields ace")).toBe(false);
  expect(fits("", "shields ace")).toBe(false);
});

test("the hand is told by the English word and by the reader's, and what of it may be played", () => {
  const table: Table = { ...EMPTY, hands: [["SA", "HA"]] };

  for (const line of ["hand", "Blatt "]) expect(answer(line, seen(1, { table }))).toEqual({ text: "Hand: shields ace, roses ace." });
  expect(answer("hand", seen(1, { table, legal: ["HA"] }))).toEqual({ text: "Hand: shields ace, roses ace. Legal: roses ace." });
});

test("the trick that lies, the one before and the points are told with names", () => {
  expect(answer("trick", seen(10))).toEqual({ text: expect.stringMatching(/^Trick 1: \w+: \w+ \w+, \w+: \w+ \w+$/) });
  expect(answer("trick", seen(TAKEN))).toEqual({ text: "Trick 2: nothing" });
  expect(answer("score", seen(TAKEN))).toEqual({ text: "Deal 1: Anna & Chiara: 0, Beat & Dario: 0 Here: Anna & Chiara: 38, Beat & Dario: 0." });
  expect(answer("score", seen(10))).toEqual({ text: "Deal 1: Anna & Chiara: 0, Beat & Dario: 0 Here: Anna & Chiara: 0, Beat & Dario: 0." });
});

test("the last trick is told where the rules of the table let it be looked at, nowhere else", () => {
  const over = seen(TAKEN);
  const allowed = (how: string): Seen => ({ ...over, table: { ...over.table, options: { ...over.table.options, look_back: how } } });

  expect(answer("last", allowed("last"))).toEqual({ text: expect.stringMatching(/ by Anna$/) });
  expect(answer("last", allowed("first"))).toEqual({ text: "words.not_looked_at" });
  expect(answer("last", seen(8))).toEqual({ text: "words.no_trick" });
});

test("a card is named by its code or by what only it is called; of several it is asked which", () => {
  const table: Table = { ...EMPTY, hands: [["SA", "SJ", "HA"]] };
  const at = seen(1, { table });

  expect(answer("sa", at)).toEqual({ card: "SA" });
  expect(answer("roses", at)).toEqual({ card: "HA" });
  expect(answer("shields", at)).toEqual({ text: "Which? shields ace, shields under" });
  expect(answer("queen", at)).toEqual({ text: "words.unknown" });
});

test("what can be said is said by its name", () => {
  const push = { name: "Push", press };

  expect(answer("push", seen(5, { offers: [push, { name: "Bells", press }] }))).toEqual({ offer: push });
});

test("who says all of a name means what is called so, though cards begin with it", () => {
  const offers = ["Shields", "Roses", "Roses, top-down first"].map((name) => ({ name, press }));
  const table: Table = { ...EMPTY, hands: [["SA", "SJ", "HA"]] };

  expect(answer("roses", seen(1, { table, offers }))).toEqual({ offer: offers[1] });
  expect(answer("shie", seen(1, { table, offers }))).toEqual({ text: "Which? shields ace, shields under, Shields" });
});

test("cards that lie open are told and can be played as those in the hand, and those before others are told with the trick", () => {
  const pile = (open: Code): Pile => ({ open, closed: true, bare: false });
  const laid = { ...NOTHING_LAID, piles: [[pile("SA")], [pile("CA"), pile("CJ")]] };
  const table: Table = { ...EMPTY, hands: [["HA"], null], laid };

  expect(answer("hand", seen(1, { table, legal: ["SA"] }))).toEqual({ text: "Hand: roses ace. Open: shields ace. Legal: shields ace." });
  expect(answer("shields ace", seen(1, { table }))).toEqual({ card: "SA" });
  expect(answer("ace shields", seen(1, { table }))).toEqual({ card: "SA" });
  expect(answer("acorns ace", seen(1, { table }))).toEqual({ text: "words.unknown" });
  expect(answer("trick", seen(1, { table }))).toEqual({ text: "Trick 1: nothing Before Beat: acorns ace, acorns under." });
});

test("how many cards are to be chosen is told with the hand", () => {
  const table: Table = { ...EMPTY, hands: [["HA"]] };

  expect(answer("hand", seen(1, { table, notes: ["Choose 6, 2 chosen"] }))).toEqual({ text: "Hand: roses ace. Choose 6, 2 chosen" });
});

test("nothing is said of hands that the others hold, even where the page were to know them", () => {
  const world = (beat: Code[], dario: Code[]): Table => ({ ...seen(10).table, hands: [["SA", "HA"], beat, ["C7"], dario] });
  const [one, other] = [world(["S6", "D8"], ["C9"]), world(["C9", "D8"], ["S6"])];

  for (const line of ["hand", "trick", "score", "last", "S6", "shields", "acorns 9"]) {
    expect(answer(line, seen(10, { table: one }))).toEqual(answer(line, seen(10, { table: other })));
  }
  expect(answer("hand", seen(10, { table: one, seat: 1 }))).not.toEqual(answer("hand", seen(10, { table: other, seat: 1 })));
});
