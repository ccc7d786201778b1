/** The fields of a score sheet, one of each kind a side: made when the sides are known, then only kept up to date. */

import { find, h } from "./dom";
import { say } from "./page";
import { type Entry, noted, stoeckBy, swept, typed, type Asked, sum, sumIsRight } from "./score-entry";

export interface SheetRules {
  asked: Asked;
  sweep: boolean;
  stoeck: boolean;
  melds: boolean;
}

type Change = (change: (entry: Entry) => Entry) => void;

export class SheetFields {
  private readonly points: HTMLInputElement[];
  private readonly names: HTMLElement[][] = [];
  private readonly melds: HTMLInputElement[];
  private readonly scores: HTMLInputElement[];
  private readonly toggles: { name: "sweep" | "stoeck"; side: number; button: HTMLButtonElement }[] = [];

  constructor(
    private readonly sides: readonly number[],
    private readonly rules: SheetRules,
    change: Change,
  ) {
    const { asked } = rules;
    const named = (side: number, tag: HTMLElement): HTMLElement => {
      (this.names[side] ??= []).push(tag);
      return tag;
    };
    const field = (name: string, side: number, label: string, write: (text: string) => (entry: Entry) => Entry): HTMLInputElement => {
      const input = h("input", { id: `${name}-${side}`, [`data-${name}`]: side, inputmode: name === "scores" ? "text" : "numeric", maxlength: name === "scores" ? 6 : 3, "aria-label": label || null });
      input.addEventListener("input", () => change(write(input.value)));
      return input;
    };
    this.points = sides.map((side) => field("points", side, "", (text) => (entry) => typed(entry, side, text, asked)));
    this.melds = sides.map((side) => field("melds", side, "", (text) => (entry) => noted(entry, "melds", side, text)));
    this.scores = sides.map((side) => field("scores", side, "", (text) => (entry) => noted(entry, "scores", side, text)));
    for (const input of this.points) {
      input.className = "sheet-points";
      input.setAttribute("aria-describedby", "sheet-sum");
    }
    const places = sides.map((side) => h("div", {}, named(side, h("label", { class: "side-name", for: `points-${side}` })), this.points[side]));
    const root = find("[data-sides]");
    root.replaceChildren(...places);
    root.dataset["count"] = String(sides.length);
    const rows: (HTMLElement | false)[] = [
      rules.sweep && this.pair("sweep", change, (side) => (entry) => swept(entry, side, asked), named),
      rules.stoeck && this.pair("stoeck", change, (side) => (entry) => stoeckBy(entry, side), named),
      rules.melds && this.row("sheet.melds", this.melds, named),
      asked.scores && this.row("sheet.scores", this.scores, named),
    ];
    find("[data-extras]").replaceChildren(...rows.filter((row) => row !== false));
  }

  private pair(name: "sweep" | "stoeck", change: Change, press: (side: number) => (entry: Entry) => Entry, named: (side: number, tag: HTMLElement) => HTMLElement): HTMLElement {
    const buttons = this.sides.map((side) => {
      const button = h("button", { type: "button", class: "button small", [`data-${name}`]: side, click: () => change(press(side)) });
      this.toggles.push({ name, side, button });
      return named(side, button);
    });
    return h("div", { class: "toggle-pair", role: "group", "aria-label": say(`sheet.${name}`) }, h("span", {}, say(`sheet.${name}`)), h("div", { class: "toggles" }, ...buttons));
  }

  private row(label: string, inputs: HTMLInputElement[], named: (side: number, tag: HTMLElement) => HTMLElement): HTMLElement {
    const fields = this.sides.map((side) => h("label", { class: "small-field" }, named(side, h("span", {})), inputs[side]));
    return h("div", { class: "toggle-pair", role: "group", "aria-label": say(label) }, h("span", {}, say(label)), h("div", { class: "toggles" }, ...fields));
  }

  draw(entry: Entry, deal: number, nameOf: (side: number) => string): void {
    const set = (input: HTMLInputElement, text: string): void => {
      if (input.value !== text) input.value = text;
    };
    const total = sum(entry);
    const right = sumIsRight(entry, this.rules.asked);
    for (const side of this.sides) {
      set(this.points[side]!, entry.points[side] ?? "");
      set(this.melds[side]!, entry.melds[side] ?? "");
      set(this.scores[side]!, entry.scores[side] ?? "");
      this.points[side]?.setAttribute("aria-invalid", String(total !== null && !right));
      for (const tag of this.names[side] ?? []) tag.textContent = nameOf(side);
    }
    for (const { name, side, button } of this.toggles) button.setAttribute("aria-pressed", String(entry[name] === side));
    const line = find("[data-sum]");
    line.hidden = total === null;
    line.className = `sheet-sum ${right ? "right" : "wrong"}`;
    const { expected, all } = this.rules.asked;
    line.textContent = right ? say("sheet.sum_right", { sum: total }) : say(all ? "sheet.sum_wrong" : "sheet.sum_too_high", { deal, sum: total, expected });
  }

  focus(): void {
    this.points[0]?.focus();
  }
}
