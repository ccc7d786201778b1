import { describe, expect, test } from "vitest";

import { type Answer, type Letter, Outbox } from "../../../frontend/src/outbox";
import { BLANK, blank, complete, noted, resultOf, stoeckBy, sum, swept, typed } from "../../../frontend/src/score-entry";

describe("a result being typed", () => {
  test("fills in the other side to 157", () => {
    expect(typed(BLANK, 0, "87").points).toEqual(["87", "70"]);
    expect(typed(BLANK, 1, "157").points).toEqual(["0", "157"]);
  });

  test("goes on following while the first number is being typed", () => {
    const entry = typed(typed(typed(BLANK, 0, "8"), 0, "87"), 0, "8");

    expect(entry.points).toEqual(["8", "149"]);
    expect(typed(entry, 0, "").points).toEqual(["", ""]);
  });

  test("is seen as wrong once both numbers were typed and do not sum", () => {
    const entry = typed(typed(BLANK, 0, "87"), 1, "71");

    expect(entry.points).toEqual(["87", "71"]);
    expect(sum(entry)).toBe(158);
    expect(complete(entry)).toBe(false);
  });

  test("takes a sweep with one tap and gives it back with the next", () => {
    const entry = swept(BLANK, 1);

    expect(entry.points).toEqual(["0", "157"]);
    expect(entry.sweep).toBe(1);
    expect(swept(entry, 1)).toEqual(BLANK);
  });

  test("forgets the sweep when a number is typed after all", () => {
    expect(typed(swept(BLANK, 0), 0, "150").sweep).toBeNull();
  });

  test("gives the Stöck to one side at most", () => {
    expect(stoeckBy(stoeckBy(BLANK, 0), 1).stoeck).toBe(1);
    expect(stoeckBy(stoeckBy(BLANK, 0), 0).stoeck).toBeNull();
  });

  test("does not take words for numbers", () => {
    expect(sum(typed(BLANK, 0, "8x"))).toBeNull();
  });
});

describe("a result of another game", () => {
  const alone = { expected: 157, all: true, scores: true };

  test("lets the last of several sides follow, and asks what the deal counts", () => {
    const entry = typed(typed(blank(3), 0, "60", alone), 2, "40", alone);

    expect(entry.points).toEqual(["60", "57", "40"]);
    expect(complete(entry, alone)).toBe(false);
    const counted = ["1", "0", "-1"].reduce((all, text, side) => noted(all, "scores", side, text), entry);
    expect(complete(counted, alone)).toBe(true);
    expect(resultOf(counted, alone)).toEqual({ card_points: [60, 57, 40], scores: [1, 0, -1] });
  });

  test("fills nothing in where cards may count for nobody, but holds the sum to its bound", () => {
    const some = { expected: 157, all: false, scores: false };
    const entry = typed(blank(2), 0, "90", some);

    expect(entry.points).toEqual(["90", ""]);
    expect(complete(typed(entry, 1, "40", some), some)).toBe(true);
    expect(complete(typed(entry, 1, "68", some), some)).toBe(false);
  });

  test("writes melds only where there are some", () => {
    const entry = noted(typed(BLANK, 0, "100"), "melds", 1, "50");

    expect(resultOf(entry, { expected: 157, all: true, scores: false })).toEqual({ card_points: [100, 57], melds: [0, 50] });
  });
});

function postOffice(answers: Answer[]) {
  const sent: string[] = [];
  const refused: string[] = [];
  let kept: string | null = null;
  const box = new Outbox(
    {
      load: () => kept,
      save: (text) => {
        kept = text;
      },
      send: (letter: Letter) => {
        sent.push(letter.command_id);
        return Promise.resolve(answers.shift() ?? { kind: "taken" });
      },
    },
    () => undefined,
    (letter) => refused.push(letter.command_id),
  );
  return { box, sent, refused };
}

const letter = (command_id: string): Letter => ({ command_id, command: { cmd: "enter_result", deal: 1 } });

describe("the outbox", () => {
  test("keeps a letter while the server cannot be reached and sends it later under the same id", async () => {
    const { box, sent } = postOffice([{ kind: "unreachable" }]);

    await box.post(letter("a"));
    expect(box.waiting.map((waiting) => waiting.command_id)).toEqual(["a"]);

    await box.flush();
    expect(sent).toEqual(["a", "a"]);
    expect(box.waiting).toEqual([]);
  });

  test("keeps the order: nothing overtakes a letter that waits", async () => {
    const { box, sent } = postOffice([{ kind: "unreachable" }, { kind: "unreachable" }]);

    await box.post(letter("a"));
    await box.post(letter("b"));
    await box.flush();

    expect(sent).toEqual(["a", "a", "a", "b"]);
  });

  test("says what was refused and does not send it again", async () => {
    const { box, sent, refused } = postOffice([{ kind: "refused", code: "sheet/wrong_sum", detail: "", params: {} }]);

    await box.post(letter("a"));
    await box.flush();

    expect(refused).toEqual(["a"]);
    expect(sent).toEqual(["a"]);
  });

  test("survives rubbish in the storage", () => {
    const box = new Outbox({ load: () => "{not json", save: () => undefined, send: () => Promise.resolve({ kind: "taken" }) }, () => undefined, () => undefined);

    expect(box.waiting).toEqual([]);
  });
});
