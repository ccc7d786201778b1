/** How a game ended, on the cloth: who has won, what each side has, what each deal counted. */

import { contractMark } from "../choices/contract-choice";
import { h } from "../dom";
import { contractName, type Page, say, sideName } from "../page";
import { figure, sidesOf } from "../slate/slate-view";
import { seatsOf, type Table } from "../table/table";

export class GameEnd {
  readonly #sides: HTMLElement;
  readonly #deals: HTMLElement;

  constructor(
    private readonly root: HTMLElement,
    private readonly page: Page,
  ) {
    this.#sides = root.querySelector("[data-end-sides]") as HTMLElement;
    this.#deals = root.querySelector("[data-end-deals]") as HTMLElement;
  }

  draw(table: Table): void {
    this.root.hidden = table.winners === null;
    if (this.root.hidden) return;
    this.#sides.replaceChildren(...sidesOf(table).map((side) => this.#side(table, side)));
    this.#deals.replaceChildren(
      ...table.rows.map((row) =>
        h(
          "li",
          { title: row.annulled ? say("deals.annulled") : contractName(row.contract) },
          h("small", {}, String(row.deal)),
          row.contract !== null && contractMark(this.page, row.contract),
          ...sidesOf(table).map((side) => h("span", { "data-side": side }, row.annulled ? "–" : figure(row.scores[side]))),
        ),
      ),
    );
  }

  #side(table: Table, side: number): HTMLElement {
    const won = table.winners?.includes(side) ?? false;
    const words = won && h("small", {}, say(seatsOf(table, side).length > 1 ? "slate.winners" : "slate.winner"));
    // A line ends between names, not in one, and what is said of them stays together.
    const names = sideName(this.page, table, side).split(/(?<=&) /).flatMap((name) => [h("span", {}, name), " "]);
    return h("li", { class: won ? "winner" : null, "data-side": side }, h("span", { class: "end-names" }, ...names, words), h("b", {}, figure(table.totals[side])));
  }
}
