import { describe, expect, test } from "vitest";

import type { Code } from "../../../frontend/src/table/cards";
import { CardKeys } from "../../../frontend/src/transcripts/card-keys";
import { DealingForm } from "../../../frontend/src/transcripts/dealing-form";
import { type Evidence, ownersOf } from "../../../frontend/src/transcripts/evidence-view";
import { shortNames } from "../../../frontend/src/table/short-names";
import type { Page } from "../../../frontend/src/page";
import { chooserOf, factorOf, hidesTrumps, type Rules, rulesOf } from "../../../frontend/src/table/rules";
import { EMPTY, fold } from "../../../frontend/src/table/table";
import { closedDeal, hiddenPredictions, hidesAuction, hidesContract, lastAct } from "../../../frontend/src/table/deferred-events";
import { DEALT, NAMED, numbered, play, START } from "./game";

const typed = (keys: string): (string | null)[] => {
  const cards = new CardKeys();
  return [...keys].map((key) => cards.press(key));
};

describe("cards by keys", () => {
  test("take the suit first, then the rank", () => {
    expect(typed("sk")).toEqual([null, "SK"]);
    expect(typed("D0h6C1")).toEqual([null, "D10", null, "H6", null, "C10"]);
  });

  test("begin anew with another suit, and forget what is no card", () => {
    expect(typed("dha")).toEqual([null, null, "HA"]);
    expect(typed("dx7")).toEqual([null, null, null]);
  });

  test("know a card that nobody knows", () => {
    expect(typed("d?7")).toEqual([null, "?", null]);
  });
});

describe("a deal that is laid out", () => {
  const places = { first: [{ kind: "hand", turn: 0, at: [0, 1, 2] }, { kind: "turned", turn: null, at: [2] }, { kind: "hand", turn: 1, at: [3, 4, 5] }] };
  const table = { ...EMPTY, seats: 2 };
  const form = (more: object = {}): DealingForm => new DealingForm({ names: [] } as unknown as Page, rulesOf({ rules: { places, ...more } }), table, 1);

  test("asks for what lies open, and is ready when that is named", () => {
    const laid = form();

    expect(laid.asks).toBe(true);
    expect(laid.pick("SA")).toBe(true);
    expect(laid.command()).toEqual({ cmd: "deal", dealer: 1, deck: [null, null, "SA", ...Array<null>(33).fill(null)] });
  });

  test("sends the card that was cut beside the deck", () => {
    const laid = form({ cuts: true, places: {} });

    expect(laid.pick("H6")).toBe(true);
    expect(laid.command()).toEqual({ cmd: "deal", dealer: 1, cut: "H6" });
  });

  test("takes a card out again that was tapped twice", () => {
    const laid = form({ cuts: true, places: {} });
    laid.pick("H6");
    laid.pick("H6");

    expect(laid.picked).toEqual([]);
  });
});

describe("a slip of the pen", () => {
  const written = numbered([{ ...START, mode: "transcribed" }, ...DEALT, ...NAMED, play(0, "S6")]);
  const back = (to: number): { type: string; to: number } => ({ type: "taken_back", to });

  test("is taken back, and the table is as it was", () => {
    const before = fold(written.slice(0, -1));
    const after = fold([...written, ...numbered([back(written.length - 1)], written.length)]);

    expect(after.trick).toEqual([]);
    expect({ ...after, seq: 0 }).toEqual({ ...before, seq: 0 });
    expect(after.past.map((past) => past.type)).toEqual(["deal_started", "pushed", "contract_set"]);
  });

  test("can be one that several others followed", () => {
    const after = fold([...written, ...numbered([play(1, "S7"), back(written.length - 2)], written.length)]);

    expect([after.trick, after.contract, after.pushed]).toEqual([[], null, [0]]);
  });

  test("is nothing that a page of a dealt game keeps", () => {
    expect(fold(numbered([START, ...DEALT, ...NAMED])).past).toEqual([]);
  });
});

describe("what is told when cards lie already", () => {
  const suits: Rules["by_card"] = ["diamonds", "hearts", "spades", "clubs"];
  const by_card = (facts: Partial<Rules>): Rules => rulesOf({ rules: { by_card: suits, ...facts } });
  const turned = by_card({ places: { first: [{ kind: "turned", turn: null, at: [35] }] } });
  const written = (...more: { type: string }[]) => fold(numbered([{ ...START, mode: "transcribed" }, ...DEALT, ...more]));

  test("is what a card made trumps that nobody saw, as soon as the cards are dealt", () => {
    expect(hidesTrumps(turned, written())).toBe(true);
    expect(hidesTrumps(turned, written(...NAMED))).toBe(false);
    expect(hidesTrumps(turned, fold(numbered([START])))).toBe(false);
  });

  test("is what an unknown card may have made trumps, not what the next card will", () => {
    expect(hidesTrumps(by_card({}), written(play(0, "S6")))).toBe(false);
    expect(hidesTrumps(by_card({}), written(play(0, null)))).toBe(true);
  });

  test("is nobody's choice where a card names it", () => {
    expect(chooserOf(turned, written(...NAMED))).toBeNull();
    expect(chooserOf(rulesOf({ rules: {} }), written(...NAMED))).toBe(2);
  });

  test("counts once as long as its slot is not known", () => {
    const rules = rulesOf({ rules: { contracts: [{ contract: "hearts", factor: 2 }], slots: [{ slot: "joker7", factor: 7, contracts: ["hearts"] }] } });

    expect([factorOf(rules, "hearts", null), factorOf(rules, "hearts", "joker7")]).toEqual([1, 7]);
  });
});

describe("a deal of which something is told after its last card", () => {
  const begun = [{ ...START, mode: "transcribed" }, { type: "deal_started", deal: 1, dealer: 3 }, ...[0, 1, 2, 3].map((seat) => ({ type: "hand_dealt", seat, size: 1, cards: null }))];
  const trick = [play(0, "S6"), play(1, "H6"), play(2, "D6"), play(3, "C6"), { type: "trick_taken", seat: null, points: null }];
  const scored = (points: number | null) => ({ type: "deal_scored", deal: 1, card_points: [points, points], scores: [points, points], totals: [points ?? 0, points ?? 0] });
  const closed = numbered([...begun, ...trick, scored(null)]);
  const to = closed.length - 1;
  const told = [...closed, ...numbered([{ type: "taken_back", to }, { type: "contract_set", seat: 0, contract: "spades", slot: null }, scored(7)], closed.length)];
  const rules = rulesOf({ rules: { bids: { least: 60, step: 5, raise: 5 } } });

  test("is opened again, and closed with it", () => {
    expect(closedDeal(fold(closed))?.tricks.length).toBe(1);
    expect(fold(told).rows.map((row) => [row.contract, row.scores])).toEqual([["spades", [7, 7]]]);
    expect(closedDeal(fold(closed.slice(0, -1)))).toBeNull();
  });

  test("lacks the predictions that nobody has told", () => {
    const predicting = rulesOf({ rules: { predictions: 157 } });
    const said = numbered([...begun, { type: "prediction_made", seat: 0, points: 30 }, { type: "prediction_made", seat: 1, points: null }, ...trick]);
    expect(hiddenPredictions(predicting, fold(said))).toEqual([1, 2, 3]);
    expect(hiddenPredictions(rules, fold(said))).toEqual([]);
  });

  test("is as it was when that is taken back", () => {
    expect(lastAct(fold(told))?.seq).toBe(to + 1);
    const back = fold([...told, ...numbered([{ type: "taken_back", to: to + 1 }], told.length)]);
    expect({ ...back, seq: 0 }).toEqual({ ...fold(closed), seq: 0 });
  });

  test("lacks its contract, its slot or its auction", () => {
    expect([hidesContract(rules, fold(closed)), hidesContract(rules, fold(told))]).toEqual([true, false]);
    expect(hidesContract({ ...rules, slots: [] }, fold(told))).toBe(true);
    expect(hidesContract(rulesOf({ rules: { by_card: ["spades"] } }), fold(closed))).toBe(false);
    expect(hidesAuction(rules, fold(closed))).toBe(true);
    expect(hidesAuction(rulesOf({ rules: {} }), fold(closed))).toBe(false);
    expect(hidesAuction({ ...rules, places: { first: [{ kind: "talon", turn: null, at: [] }] } }, fold(closed))).toBe(false);
  });
});

describe("the letters of a name", () => {
  test("tell the players of a table apart", () => {
    expect(shortNames(["Anna", "Beat", "Chiara"])).toEqual(["An", "Be", "Ch"]);
    expect(shortNames(["Seat A", "Seat B"])).toEqual(["SA", "SB"]);
    expect(shortNames(["Beat Bühler", "Bruno Beck"])).toEqual(["Bea", "Bru"]);
    expect(shortNames(["Fabio", "Fabian", "Anna"])).toEqual(["Fo", "Fa", "A"]);
    expect(shortNames(["Anna", "Anna"])).toEqual(["A", "B"]);
  });

  test("differ at every table, and are three at most", () => {
    const parts = ["Fa", "bi", "an", "Ö", "é", " ", "-", "M", "o", "X"];
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
    const name = (): string => Array.from({ length: 1 + random(5) }, () => parts[random(parts.length)]).join("");
    for (let round = 0; round < 500; round += 1) {
      const names = Array.from({ length: 2 + random(3) }, name);
      const short = shortNames(names);
      expect(new Set(short).size, names.join()).toBe(names.length);
      expect(short.every((one) => one !== "" && [...one].length <= 3), names.join()).toBe(true);
    }
  });
});

describe("what a record proves", () => {
  test("tells whose a card is, where it is in a hand", () => {
    const fact = (card: Code, place: string | null, seat: number | null) => ({ card, status: place === null ? ("unknown" as const) : ("proven" as const), place, seat, trick: null });
    const evidence: Evidence = { deal: 1, slots: [], melds: [], stoeck: [], cards: [fact("S6", "hand", 2), fact("S7", null, null), fact("S8", "talon", null)], hands: [], tricks: [], points: [], contradictions: [] };

    expect([...ownersOf(evidence)]).toEqual([["S6", 2]]);
  });
});
