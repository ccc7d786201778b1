import { beforeEach, describe, expect, test } from "vitest";

import { Backoff, MAX_INTERVAL_FACTOR, pauseOf, UNCHANGED_ANSWERS } from "../../../frontend/src/connection/polling-interval";
import { poll } from "../../../frontend/src/connection/polling";

const EVERY = 8000;

/** A page with one part, and an htmx that requests it whenever allowed. */
class Page extends EventTarget {
  visibilityState = "visible";
  attributes: Record<string, string> = { "hx-trigger": "every 8s" };
  part = Object.assign(new EventTarget(), { getAttribute: (name: string) => this.attributes[name] ?? null });
  now = 1_000_000;
  /** The ETag sent with each request. */
  asked: (string | undefined)[] = [];
  answer: { status: number; headers: Record<string, string> } = { status: 200, headers: { ETag: "one" } };
  swapped = 0;
  heard = 0;

  querySelectorAll = () => [this.part];

  tell(name: string, detail: object): boolean {
    return this.dispatchEvent(Object.assign(new Event(name, { cancelable: true }), { detail }));
  }

  request = (): void => {
    const elt = this.part;
    if (!this.tell("htmx:confirm", { elt })) return;
    const headers: Record<string, string> = {};
    this.tell("htmx:configRequest", { elt, headers });
    this.asked.push(headers["If-None-Match"]);
    const { status, headers: said } = this.answer;
    const xhr = { status, getResponseHeader: (name: string) => said[name] ?? null };
    const swap = { xhr, shouldSwap: status < 400, requestConfig: { elt } };
    this.tell("htmx:beforeSwap", swap);
    if (swap.shouldSwap) this.swapped += 1;
    this.tell("htmx:afterRequest", { xhr, successful: status < 400, requestConfig: { elt } });
  };

  beats(count: number): void {
    for (let n = 0; n < count; n += 1) {
      this.now += EVERY + 3;
      this.request();
    }
  }

  turn(visibilityState: string): void {
    this.visibilityState = visibilityState;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}

let page: Page;
beforeEach(() => {
  page = new Page();
  poll(
    page,
    page.request,
    () => page.now,
    () => (page.heard += 1),
  );
});

describe("a part that is asked for again and again", () => {
  test("is asked for with the ETag of what stands there, and 304 leaves it", () => {
    page.beats(1);
    page.answer = { status: 304, headers: { ETag: "one" } };
    page.beats(1);

    expect(page.asked).toEqual([undefined, "one"]);
    expect(page.swapped).toBe(1);
  });

  test("is true as of each answer, whether or not it says something new", () => {
    page.beats(1);
    page.answer = { status: 304, headers: { ETag: "one" } };
    page.beats(1);
    page.answer = { status: 503, headers: {} };
    page.beats(1);

    expect(page.heard).toBe(2);
  });

  test("is not asked for while nobody sees it, and at once when somebody does", () => {
    page.turn("hidden");
    page.beats(5);
    expect(page.asked).toHaveLength(0);

    page.turn("visible");
    expect(page.asked).toHaveLength(1);
  });

  test("is not asked for twice by somebody who looks away for a moment", () => {
    page.beats(1);
    page.turn("hidden");
    page.turn("visible");

    expect(page.asked).toHaveLength(1);
  });

  test("is asked for more seldom while nothing changes, but never more than so much", () => {
    page.answer = { status: 304, headers: {} };
    page.beats(40 * MAX_INTERVAL_FACTOR);
    const quiet = page.asked.length;
    expect(quiet).toBeLessThan(60);
    page.beats(10 * MAX_INTERVAL_FACTOR);

    expect(page.asked.length - quiet).toBe(10);
  });

  test("is asked for each time where people are called, however quiet it is", () => {
    page.attributes["data-steady"] = "";
    page.answer = { status: 304, headers: {} };
    page.beats(40);
    expect(page.asked).toHaveLength(40);

    page.answer = { status: 503, headers: { "Retry-After": "60" } };
    page.beats(7);
    expect(page.asked).toHaveLength(41);
  });

  test.each(["a change", "a tap", "somebody who comes back"])("is asked for as before after %s", (what) => {
    page.answer = { status: 304, headers: {} };
    page.beats(40);
    if (what === "a change") {
      page.answer = { status: 200, headers: {} };
      page.beats(MAX_INTERVAL_FACTOR);
    } else if (what === "a tap") page.dispatchEvent(new Event("pointerdown"));
    else {
      page.turn("hidden");
      page.turn("visible");
    }
    page.answer = { status: 304, headers: {} };
    const before = page.asked.length;
    page.beats(2);

    expect(page.asked.length - before).toBe(2);
  });

  test.each([429, 503])("waits as long as %i says, even if somebody taps", (status) => {
    page.answer = { status, headers: { "Retry-After": "60" } };
    page.beats(1);
    page.dispatchEvent(new Event("pointerdown"));
    page.turn("hidden");
    page.turn("visible");
    page.beats(7);
    expect(page.asked).toHaveLength(1);

    page.beats(1);
    expect(page.asked).toHaveLength(2);
  });

  test("does not hold up what somebody presses", () => {
    page.turn("hidden");

    expect(page.tell("htmx:confirm", { elt: page.part, triggeringEvent: new Event("click") })).toBe(true);
  });
});

test.each([
  ["every 8s", 8000],
  ["load, every 10s", 10_000],
  ["every 500ms", 500],
  ["every 2m", 120_000],
  ["change delay:80ms", null],
  [null, null],
])("of %j the pause is %j", (trigger, pause) => {
  expect(pauseOf(trigger)).toBe(pause);
});

test("a date of Retry-After is one, too, and nobody is silenced for ever", () => {
  const now = Date.parse("Mon, 23 Nov 2026 23:00:00 GMT");
  const until = (said: string, later: number): boolean => {
    const backoff = new Backoff(EVERY);
    backoff.answered(503, said, now);
    return backoff.isTime(now + later);
  };

  expect(until("Mon, 23 Nov 2026 23:01:00 GMT", 59_000)).toBe(false);
  expect(until("Mon, 23 Nov 2026 23:01:00 GMT", 61_000)).toBe(true);
  expect(until("99999999", 600_001)).toBe(true);
  expect(until("soon", 0)).toBe(true);
  expect(UNCHANGED_ANSWERS).toBeGreaterThan(1);
});
