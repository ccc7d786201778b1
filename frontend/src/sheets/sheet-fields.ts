/** The form of a score sheet, with the fields of its game; built once, then updated. */

import { contractMark } from "../choices/contract-choice";
import { find, h } from "../dom";
import { contractName, difference, type Page, say, slotName } from "../page";
import { adding, asksForSweep, counting, type Entry, explained, type Explained, type Field, impossible, isWithout, matters, picked, sum, sumIsRight, sumOf, toggled, typed } from "./score-entry";
import { nextStop, type Stop } from "./sheet-keys";

type Change = (change: (entry: Entry) => Entry) => void;
type Draw = (entry: Entry) => void;

/** Hidden fields that the server has asked for. */
export const asked = new Set<string>();
/** The number of explanations of a sum with a button. */
const OFFERED = 6;

/** Fields that have no "optional" note, because they are facts instead of choices. */
const HAPPENS: readonly string[] = ["sweep", "took_trick", "stoeck", "melds", "conceded"];

/** Fields above the points. */
const SAID: readonly string[] = ["bid", "own_points"];

/** The form's view of the table. */
export interface Places {
  page: Page;
  sides: readonly number[];
  seats: readonly number[];
  sideName: (side: number) => string;
  factorOf: (slot: string) => number;
  sideOf: (seat: number) => number;
}

/** A stop on the page: a field, or a row of choices. */
interface Shown extends Stop {
  element: HTMLElement;
}

export class SheetFields {
  readonly #parts: Draw[] = [];
  readonly #stops: Shown[] = [];

  constructor(
    private readonly fields: readonly Field[],
    private readonly places: Places,
    private readonly change: Change,
  ) {
    const points = adding(fields);
    const before = fields.filter((field) => field !== points && ["contract", "slot", "seat"].includes(field.kind) && field.name !== "dealer");
    const beside = fields.filter((field) => field !== points && !before.includes(field) && field.per !== "seat" && !SAID.includes(field.name));
    const figures = fields.filter((field) => field.per === "seat" || SAID.includes(field.name));
    find("[data-before]").replaceChildren(...[...before, ...figures.filter((field) => field.per === "deal")].map((field) => this.#row(field)));
    const root = find("[data-sides]");
    root.dataset["count"] = String(places.sides.length);
    root.replaceChildren(...(points === undefined ? [] : places.sides.map((side) => this.#column(side, points, figures.filter((field) => field.per === "seat")))));
    find("[data-extras]").replaceChildren(...beside.map((field) => this.#row(field)));
    this.#parts.push((entry) => this.#drawSum(entry));
  }

  draw(entry: Entry): void {
    for (const part of this.#parts) part(entry);
  }

  /** Focus the next missing stop after the focused element, or from the first one. Returns whether there was one. */
  focusNext(entry: Entry, from: Element | null = null): boolean {
    const here = this.#stops.find(({ element }) => from !== null && element.contains(from)) ?? null;
    const next = nextStop(this.#order(entry), here, entry, this.fields);
    if (next === null) return false;
    const at = next.element.matches("input") ? next.element : next.element.querySelector<HTMLElement>("[aria-pressed=true], button:not(:disabled)");
    at?.focus();
    if (at instanceof HTMLInputElement) at.select();
    return true;
  }

  /** The stops in typing order: with a slot for one side, its points come before the others'. */
  #order(entry: Entry): readonly Shown[] {
    const chooser = entry.picks["chooser"];
    const points = adding(this.fields);
    if (typeof chooser !== "number" || !this.has("slot")) return this.#stops;
    const side = this.places.sideOf(chooser);
    const own = this.#stops.filter(({ field, at }) => field === points && at === side);
    const at = this.#stops.findIndex(({ field }) => field === points);
    const others = this.#stops.filter((stop) => !own.includes(stop));
    return [...others.slice(0, at), ...own, ...others.slice(at)];
  }

  has(name: string): boolean {
    return this.fields.some((field) => field.name === name);
  }

  /** Whether a field is a single choice. */
  picksOne(name: string): boolean {
    return this.fields.some((field) => field.name === name && field.kind !== "points" && field.kind !== "sides");
  }

  /** The choice at this place, counted from 1. */
  numbered(name: string, place: number): string | number | undefined {
    const field = this.fields.find((one) => one.name === name);
    return field === undefined ? undefined : this.#choices(field)[place - 1];
  }

  /** The open choices of a field, with their words. */
  open(name: string, entry: Entry): { value: string | number; words: string }[] {
    const field = this.fields.find((one) => one.name === name);
    if (field === undefined) return [];
    return this.#choices(field)
      .filter((value) => this.#isOpen(field, value, entry))
      .map((value) => ({ value, words: this.#named(field, value) }));
  }

  /** The name alone, for typing. */
  #named(field: Field, value: string | number): string {
    return this.#words(field, value)
      .filter((part): part is string => typeof part === "string")
      .join("");
  }

  /** A side: its announcement, if asked, and large its points. */
  #column(side: number, points: Field, said: readonly Field[]): HTMLElement {
    const name = h("label", { class: "side-name", for: `points-${side}` });
    const above = said.map((field) =>
      h("label", { class: "small-field" }, h("span", {}, say(`sheet.${field.name}`)), this.#input(field, side, `${field.name}-${side}`, { [`data-${field.name}`]: side })),
    );
    const input = this.#input(points, side, `points-${side}`, { class: "sheet-points", "data-points": side, "aria-describedby": "sheet-sum" });
    this.#parts.push((entry) => {
      name.textContent = this.places.sideName(side);
      const total = sum(entry, points.name);
      input.setAttribute("aria-invalid", String(total !== null && !sumIsRight(entry, this.fields)));
    });
    const below = above.length > 0 ? h("label", { class: "small-field" }, h("span", {}, say("sheet.points")), input) : input;
    return h("div", {}, name, ...above, below);
  }

  #input(field: Field, at: number, id: string, more: Record<string, string | number>): HTMLInputElement {
    const signed = (field.least ?? -1) < 0;
    const input = h("input", { id, inputmode: signed ? "text" : "numeric", maxlength: signed ? 6 : 5, autocomplete: "off", ...more });
    input.addEventListener("input", () => this.change((entry) => typed(entry, field, at, input.value, this.fields)));
    this.#stops.push({ field, at, element: input });
    this.#parts.push((entry) => {
      const text = entry.figures[field.name]?.[at] ?? "";
      if (input.value !== text) input.value = text;
    });
    return input;
  }

  /** A field on a separate line: numbers by side, one number, or choices. */
  #row(field: Field): HTMLElement {
    const label = say(field.name === "sweep" && field.kind !== "points" ? "sheet.sweep_by" : field.name === "chooser" && this.has("bid") ? "sheet.bidder" : `sheet.${field.name}`);
    const optional = !field.required && !HAPPENS.includes(field.name) && field.name !== "first";
    const inside = field.kind === "points" ? this.#figures(field) : this.#chips(field);
    const row = h("div", { class: "toggle-pair", role: "group", "aria-label": label, "data-field": field.name }, h("span", {}, label, !optional ? "" : h("small", { class: "muted" }, ` ${say("sheet.optional")}`)), inside);
    if (field.name === "first") this.#parts.push(() => (row.hidden = !asked.has("first")));
    else this.#parts.push((entry) => (row.hidden = !matters(entry, this.fields, field.name)));
    return row;
  }

  #figures(field: Field): HTMLElement {
    if (field.per === "deal") return this.#input(field, 0, field.name, { [`data-${field.name}`]: 0, class: field.name === "own_points" ? "sheet-points" : "sheet-figure", "aria-label": say(`sheet.${field.name}`) });
    const inputs = this.places.sides.map((side) => {
      const name = h("span", {});
      this.#parts.push(() => (name.textContent = this.places.sideName(side)));
      return h("label", { class: "small-field" }, name, this.#input(field, side, `${field.name}-${side}`, { [`data-${field.name}`]: side }));
    });
    return h("div", { class: "toggles" }, ...inputs);
  }

  #chips(field: Field): HTMLElement {
    const element = h("div", { class: "toggles", "data-picks": field.name }, ...this.#choices(field).map((value) => this.#chip(field, value)));
    this.#stops.push({ field, at: null, element });
    return element;
  }

  #choices(field: Field): (string | number)[] {
    if (field.kind === "seat") return [...this.places.seats];
    if (field.kind === "side" || field.kind === "sides") return [...this.places.sides];
    if (field.kind === "flag") return [1];
    return field.choices ?? [];
  }

  #chip(field: Field, value: string | number): HTMLElement {
    const { name, kind } = field;
    const press = (): void =>
      this.change((entry) => (kind === "sides" ? toggled(entry, name, value as number) : picked(entry, this.fields, name, value)));
    const button = h("button", { type: "button", id: `${name}-${value}`, class: "button small pick", [`data-${name}`]: value, click: press });
    this.#parts.push((entry) => {
      button.replaceChildren(...this.#words(field, value));
      button.setAttribute("aria-pressed", String(kind === "sides" ? (entry.sets[name] ?? []).includes(value as number) : entry.picks[name] === value));
      button.disabled = !this.#isOpen(field, value, entry);
      if (name === "took_trick" && entry.figures["card_points"] !== undefined) button.hidden = !isWithout(entry, value as number);
    });
    return button;
  }

  /** A played slot is closed for its side; before a side is named, it is open while any side has it. */
  #isOpen(field: Field, value: string | number, entry: Entry): boolean {
    if (field.open_to === undefined) return true;
    const chooser = entry.picks["chooser"];
    const left = typeof chooser === "number" ? (field.open_to[chooser] ?? []) : field.open_to.flat();
    return left.includes(String(value));
  }

  #words(field: Field, value: string | number): (Element | string)[] {
    const { page, factorOf, sideName } = this.places;
    if (field.kind === "seat") return [page.names[value as number] ?? ""];
    if (field.kind === "side" || field.kind === "sides") return [sideName(value as number)];
    if (field.kind === "flag") return [say(`sheet.${field.name}_by`, { side: sideName(0) })];
    if (field.kind === "signed") return [difference(Number(value))];
    if (field.kind === "contract") return [contractMark(page, String(value)), contractName(String(value))];
    const factor = factorOf(String(value));
    return [contractMark(page, String(value)), slotName(String(value)) + (factor > 1 ? ` ×${factor}` : "")];
  }

  #drawSum(entry: Entry): void {
    const line = find("[data-sum]");
    const points = adding(this.fields);
    const total = points === undefined ? null : sum(entry, points.name);
    const right = sumIsRight(entry, this.fields);
    const { least, most } = sumOf(entry, this.fields);
    line.hidden = total === null;
    const sure = right && impossible(entry, this.fields).length === 0;
    if (right && !sure) line.hidden = true;
    line.className = `sheet-sum ${right ? (least === most ? "right" : "") : "wrong"}`;
    const params = { deal: line.dataset["deal"], sum: total, expected: most, off: Math.abs((total ?? 0) - most), least, most };
    const asked = asksForSweep(entry, this.fields);
    if (asked) line.className = "sheet-sum wrong";
    const offers = right ? [] : explained(entry, this.fields).slice(0, OFFERED);
    line.textContent = say(asked ? "sheet.sweep_asked" : right ? (least === most ? "sheet.sum_right" : "sheet.sum") : least === most ? ((total ?? 0) > most ? "sheet.too_much" : "sheet.too_little") : "sheet.sum_outside", params);
    line.append(...offers.map((more) => this.#offer(more)));
  }

  /** Buttons for bonuses that explain the sum; a press counts them. */
  #offer(more: Explained): HTMLElement {
    const worth = (name: string): number => this.fields.find((field) => field.name === name)?.worth ?? 0;
    const parts = Object.entries(more).flatMap(([name, counts]) =>
      counts.flatMap((count, side) => (count > 0 ? [say(`sheet.of_${name}`, { points: count * worth(name), side: this.places.sideName(side) })] : [])),
    );
    return h("button", { type: "button", class: "button small", click: () => this.change((entry) => counting(entry, more)) }, parts.join(" · "));
  }
}
