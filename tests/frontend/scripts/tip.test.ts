import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { tipOf } from "../../../frontend/src/choices/tip";
import { useWords } from "../../../frontend/src/page";

beforeAll(() => {
  vi.stubGlobal("document", { documentElement: { dataset: { deck: "ch" } } });
  useWords({ "card.name": "{suit} {rank}", "rank.ch.6": "6", "card.suit.ch.D": "Schellen", "suit.ch.D": "Schellen", "choice.push": "Push", "choice.bid": "Bid {points}" });
});
afterAll(() => vi.unstubAllGlobals());

const tip = (event: Record<string, unknown>): string => tipOf({ seq: 1, ...event } as never, () => "a sentence");

test("a tip is a card, a contract or what a button says, and names nobody", () => {
  expect(tip({ type: "card_played", seat: 0, card: "D6" })).toBe("Schellen 6");
  expect(tip({ type: "contract_set", seat: 0, contract: "diamonds" })).toBe("Schellen");
  expect(tip({ type: "pushed", seat: 0 })).toBe("Push");
  expect(tip({ type: "bid_made", seat: 0, points: 90 })).toBe("Bid 90");
});

test("of all else it is the sentence of what would happen", () => {
  expect(tip({ type: "cards_discarded", seat: 0 })).toBe("a sentence");
  expect(tip({ type: "contract_set", seat: 0, contract: "diamonds", slot: "joker7" })).toBe("a sentence");
});
