import { describe, expect, test } from "vitest";

import { type Answer, Outbox, type QueuedCommand } from "../../../frontend/src/connection/outbox";
import { type Page, useWords } from "../../../frontend/src/page";
import { asksForSweep, blank, boundsSaid, complete, type Entry, entryOf, type Field, matters, missing, picked, resultOf, sum, sumIsRight, toggled, typed, unwritten } from "../../../frontend/src/sheets/score-entry";
import { marksOf } from "../../../frontend/src/sheets/sheet-marks";
import { EMPTY } from "../../../frontend/src/table/table";

const POINTS: Field = { name: "card_points", kind: "points", per: "side", required: true, least: 0, most: 157, sum_least: 157, sum_most: 157 };
const SWEEP: Field = { name: "sweep", kind: "side", per: "deal" };
const STOECK: Field = { name: "stoeck", kind: "side", per: "deal" };
const TOOK_TRICK: Field = { name: "took_trick", kind: "sides", per: "deal" };
const FORM = [POINTS, SWEEP, STOECK];
const BLANK = blank(FORM, 2, 4);
const points = (entry: Entry): readonly string[] | undefined => entry.figures["card_points"];

describe("a result being typed", () => {
  test("fills in the other side to the sum", () => {
    expect(points(typed(BLANK, POINTS, 0, "87"))).toEqual(["87", "70"]);
    expect(points(typed(BLANK, POINTS, 1, "157"))).toEqual(["0", "157"]);
  });

  test("goes on following while the first number is being typed", () => {
    const entry = ["8", "87", "8"].reduce((before, text) => typed(before, POINTS, 0, text), BLANK);

    expect(points(entry)).toEqual(["8", "149"]);
    expect(points(typed(entry, POINTS, 0, ""))).toEqual(["", ""]);
  });

  test("is seen as wrong once both numbers were typed and do not sum", () => {
    const entry = typed(typed(BLANK, POINTS, 0, "87"), POINTS, 1, "71");

    expect(points(entry)).toEqual(["87", "71"]);
    expect(sum(entry)).toBe(158);
    expect(complete(entry, FORM)).toBe(false);
  });

  test("says what else has to be said once the points are right, and nothing before", () => {
    const contract: Field = { name: "contract", kind: "contract", per: "deal", required: true, choices: ["hearts"] };
    const form = [contract, ...FORM];
    const written = typed(blank(form, 2, 4), POINTS, 0, "87", form);

    expect(missing(blank(form, 2, 4), form)).toEqual([]);
    expect(missing(written, form)).toEqual([contract]);
    expect(missing(picked(written, form, "contract", "hearts"), form)).toEqual([]);
  });

  test("takes a sweep with one tap and gives it back with the next", () => {
    const entry = picked(BLANK, FORM, "sweep", 1);

    expect(resultOf(entry, FORM)).toEqual({ card_points: [0, 157], sweep: 1 });
    expect(picked(entry, FORM, "sweep", 1)).toEqual(BLANK);
  });

  test("forgets the sweep when a number is typed after all", () => {
    expect(typed(picked(BLANK, FORM, "sweep", 0), POINTS, 0, "150").picks["sweep"]).toBeNull();
  });

  test("gives the Stöck to one side at most", () => {
    expect(picked(picked(BLANK, FORM, "stoeck", 0), FORM, "stoeck", 1).picks["stoeck"]).toBe(1);
    expect(picked(picked(BLANK, FORM, "stoeck", 0), FORM, "stoeck", 0).picks["stoeck"]).toBeNull();
    const required = FORM.map((field) => ({ ...field, required: true }));
    expect(picked(picked(BLANK, required, "stoeck", 0), required, "stoeck", 0).picks["stoeck"], "it has to be said").toBe(0);
  });

  test("does not take words for numbers", () => {
    expect(sum(typed(BLANK, POINTS, 0, "8x"))).toBeNull();
  });
});

describe("a result of another game", () => {
  test("fills the last of three in, and asks what everyone said", () => {
    const said: Field = { name: "predictions", kind: "points", per: "seat", required: true, least: 0, most: 157 };
    const form = [POINTS, said];
    const written = ["60", "57"].reduce((entry, text, side) => typed(entry, POINTS, side, text), blank(form, 3, 3));

    expect(points(written)).toEqual(["60", "57", "40"]);
    expect(complete(written, form)).toBe(false);
    const all = ["50", "0", "107"].reduce((entry, text, seat) => typed(entry, said, seat, text), written);
    expect(complete(all, form)).toBe(true);
    expect(resultOf(all, form)).toEqual({ card_points: [60, 57, 40], predictions: [50, 0, 107] });
  });

  test("does not fill in where some of the cards may count for nobody", () => {
    const loose: Field = { ...POINTS, sum_least: 100, sum_most: 157 };
    const entry = typed(blank([loose], 2, 2), loose, 0, "60");

    expect(points(entry)).toEqual(["60", ""]);
    expect(sumIsRight(typed(entry, loose, 1, "30"), [loose])).toBe(false);
    expect(sumIsRight(typed(entry, loose, 1, "60"), [loose])).toBe(true);
  });

  test("names the side whose points are missing, where the sum may be less", () => {
    const loose: Field = { ...POINTS, sum_least: 0 };
    const one = typed(blank([loose], 2, 2), loose, 0, "112");

    expect(unwritten(one, loose)).toEqual([1]);
    expect(unwritten(typed(one, loose, 1, "45"), loose)).toEqual([]);
    expect(unwritten(blank([loose], 2, 2), loose)).toEqual([]);
  });

  test("says all bounds of a figure, the highest too", () => {
    const bid: Field = { name: "bid", kind: "points", per: "deal", required: true, least: 60, step: 5 };

    expect(boundsSaid({ ...bid, most: 155 })).toBe("sheet.from_to_in_steps");
    expect(boundsSaid(bid)).toBe("sheet.at_least_in_steps");
    expect(boundsSaid({ ...bid, least: 500, step: 10 })).toBe("sheet.at_least_in_tens");
    expect(boundsSaid({ ...bid, step: 1, most: 157 })).toBe("sheet.from_to");
  });

  test("takes a sweep of cards that may be fewer, said before its points or after", () => {
    const loose: Field = { ...POINTS, sum_least: 100, sum_most: 157 };
    const form = [loose, SWEEP, TOOK_TRICK];
    const before = typed(picked(blank(form, 2, 3), form, "sweep", 0), loose, 0, "150", form);
    const figures = ["150", "0"].reduce((entry, text, side) => typed(entry, loose, side, text, form), blank(form, 2, 3));

    expect(asksForSweep(figures, form)).toBe(true);
    for (const entry of [before, picked(figures, form, "sweep", 0)]) {
      expect(resultOf(entry, form)).toEqual({ card_points: [150, 0], sweep: 0 });
      expect(complete(entry, form)).toBe(true);
    }
    expect(typed(before, loose, 1, "7", form).picks["sweep"], "the others have points").toBeNull();
  });

  test("takes either a sweep or a trick of the others, whichever was said last", () => {
    const form = [POINTS, SWEEP, TOOK_TRICK];
    const swept = picked(blank(form, 2, 4), form, "sweep", 0);
    const trick = toggled(swept, "took_trick", 1);

    expect(resultOf(trick, form)).toEqual({ card_points: [157, 0], took_trick: [1] });
    expect(resultOf(picked(trick, form, "sweep", 0), form)).toEqual({ card_points: [157, 0], sweep: 0 });
  });

  test("asks nothing of the tricks of a deal that was given away", () => {
    const form: Field[] = [POINTS, SWEEP, TOOK_TRICK, { name: "conceded", kind: "flag", per: "deal" }];
    const given = picked(blank(form, 2, 3), form, "conceded", 1);

    expect(["sweep", "took_trick", "melds", "stoeck"].filter((name) => matters(given, form, name))).toEqual(["stoeck"]);
    expect(matters(blank(form, 2, 3), form, "took_trick"), "nobody is without points yet").toBe(false);
    expect(matters(picked(blank(form, 2, 3), form, "sweep", 0), form, "took_trick")).toBe(true);
  });

  test("takes who chose, the slot and a bid in its steps", () => {
    const form: Field[] = [
      { name: "chooser", kind: "seat", per: "deal", required: true },
      { name: "slot", kind: "slot", per: "deal", required: true, choices: ["hearts", "joker7"] },
      { name: "bid", kind: "points", per: "deal", required: true, least: 500, step: 10 },
      POINTS,
    ];
    const chosen = picked(picked(blank(form, 2, 3), form, "chooser", 2), form, "slot", "joker7");
    const bid = (text: string): Entry => typed(typed(chosen, form[2] as Field, 0, text), POINTS, 0, "100");

    expect(complete(bid("505"), form)).toBe(false);
    expect(complete(bid("490"), form)).toBe(false);
    expect(resultOf(bid("510"), form)).toEqual({ chooser: 2, slot: "joker7", bid: 510, card_points: [100, 57] });
  });

  test("needs the side of a Stöck and its sign together", () => {
    const form: Field[] = [POINTS, STOECK, { name: "stoeck_points", kind: "signed", per: "deal", choices: [20, -20] }];
    const entry = picked(typed(blank(form, 2, 4), POINTS, 0, "100"), form, "stoeck", 0);

    expect(complete(entry, form)).toBe(false);
    expect(complete(picked(entry, form, "stoeck_points", -20), form)).toBe(true);
  });

  test("comes back as it was written when it is corrected", () => {
    const form: Field[] = [POINTS, STOECK, { name: "melds", kind: "points", per: "side", least: 0, step: 10 }, { name: "took_trick", kind: "sides", per: "deal" }];
    const written = { card_points: [157, 0], stoeck: 0, melds: [0, 50], took_trick: [1] };

    expect(resultOf(entryOf(written, form, 2, 4), form)).toEqual(written);
  });
});

test("a result on the sheet says who was first to reach the target: it decides who has won", () => {
  useWords({ "sheet.first_of": "{side} first to reach the target" });
  const page = { names: ["Anna", "Beat", "Chiara"] } as unknown as Page;
  const table = { ...EMPTY, seats: 3, sides: 2, declarer: 0 };

  expect(marksOf(page, table, { card_points: [50, 107], first: 0 })).toEqual(["Anna first to reach the target"]);
  expect(marksOf(page, table, { card_points: [50, 107], first: null })).toEqual([]);
});

function outboxOf(answers: Answer[]) {
  const sent: string[] = [];
  const refused: string[] = [];
  let kept: string | null = null;
  const outbox = new Outbox(
    {
      load: () => kept,
      save: (text) => {
        kept = text;
      },
      send: (queued) => {
        sent.push(queued.command_id);
        return Promise.resolve(answers.shift() ?? { kind: "taken" });
      },
      exclusively: (work) => work(),
    },
    () => undefined,
    (queued) => refused.push(queued.command_id),
  );
  return { outbox, sent, refused };
}

const queued = (command_id: string): QueuedCommand => ({ command_id, command: { cmd: "enter_result", seat: 0, deal: 1, card_points: [] } });

describe("the outbox", () => {
  test("keeps a command while the server cannot be reached and sends it later under the same id", async () => {
    const { outbox, sent } = outboxOf([{ kind: "unreachable" }]);

    await outbox.enqueue(queued("a"));
    expect(outbox.waiting.map((waiting) => waiting.command_id)).toEqual(["a"]);

    await outbox.flush();
    expect(sent).toEqual(["a", "a"]);
    expect(outbox.waiting).toEqual([]);
  });

  test("keeps the order: nothing overtakes a command that waits", async () => {
    const { outbox, sent } = outboxOf([{ kind: "unreachable" }, { kind: "unreachable" }]);

    await outbox.enqueue(queued("a"));
    await outbox.enqueue(queued("b"));
    await outbox.flush();

    expect(sent).toEqual(["a", "a", "a", "b"]);
  });

  test("says what was refused and does not send it again", async () => {
    const { outbox, sent, refused } = outboxOf([{ kind: "refused", code: "sheet/wrong_sum", detail: "", params: {} }]);

    await outbox.enqueue(queued("a"));
    await outbox.flush();

    expect(refused).toEqual(["a"]);
    expect(sent).toEqual(["a"]);
  });

  test("survives rubbish in the storage", () => {
    const outbox = new Outbox({ load: () => "{not json", save: () => undefined, send: () => Promise.resolve({ kind: "taken" }), exclusively: (work) => work() }, () => undefined, () => undefined);

    expect(outbox.waiting).toEqual([]);
  });
});

describe("a sheet of Coiffeur of three", () => {
  const CHOOSER: Field = { name: "chooser", kind: "seat", per: "deal", required: true };
  const OWN: Field = { name: "own_points", kind: "points", per: "deal", required: true, least: 0, most: 157 };
  const form = [CHOOSER, OWN];

  test("asks for the points of who chose alone", () => {
    const chosen = picked(blank(form, 3, 3), form, "chooser", 1);
    expect(complete(chosen, form)).toBe(false);
    const written = typed(chosen, OWN, 0, "61", form);
    expect(complete(written, form)).toBe(true);
    expect(resultOf(written, form)).toEqual({ chooser: 1, own_points: 61 });
    expect(complete(typed(chosen, OWN, 0, "158", form), form)).toBe(false);
  });

  test("shows again what was written, and says what else is missing once the points are there", () => {
    const before = entryOf({ chooser: 1, card_points: [null, 61, null] }, form, 3, 3);
    expect(before.figures["own_points"]).toEqual(["61"]);
    expect(missing(blank(form, 3, 3), form)).toEqual([]);
    expect(missing(typed(blank(form, 3, 3), OWN, 0, "61", form), form)).toEqual([CHOOSER]);
  });
});
