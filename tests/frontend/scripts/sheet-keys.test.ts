import { describe, expect, test } from "vitest";

import { blank, type Entry, type Field, picked, typed } from "../../../frontend/src/sheets/score-entry";
import { isWrong, Naming, nextStop, proposed, stepped, type Stop, withoutWritten, type Written } from "../../../frontend/src/sheets/sheet-keys";

const POINTS: Field = { name: "card_points", kind: "points", per: "side", required: true, least: 0, most: 157, sum_least: 157, sum_most: 157 };
const SAID: Field = { name: "predictions", kind: "points", per: "seat", required: true, least: 0, most: 157 };
const sideOf = (seat: number): number => seat % 2;
const SLOTS = ["diamonds", "hearts", "spades"];

function slots(...played: [side: number, slot: string][]): Field[] {
  const left = (side: number): string[] => SLOTS.filter((slot) => !played.some(([by, other]) => by === side && other === slot));
  const open = [left(0), left(1), left(0), left(1)];
  return [{ name: "chooser", kind: "seat", per: "deal", required: true }, { name: "slot", kind: "slot", per: "deal", required: true, choices: SLOTS, open_to: open }, POINTS];
}

const after = (...played: [side: number, slot: string][]): ReturnType<typeof proposed> => proposed(slots(...played), played.map(([chooser, slot]): Written => ({ chooser, slot })), sideOf);

describe("Enter on a sheet", () => {
  const form = [SAID, POINTS];
  const stops: Stop[] = [0, 1, 2, 3].flatMap((at) => [SAID, POINTS].map((field) => ({ field, at })));
  const type = (figures: string[]): Entry => figures.reduce((entry, text, at) => (text === "" ? entry : typed(entry, stops[at]!.field, stops[at]!.at!, text, form)), blank(form, 4, 4));

  test("leads from a prediction to its points, and to the next player", () => {
    expect(nextStop(stops, null, type([]), form)).toBe(stops[0]);
    expect(nextStop(stops, stops[0]!, type(["40"]), form)).toBe(stops[1]);
    expect(nextStop(stops, stops[1]!, type(["40", "37"]), form)).toBe(stops[2]);
  });

  test("leads over what has filled itself in, and back to what was left out", () => {
    const all = type(["40", "37", "30", "40", "50", "50"]);

    expect(nextStop(stops, stops[5]!, all, form)).toBe(stops[6]);
    expect(nextStop(stops, stops[6]!, typed(all, SAID, 3, "30", form), form)).toBeNull();
    expect(nextStop(stops, stops[5]!, type(["", "37", "30", "40", "50", "50"]), form)).toBe(stops[6]);
    expect(nextStop(stops, stops[6]!, type(["", "37", "30", "40", "50", "50", "30"]), form)).toBe(stops[0]);
  });

  test("stays where a figure stands that cannot be one", () => {
    expect(isWrong(stops[1]!, type(["40", "370"]), form)).toBe(true);
    expect(nextStop(stops, stops[1]!, type(["40", "370"]), form)).toBe(stops[1]);
  });

  test("asks for the sweep where one side has everything", () => {
    const sweep: Field = { name: "sweep", kind: "side", per: "deal" };
    const took: Field = { name: "took_trick", kind: "sides", per: "deal" };
    const fields = [POINTS, sweep, took];
    const there: Stop[] = [{ field: POINTS, at: 0 }, { field: POINTS, at: 1 }, { field: sweep, at: null }, { field: took, at: null }];
    const entry = typed(blank(fields, 2, 4), POINTS, 0, "157", fields);

    expect(nextStop(there, there[0]!, entry, fields)).toBe(there[2]);
    expect(nextStop(there, there[2]!, picked(entry, fields, "sweep", 0), fields)).toBeNull();
  });
});

describe("the slot that comes next", () => {
  test("is that of the other side in the same row, then the next row", () => {
    expect(after()).toEqual({ chooser: 0, slot: "diamonds" });
    expect(after([0, "diamonds"])).toEqual({ chooser: 1, slot: "diamonds" });
    expect(after([0, "diamonds"], [1, "diamonds"])).toEqual({ chooser: 0, slot: "hearts" });
  });

  test("is on down the column once somebody types by columns, and then the other column", () => {
    expect(after([0, "diamonds"], [0, "hearts"])).toEqual({ chooser: 0, slot: "spades" });
    expect(after([0, "diamonds"], [0, "hearts"], [0, "spades"])).toEqual({ chooser: 1, slot: "diamonds" });
    expect(after([0, "diamonds"], [0, "hearts"], [0, "spades"], [1, "diamonds"])).toEqual({ chooser: 1, slot: "hearts" });
  });

  test("stays with the rows where one was full already", () => {
    expect(after([0, "hearts"], [0, "diamonds"], [1, "diamonds"], [1, "hearts"])).toEqual({ chooser: 0, slot: "spades" });
  });

  test("is none where every slot is played, and in games without slots", () => {
    expect(after(...SLOTS.flatMap((slot): [number, string][] => [[0, slot], [1, slot]]))).toBeNull();
    expect(proposed([SAID, POINTS], [], sideOf)).toBeNull();
  });

  test("is not one that is on its way to the server", () => {
    const fields = withoutWritten(slots(), [{ chooser: 2, slot: "diamonds" }], sideOf);

    expect(fields[1]?.open_to).toEqual([["hearts", "spades"], SLOTS, ["hearts", "spades"], SLOTS]);
    expect(proposed(fields, [{ chooser: 2, slot: "diamonds" }], sideOf)).toEqual({ chooser: 1, slot: "diamonds" });
  });
});

describe("keys that pick", () => {
  test("step round and round over what is open", () => {
    expect(stepped(SLOTS, "diamonds", 1)).toBe("hearts");
    expect(stepped(SLOTS, "diamonds", -1)).toBe("spades");
    expect(stepped(SLOTS, null, 1)).toBe("diamonds");
    expect(stepped(SLOTS, "joker7", -1)).toBe("spades");
    expect(stepped([], "hearts", 1)).toBeNull();
  });

  test("name a choice by its first letters, without its dots, and begin anew where none begins so", () => {
    const names = ["Schellen", "Schilten", "Öbenabe", "Guschti"];
    const naming = new Naming();

    expect([..."schi"].map((letter) => naming.type(letter, names))).toEqual([0, 0, 0, 1]);
    expect(naming.type("o", names)).toBe(2);
    expect(naming.type("G", names)).toBe(3);
    expect(naming.type("x", names)).toBeNull();
    naming.forget();
    expect(naming.type("s", names)).toBe(0);
  });
});
