/**
 * Bids and predictions: a number is prepared, then sent. A half-typed number survives a redraw. A scorer who knows
 * only the end of an auction records that it was won.
 */

import type { Ask } from "./choices";
import { h } from "../dom";
import { say } from "../page";
import { leastBid } from "../table/rules";

const drafts = new Map<string, string>();

/** The draft of this moment; drops all others. */
function draftFor(key: string): string | undefined {
  for (const other of drafts.keys()) if (other !== key) drafts.delete(other);
  return drafts.get(key);
}

export function bidding({ page, table, seat, rules, send, writing }: Ask): HTMLElement[] {
  const least = leastBid(rules, table);
  const step = rules.bids?.step ?? 1;
  const key = `bid ${page.game} ${table.deal} ${table.calls.bids.length}`;
  let points = Math.max(least, Number(draftFor(key) ?? least));
  const shown = h("output", { class: "figure" });
  const call = h("button", { type: "button", class: "choice strong", click: () => send({ cmd: "bid", seat, points }) });
  const won = h("button", { type: "button", class: "choice push", click: () => send({ cmd: "bid", seat, points, won: true }) });
  const less = h("button", { type: "button", class: "step", "aria-label": say("choice.less", { points: step }), click: () => by(-step) }, "−");
  const show = (): void => {
    shown.textContent = String(points);
    call.textContent = say("choice.bid", { points });
    won.textContent = say("choice.bid_won", { name: page.names[seat], points });
    less.disabled = points <= least;
    drafts.set(key, String(points));
  };
  const by = (change: number): void => {
    points = Math.max(least, points + change);
    show();
  };
  const raises = [step, 5 * step, 10 * step].map((raise) =>
    h("button", { type: "button", class: "step", click: () => by(raise) }, `+${raise}`),
  );
  show();
  return [h("div", { class: "stepper", role: "group", "aria-label": say("choice.your_bid") }, less, shown, ...raises), call, ...(writing ? [won] : [])];
}

/** The sum of the predictions and the points left. */
function together({ table, rules }: Ask): string {
  if (table.options["sealed_predictions"] === true) return say("predict.sealed");
  const known = table.calls.predictions.flatMap((made) => (made?.points === null || made === null || made === undefined ? [] : [made.points]));
  const sum = known.reduce((a, b) => a + b, 0);
  return say("predict.sum", { sum, left: rules.points - sum });
}

export function predicting(ask: Ask): HTMLElement[] {
  const { page, table, seat, rules, send } = ask;
  const highest = rules.predictions ?? rules.points;
  const key = `predict ${page.game} ${table.deal} ${seat}`;
  // The panel has its own number keys, so that a phone need not open its keyboard.
  const input = h("input", { class: "figure", inputmode: "none", pattern: "[0-9]*", maxlength: 3, autocomplete: "off", "aria-label": say("predict.points"), placeholder: "–" });
  const call = h("button", { class: "choice strong unasked" });
  const show = (): void => {
    input.value = input.value.replace(/\D/g, "").slice(0, 3);
    const typed = input.value !== "";
    call.disabled = !typed || Number(input.value) > highest;
    if (typed && Number(input.value) > highest) call.textContent = say("predict.too_high", { points: Number(input.value), highest });
    else call.textContent = typed ? say("choice.predict", { points: Number(input.value) }) : say("choice.predict_nothing_yet");
    drafts.set(key, input.value);
  };
  const type = (change: (text: string) => string): void => {
    input.value = change(input.value);
    show();
  };
  input.value = draftFor(key) ?? "";
  input.addEventListener("input", show);
  const keys = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((figure) =>
    h("button", { type: "button", class: "step", click: () => type((text) => (text === "0" ? "" : text) + figure) }, String(figure)),
  );
  const back = h("button", { type: "button", class: "step", "aria-label": say("choice.delete"), click: () => type((text) => text.slice(0, -1)) }, "⌫");
  show();
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!call.disabled) send({ cmd: "predict", seat, points: Number(input.value) });
  };
  return [
    h(
      "form",
      { class: "predicting", submit },
      h("p", { class: "choice-note" }, together(ask)),
      input,
      h("div", { class: "pad", role: "group", "aria-label": say("choice.figures") }, ...keys, back),
      call,
      ask.writing && h("button", { type: "button", class: "choice push", click: () => send({ cmd: "predict", seat, points: null }) }, say("choice.not_known")),
    ),
  ];
}
