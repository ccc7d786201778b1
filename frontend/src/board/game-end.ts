/** The end of a game on the board: winner, totals, and the score of each deal. */

import { contractMark } from "../choices/contract-choice";
import { h } from "../dom";
import { contractName, type Page, say, sideName } from "../page";
import { figure, sidesOf } from "../slate/slate-view";
import { rulesOf } from "../table/rules";
import { type DealRow, seatsOf, type Table } from "../table/table";

/** The reason for the end: a claim, a bid or a target, enough game points, or the last deal; "" if the record does not say. */
export function whyOver(page: Page, table: Table): string {
  const rules = rulesOf(page);
  const [winner] = table.winners ?? [];
  if (winner === undefined) return "";
  const { claimed, stopped } = table.calls;
  const parts: string[] = [];
  if (stopped !== null) parts.push(say("end.stopped", { name: page.names[stopped] }));
  const total = table.totals[winner] ?? 0;
  const target = rules.targets?.[winner] ?? null;
  const bid = rules.targets !== null && target === null ? table.bid : null;
  if (claimed !== null) parts.push(say(claimed.right ? "end.claimed" : "end.claimed_wrongly", { name: page.names[claimed.seat] }));
  else if (bid !== null && total >= bid) parts.push(say("end.bid", { points: bid }));
  else if (target !== null && total >= target) parts.push(say("end.target", { points: target }));
  else if (rules.deals !== null && table.rows.length >= rules.deals) parts.push(say("end.deals", { deals: rules.deals }));
  else if (table.options["goal"] === "apples") parts.push(say("end.apples"));
  else if (["strokes", "sacks", "apples"].includes(rules.slate)) parts.push(say("end.strokes", { points: total }));
  return parts.join(" ");
}

/** The deal with the winner's largest lead; null for a single deal or none. */
export function bestDeal(page: Page, table: Table): DealRow | null {
  const [winner] = table.winners ?? [];
  if (winner === undefined || table.rows.length < 2) return null;
  const sign = rulesOf(page).slate === "predictions" ? -1 : 1; // in prediction games the lowest total wins
  const gain = ({ annulled, scores }: DealRow): number => {
    const others = scores.filter((_, side) => side !== winner);
    return annulled ? 0 : sign * ((scores[winner] ?? 0) - others.reduce<number>((sum, points) => sum + (points ?? 0), 0) / others.length);
  };
  return table.rows.reduce<DealRow | null>((best, row) => (gain(row) > (best === null ? 0 : gain(best)) ? row : best), null);
}

export class GameEnd {
  readonly #sides: HTMLElement;
  readonly #deals: HTMLElement;
  readonly #why = h("p", { class: "end-why", hidden: true });
  readonly #best = h("p", { class: "end-best", hidden: true });
  /** Not in an embedded frame. */
  readonly #leadsOn: boolean;
  /** The URL of the replay; "": this page. */
  readonly #replay: string;

  constructor(
    private readonly root: HTMLElement,
    private readonly page: Page,
  ) {
    this.#sides = root.querySelector("[data-end-sides]") as HTMLElement;
    this.#sides.before(this.#why);
    this.#sides.after(this.#best);
    this.#replay = root.querySelector<HTMLAnchorElement>('a[href$="/replay/"]')?.pathname ?? "";
    this.#leadsOn = root.querySelector(".row") !== null;
    this.#deals = root.querySelector("[data-end-deals]") as HTMLElement;
  }

  draw(table: Table): void {
    this.root.hidden = table.winners === null;
    if (this.root.hidden) return;
    const why = whyOver(this.page, table);
    this.#why.hidden = why === "";
    this.#why.textContent = why;
    const best = bestDeal(this.page, table);
    this.#best.hidden = best === null;
    if (best !== null) {
      const words = say("end.best", { deal: best.deal, scores: best.scores.map(figure).join(" : ") });
      this.#best.replaceChildren(this.#leadsOn ? h("a", { href: `${this.#replay}#deal=${best.deal}` }, words) : words);
    }
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
    // Lines break between names, never inside a name or the winner's note.
    const names = sideName(this.page, table, side).split(/(?<=&) /).flatMap((name) => [h("span", {}, name), " "]);
    return h("li", { class: won ? "winner" : null, "data-side": side }, h("span", { class: "end-names" }, ...names, words), h("b", {}, figure(table.totals[side])));
  }
}
