import { describe, expect, it } from "vitest";
import { differs, onlyCards, unlikely, type Whole } from "../../../frontend/src/sheets/round-sum";

const alone: Whole = { whole: 628, sweep: 0, stoeck: 0, melds: false, deals: 4, bounds: [0, 628] };
const sides: Whole = { ...alone, bounds: null };

describe("a total of one person", () => {
  it("is asked about where it is hardly possible", () => {
    expect(unlikely([12, 60, 0, 47], alone)).toBe(-1);
    expect(unlikely([12, 200, 0, 47], alone)).toBe(-1);
    expect(unlikely([12, 60, 470, 47], alone)).toBe(2);
  });
  it("is no question where sides share the points of the cards", () => {
    expect(unlikely([600, 28], sides)).toBe(-1);
  });
  it("does not follow from the others", () => {
    expect(onlyCards(alone)).toBe(false);
    expect(onlyCards(sides)).toBe(true);
  });
});

describe("a line that somebody else has stored", () => {
  it("differs where a typed figure is another one", () => {
    expect(differs([712, 544], [700, 556])).toBe(true);
    expect(differs([712, null], [700, 556])).toBe(true);
    expect(differs([700, null], [700, 556])).toBe(false);
    expect(differs([700, 556], [700, 556])).toBe(false);
    expect(differs([null, null], [700, 556])).toBe(false);
  });
});
