/**
 * The timeline under a table, live and in replays: deals as tabs, tricks as boxes in their taker's colour, with a
 * height by their points. It knows the current position and moves by card, trick and deal, by key, button and
 * automatically.
 */

import { find, h } from "../dom";
import type { EventBase } from "../table/events";
import { type DealMark, dealsOf, jump, placeOf, step } from "../table/moments";
import type { Code } from "../table/cards";
import { outlookOf } from "../table/outlook";
import { cardName, type Page, say, sideName } from "../page";
import { rulesOf } from "../table/rules";
import { calledNames } from "../table/short-names";
import { EMPTY, reduce, type Table, tricksOf } from "../table/table";
import { CARD_INTERVALS_MS } from "./replay-speeds";
import { sayGain, Worth } from "./worth";

const KEYS: Record<string, string> = {
  ArrowLeft: "step-back", ArrowRight: "step-on", Home: "first", End: "last",
  ArrowUp: "trick-back", ArrowDown: "trick-on", PageUp: "trick-back", PageDown: "trick-on",
}; // prettier-ignore
const WITH_SHIFT: Record<string, string> = { ArrowLeft: "trick-back", ArrowRight: "trick-on" };
/** The label by the number of following deals; beyond these the rail has it. */
const DEALS = ["timeline.last_deal", "timeline.one_deal"];
/** The points of a full box. */
const FULL = 60;

export class Timeline {
  events: readonly EventBase[] = [];
  pictures: Table[] = [];
  deals: DealMark[] = [];
  at = -1;
  #playing = 0;
  readonly #worth: Worth;
  readonly #speed = find<HTMLSelectElement>("[data-speed]");
  readonly #button = find("[data-play]");
  readonly #live = document.querySelector("[data-live]") !== null;

  /** `onGo`: the position changes to `at`; `live`: by one step forward, so that cards move. */
  constructor(
    private readonly page: Page,
    private readonly onGo: (at: number, live: boolean) => void,
  ) {
    this.#worth = new Worth(page, () => this.show(this.at));
    for (const button of document.querySelectorAll<HTMLElement>("[data-go]")) {
      button.addEventListener("click", () => this.act(button.dataset["go"] ?? ""));
    }
    this.#button.addEventListener("click", () => this.#toggle());
    this.#speed.addEventListener("change", () => this.#playing && (this.#toggle(), this.#toggle()));
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Whether it plays automatically. */
  get plays(): boolean {
    return this.#playing !== 0;
  }

  /** Set the events; only new ones are folded. */
  take(events: readonly EventBase[]): void {
    const grown = events[this.events.length - 1] === this.events[this.events.length - 1] && this.events.length > 0;
    if (!grown) this.pictures = [];
    for (const event of events.slice(this.pictures.length)) this.pictures.push(reduce(this.pictures[this.pictures.length - 1] ?? EMPTY, event));
    this.events = events;
    this.deals = dealsOf(events, this.pictures);
  }

  go(position: number, live = false): void {
    const last = this.events.length - 1;
    this.onGo(position < 0 ? last : Math.min(last, position), live);
  }

  /** The position of an event; −1 if it has not arrived. */
  position(seq: number): number {
    return this.events.findIndex((event) => event.seq >= seq);
  }

  /** Show the position `at`. */
  show(at: number): void {
    this.at = at;
    const { deal, trick } = placeOf(this.deals, at);
    const tabs = this.deals.map((one, index) => this.#tab(one, index === deal));
    redraw(find("[data-timeline-deals]"), tabs);
    redraw(find("[data-timeline-tricks]"), [...(this.deals[deal]?.tricks ?? []).map((one, index) => this.#box(one, index, index === trick, deal)), ...this.#toCome(deal)]);
    const told = this.#told(deal, trick);
    find("[data-said]").textContent = told.charAt(0).toLocaleUpperCase(document.documentElement.lang) + told.slice(1);
    find("[data-position]").textContent = [this.#where(deal, trick), told].filter(Boolean).join(" · ");
    const mark = this.deals[deal];
    // For finished deals with visible hands the cards' gains are requested; space for the answer is reserved.
    const weighed = mark?.over === true && mark.tricks.length > 0 && (this.pictures[mark.start]?.hands.every((hand) => hand !== null) ?? false);
    find("[data-timeline-tricks]").classList.toggle("weighed", weighed);
    if (weighed) this.#worth.ask(mark.deal);
  }

  /** The name of a moment. */
  #where(deal: number, trick: number): string {
    const found = this.deals[deal];
    const table = this.pictures[this.at];
    if (found === undefined || table === undefined) return say("timeline.before");
    if (table.winners !== null && this.at >= this.events.length - 1) return say("timeline.over");
    const scored = table.rows.some((row) => row.deal === found.deal);
    if (scored) return say("timeline.result", { deal: found.deal });
    const lying = table.trick.length > 0 ? table.tricks.length : trick;
    return lying < 0 ? say("timeline.opening", { deal: found.deal }) : say("timeline.place", { deal: found.deal, trick: lying + 1 });
  }

  /** For the shown trick, the best card's gain; otherwise the points left in the deal, the lead, and a decided winner. */
  #told(deal: number, trick: number): string {
    const found = this.deals[deal];
    const table = this.pictures[this.at];
    if (found === undefined || table === undefined) return "";
    const gain = this.#worth.of(found.deal, found.tricks[trick]?.plays ?? []);
    const called = { names: calledNames(this.page.names) };
    if (gain !== null) return sayGain(called, gain, (card) => cardName(card as Code));
    const { left, won, ahead, needs } = outlookOf(table, rulesOf(this.page));
    const name = (side: number): string => sideName(called, table, side);
    const words = left === null ? [] : [say("timeline.left", { points: left })];
    if (won !== null) words.push(say("timeline.won", { side: name(won) }));
    if (ahead !== null) words.push(say(ahead.here ? "timeline.ahead_here" : "timeline.ahead", { side: name(ahead.side), points: ahead.by }));
    const come = DEALS[ahead?.deals ?? DEALS.length];
    if (come !== undefined) words.push(say(come));
    if (needs !== null) words.push(say("timeline.needs", { points: needs.join(" : ") }));
    return words.join(" · ");
  }

  #tab(deal: DealMark, current: boolean): HTMLElement {
    return h(
      "button",
      { type: "button", class: deal.marked ? "timeline-deal marked" : "timeline-deal", "aria-current": current ? "true" : null, "aria-label": say("timeline.deal", { deal: deal.deal }), click: () => this.go(deal.start) },
      String(deal.deal),
    );
  }

  #box(trick: DealMark["tricks"][number], index: number, current: boolean, deal: number): HTMLElement {
    const name = trick.seat === null ? say("nobody") : (this.page.names[trick.seat] ?? "");
    const gain = this.#worth.of(this.deals[deal]?.deal ?? 0, trick.plays);
    const missed = gain === null ? "" : `. ${sayGain(this.page, gain, (card) => cardName(card as Code))}`;
    const label = say(trick.points === null ? "timeline.trick_taken" : "timeline.trick", { deal: this.deals[deal]?.deal, trick: index + 1, name, points: trick.points }) + missed;
    const bar = h("span", { class: "timeline-points" });
    bar.style.setProperty("--part", String(Math.min(1, (trick.points ?? 0) / FULL)));
    return h(
      "button",
      { type: "button", class: trick.marked ? "timeline-trick marked" : "timeline-trick", "data-side": trick.side, "aria-current": current ? "step" : null, title: label, click: () => this.go(trick.end) },
      h("span", { class: "visually-hidden" }, label),
      bar,
      h("span", { "aria-hidden": "true" }, String(trick.points ?? "?")),
      gain && h("span", { class: "timeline-gain", "aria-hidden": "true" }, `≈${gain.gain}`),
    );
  }

  /** Space for the remaining tricks, so that the others keep their place. */
  #toCome(deal: number): HTMLElement[] {
    const mark = this.deals[deal];
    const table = mark && this.pictures[mark.end];
    const length = mark === undefined || table === undefined || mark.over ? 0 : tricksOf(table) - table.tricks.length;
    return Array.from({ length }, () => h("span", { class: "timeline-trick", "aria-hidden": "true" }, h("span", { class: "timeline-points to-come" })));
  }

  act(name: string): void {
    const starts = this.deals.map((deal) => deal.start);
    const ends = this.deals.flatMap((deal) => deal.tricks.map((trick) => trick.end));
    const { at, events } = this;
    if (name === "step-back") this.go(step(events, at, -1));
    else if (name === "step-on") this.go(step(events, at, 1), true);
    else if (name === "trick-back") this.go(jump(ends, at, -1));
    else if (name === "trick-on") this.go(jump(ends, at, 1));
    else if (name === "deal-back") this.go(jump(starts, at, -1));
    else if (name === "deal-on") this.go(jump(starts, at, 1));
    else if (name === "first") this.go(0);
    else if (name === "last") this.go(events.length - 1);
  }

  #toggle(): void {
    if (this.#playing) {
      window.clearInterval(this.#playing);
      this.#playing = 0;
    } else {
      if (this.at >= this.events.length - 1) this.go(0);
      const on = (): void => (this.at >= this.events.length - 1 ? this.#toggle() : this.act("step-on"));
      this.#playing = window.setInterval(on, CARD_INTERVALS_MS[Number(this.#speed.value)] ?? CARD_INTERVALS_MS[1]);
    }
    this.#button.toggleAttribute("data-playing", this.#playing !== 0);
    find("[data-play-word]").textContent = say(this.#playing ? "replay.pause" : "replay.play");
  }

  #key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select, textarea, summary") || target.closest("dialog") !== null) return;
    // At a live table only ← moves: all other keys scroll the page as usual.
    if (this.#live && this.at >= this.events.length - 1 && event.key !== "ArrowLeft") return;
    if (event.key === " " && !target.matches("button, a")) {
      event.preventDefault();
      this.#toggle();
      return;
    }
    // In a scrolling list, up and down scroll.
    if (/^(Arrow(Up|Down)|Page)/.test(event.key) && target.closest("[tabindex]") !== null) return;
    const name = event.shiftKey ? WITH_SHIFT[event.key] : KEYS[event.key];
    if (name === undefined) return;
    event.preventDefault();
    this.act(name);
  }
}

/** Redraw a row of buttons, and keep the focus at its place. */
function redraw(root: HTMLElement, buttons: readonly HTMLElement[]): void {
  const focused = [...root.children].indexOf(document.activeElement as Element);
  root.replaceChildren(...buttons);
  if (focused >= 0) buttons[focused]?.focus({ preventScroll: true });
  const current = root.querySelector<HTMLElement>("[aria-current]");
  if (current !== null) root.scrollLeft = current.offsetLeft - root.offsetLeft - root.clientWidth / 2;
}
