/** The rail of a stage: contract, deal number, a dot a trick in its taker's colour, totals. */

import { contractMark } from "../choices/contract-choice";
import { Count } from "./count";
import { h, settle } from "../dom";
import { cardName, contractName, type Page, say, sideName, signed, slotName } from "../page";
import { chooserOf, factorOf, rulesOf } from "../table/rules";
import { type DealStanding, standingOf } from "../table/standing";
import { shortNames } from "../table/short-names";
import { soFar } from "../slate/slate-view";
import { sideOf, type Table, tricksOf } from "../table/table";

/** The contract as shown above a table: mark, name, declarer. */
export function contractParts(page: Page, table: Table): Element[] {
  const { contract, slot } = table;
  const rules = rulesOf(page);
  const chooser = chooserOf(rules, table);
  const who = chooser === null ? origin(table) : say(table.pushed.length ? "table.by_pushed" : "table.by", { name: page.names[chooser] });
  const factor = factorOf(rules, contract, slot);
  const times = factor > 1 ? ` ×${factor}` : "";
  const joker = slot !== null && slotName(slot) !== contractName(contract) ? `${slotName(slot)}: ` : "";
  const open = slot !== null ? slotName(slot) + times : say(table.deal ? "table.no_contract" : "table.before");
  const name = contract === null ? open : joker + contractName(contract) + times;
  const words = h("span", { class: "contract-words" }, h("span", {}, name), who !== "" && h("small", {}, who));
  return contract === null ? [words] : [contractMark(page, contract), words];
}

/** The origin of a contract that no player chose. */
function origin(table: Table): string {
  if (table.contract === null) return table.bid !== null && table.wonIn === table.deal ? say("table.bid", { points: table.bid }) : "";
  if (table.laid.turned === null) return table.chooser === null ? say("table.by_card") : "";
  return say("table.by_turned", { card: cardName(table.laid.turned.named) });
}

export function dealWords(table: Table): string {
  const deals = table.options["deals"];
  if (!table.deal) return "";
  return typeof deals === "number" ? say("table.deal_of", { deal: table.deal, deals }) : say("table.deal", { deal: table.deal });
}

/** The running deal's points of a side, beside its total: added to it, or compared with its prediction or bid. */
export function runningChip(standing: DealStanding | null, side: number): HTMLElement | null {
  const points = standing?.points[side] ?? null;
  if (standing === null || points === null) return null;
  const goal = standing.aimed === "target" ? null : (standing.goals[side] ?? null);
  const text = goal === null ? `${points < 0 ? "" : "+"}${signed(points)}` : `${signed(points)}/${goal}`;
  return h("small", { class: "score-now" }, h("span", { "aria-hidden": "true" }, text), h("span", { class: "visually-hidden" }, soFar(standing, side)[0]));
}

/** The sign of a side, with a distinct shape; the same on the rail and beside a name. */
export const sideMark = (side: number | null): HTMLElement | null => (side === null ? null : h("span", { class: "dot taken side-mark", "data-side": side, "aria-hidden": "true" }));

export class Rail {
  readonly #counts: Count[] = [];

  constructor(
    private readonly root: HTMLElement,
    private readonly page: Page,
  ) {}

  /** `live`: animate new points. */
  draw(table: Table, live: boolean): void {
    const { names } = this.page;
    const done = table.tricks.length;
    const dots = Array.from({ length: tricksOf(table) }, (_, index) => {
      const taker = table.tricks[index]?.taker;
      return h("span", { class: index < done ? "dot taken" : "dot", "data-side": taker === undefined || taker === null ? null : sideOf(table, taker) });
    });
    const sides = [...Array(table.sides).keys()].map((side) => sideName(this.page, table, side));
    const short = shortNames(sides);
    const standing = standingOf(table, rulesOf(this.page));
    const chips = [...Array(table.sides).keys()].map((side) => {
      const name = sides[side];
      const won = table.winners?.includes(side) ?? false;
      const count = (this.#counts[side] ??= new Count());
      count.set(table.totals[side] ?? 0, live);
      return h(
        "span",
        { class: won ? "score winner" : "score", "data-side": side, title: name },
        sideMark(side),
        h("span", { class: "score-name" }, h("span", { class: "score-full" }, name), h("span", { class: "score-short", "aria-hidden": "true" }, short[side])),
        h("b", {}, signed(count.now)),
        runningChip(standing, side),
      );
    });
    settle(this.root, [
      h("span", { class: "contract" }, ...contractParts(this.page, table)),
      h("span", { class: "deal-counter" }, dealWords(table)),
      h("span", { class: "dots", "aria-hidden": "true" }, ...dots),
      h("span", { class: "visually-hidden" }, done > 0 ? say("table.tricks_done", { tricks: done }) : ""),
      h("span", { class: "scores", "data-count": chips.length }, ...chips),
    ]);
    this.root.dataset["players"] = String(names.length);
    this.#count();
  }

  #count(): void {
    const figures = this.root.querySelectorAll(".score b");
    this.#counts.forEach((count, side) => figures[side] && (figures[side].textContent = signed(count.now)));
    if (this.#counts.some((count) => count.counting)) requestAnimationFrame(() => this.#count());
  }
}
