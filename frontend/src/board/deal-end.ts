/** The end of a deal on the board: heaps turn over, points count up, chalk strokes appear. */

import { Count } from "./count";
import { calm, cardFace, h, s } from "../dom";
import type { Heaps } from "./heaps";
import { wayBetween } from "./card-flights";
import { longest, MAX_TRICK_MS } from "./scene-delays";
import { type Page, say, sideName, signed } from "../page";
import { factorOf, type Rules, rulesOf } from "../table/rules";
import { chalked, figure, sidesOf } from "../slate/slate-view";
import { type DealRow, sideOf, type Table, type Trick } from "../table/table";

/** Milliseconds between two turning cards, and of the whole count; shorter at fast tables. */
const CARD_TURN_INTERVAL_MS = 40;
const COUNT_DURATION_MS = 1500;
const CHALK_INTERVAL_MS = 250;

/** The finished and counted deal on the board, if the game continues; otherwise null. */
export function countedDeal(table: Table): DealRow | null {
  if (table.winners !== null || table.closed !== null || table.mode === "sheet") return null;
  const row = table.rows.find((one) => one.deal === table.deal);
  return row === undefined || row.annulled ? null : row;
}

const takenBy = (table: Table, side: number): Trick[] => table.tricks.filter((trick) => trick.taker !== null && sideOf(table, trick.taker) === side);

/** The components of a side's score, as far as known; empty if only cards counted. */
export function madeOf(table: Table, row: DealRow, side: number, rules: Rules): string {
  const points = row.cardPoints[side];
  if (typeof points !== "number") return "";
  const melds = table.meldPoints.find((one) => one.side === side);
  const stoeck = table.stoeck.find((one) => sideOf(table, one.seat) === side);
  const tricks = takenBy(table, side).length;
  const factor = factorOf(rules, row.contract, row.slot);
  const said = row.predictions?.[side];
  const parts = [
    typeof said === "number" && say("deals.predicted", { points: said }),
    say("deals.in_cards", { points }),
    melds && say("table.melds", melds),
    stoeck && `${say("table.stoeck")} ${signed(stoeck.points)}`,
    tricks && tricks === table.tricks.length && rules.sweep && say("deals.sweep", { points: rules.sweep }),
    factor > 1 && `×${factor}`,
  ].filter(Boolean);
  return parts.length === 1 && points === row.scores[side] ? "" : parts.join(", ");
}

/** Animate the strokes of a chalk drawing that are not in `before`. */
function writeAnew(now: SVGSVGElement, before: SVGSVGElement): void {
  const marks = (drawing: Element): string[] => [...drawing.querySelectorAll("path.stroke:not(.crossed)")].flatMap((path) => path.getAttribute("d")?.match(/M[^M]+/g) ?? []);
  const was = new Set(marks(before));
  const figures = [...before.querySelectorAll("text")].map((text) => text.textContent);
  let fresh = 0;
  const late = (element: SVGElement): SVGElement => {
    element.classList.add("new");
    element.style.setProperty("--nth", String(fresh));
    fresh += 1;
    return element;
  };
  for (const path of now.querySelectorAll<SVGPathElement>("path.stroke:not(.crossed)")) {
    const all = path.getAttribute("d")?.match(/M[^M]+/g) ?? [];
    path.setAttribute("d", all.filter((mark) => was.has(mark)).join(""));
    for (const d of all.filter((mark) => !was.has(mark))) now.append(late(s("path", { class: "stroke", d })));
  }
  for (const text of now.querySelectorAll<SVGTextElement>("text")) if (!figures.includes(text.textContent)) late(text);
}

export class DealEnd {
  readonly #root: HTMLElement;
  readonly #sides = h("ol", { class: "deal-end-sides" });
  readonly #part: number;
  #shown = "";
  #counts: { count: Count; figure: HTMLElement }[] = [];

  constructor(
    board: HTMLElement,
    private readonly page: Page,
    private readonly heaps: Heaps,
  ) {
    this.#root = h("section", { class: "deal-end", hidden: true }, this.#sides);
    this.#part = longest(page) / MAX_TRICK_MS;
    this.#root.style.setProperty("--pace", String(this.#part));
    board.append(this.#root);
  }

  /** `live`: animate the end. */
  draw(table: Table, live: boolean, at: (seat: number) => string): void {
    const row = countedDeal(table);
    const wanted = row === null ? "" : JSON.stringify([row.deal, row.scores, table.totals]);
    if (wanted === this.#shown) return;
    this.#shown = wanted;
    this.#root.hidden = row === null;
    this.#counts = [];
    if (row === null) return;
    const moves = live && this.#part > 0 && !calm();
    this.#root.toggleAttribute("data-moves", moves);
    this.#root.setAttribute("aria-label", say("table.deal", { deal: row.deal }));
    this.#sides.dataset["count"] = String(table.sides);
    this.#sides.replaceChildren(...sidesOf(table).map((side) => this.#side(table, row, side, moves)));
    if (!moves) return;
    for (const fan of this.#root.querySelectorAll<HTMLElement>(".fan")) {
      const { x, y } = wayBetween(this.heaps.of(at(Number(fan.dataset["seat"]))), fan);
      fan.style.setProperty("--from-x", `${x}px`);
      fan.style.setProperty("--from-y", `${y}px`);
    }
    this.#tick();
  }

  #side(table: Table, row: DealRow, side: number, moves: boolean): HTMLElement {
    const tricks = takenBy(table, side);
    const cards = tricks.flatMap((trick) => trick.plays.map((play) => play.card));
    const faces = cards.map((card, index) => {
      const slot = h("span", { class: "slot" }, cardFace(this.page, card));
      slot.style.setProperty("--after", `${index * CARD_TURN_INTERVAL_MS}ms`);
      return slot;
    });
    const points = h("b", {}, figure(row.scores[side]));
    const score = row.scores[side];
    if (moves && typeof score === "number") {
      const count = new Count(COUNT_DURATION_MS * this.#part);
      count.set(score, true);
      points.textContent = "0";
      this.#counts.push({ count, figure: points });
    }
    const made = madeOf(table, row, side, rulesOf(this.page));
    const chalk = chalked(this.page, table, side);
    if (chalk !== null && moves) this.#write(chalk, table, side, row.deal);
    return h(
      "li",
      { "data-side": side },
      h("span", { class: "deal-end-name" }, sideName(this.page, table, side)),
      h("span", { class: "deal-end-points" }, made && h("small", {}, made), points),
      h("span", { class: "fan", "data-seat": tricks[0]?.taker ?? null }, ...faces),
      chalk !== null && h("span", { class: "deal-end-chalk" }, chalk),
    );
  }

  #write(chalk: SVGSVGElement, table: Table, side: number, deal: number): void {
    const rows = table.rows.filter((row) => row.deal !== deal);
    const totals = table.totals.map((total, index) => total - (table.rows.find((row) => row.deal === deal)?.scores[index] ?? 0));
    const before = chalked(this.page, { ...table, rows, totals }, side);
    chalk.style.setProperty("--begins", `${COUNT_DURATION_MS}ms`);
    chalk.style.setProperty("--step", `${CHALK_INTERVAL_MS}ms`);
    if (before !== null) writeAnew(chalk, before);
  }

  #tick(): void {
    for (const { count, figure: place } of this.#counts) place.textContent = signed(count.now);
    if (this.#counts.some(({ count }) => count.counting)) requestAnimationFrame(() => this.#tick());
  }
}
