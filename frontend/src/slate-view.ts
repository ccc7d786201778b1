/** Both halves of the slate with names and totals, and what each deal brought as a table. */

import { h } from "./dom";
import { contractName, type Page, say, sideName } from "./page";
import { chalk } from "./slate";
import { drawSlate } from "./slate-drawing";
import type { Table } from "./table";

const figure = (value: number | null | undefined): string => (value === null || value === undefined ? "?" : String(value));

/** The entries of a side: what each deal counts; sheet tables count what the sheet says. */
export function entriesOf(table: Table, side: number): number[] {
  if (table.results.length > 0) return table.results.map((row) => row.scores[side] ?? 0);
  return table.rows.filter((row) => !row.annulled).map((row) => row.scores[side] ?? 0);
}

export function renderSlate(root: HTMLElement, page: Page, table: Table): void {
  const sides = [...Array(table.sides).keys()];
  const halves = sides.map((side) => {
    const sum = table.totals[side] ?? 0;
    const entries = entriesOf(table, side);
    const noted = entries.reduce((a, b) => a + b, 0);
    // A ruling may have moved the total beyond what the deals say: the difference is written as well.
    const all = sum === noted ? entries : [...entries, sum - noted];
    const name = sideName(page, table, side);
    const running = table.contract !== null && table.taken[side] !== null && !scored(table);
    return h(
      "div",
      { class: "slate-side" },
      h(
        "div",
        { class: "slate-side-head" },
        h("span", { class: "slate-side-name" }, name),
        h("span", { class: "slate-total" }, String(sum)),
      ),
      drawSlate(chalk(all), say("slate.label", { side: name, points: sum })),
      running && h("small", { class: "muted" }, say("slate.this_deal", { points: figure(table.taken[side]) })),
    );
  });
  root.replaceChildren(h("div", { class: "slate-sides" }, ...halves));
}

const scored = (table: Table): boolean => table.rows.some((row) => row.deal === table.deal);

export function renderDeals(root: HTMLElement, page: Page, table: Table): void {
  const sides = [...Array(table.sides).keys()];
  if (table.rows.length === 0) {
    root.replaceChildren(h("p", { class: "muted" }, say("deals.none")));
    return;
  }
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, say("deals.deal")),
    h("th", { scope: "col" }, say("deals.contract")),
    ...sides.map((side) => h("th", { scope: "col", class: "num" }, sideName(page, table, side))),
  );
  const rows = table.rows.map((row) =>
    h(
      "tr",
      {},
      h("td", {}, String(row.deal)),
      h("td", {}, row.annulled ? say("deals.annulled") : contractName(row.contract)),
      ...sides.map((side) => h("td", { class: row.annulled ? "num dropped" : "num" }, figure(row.scores[side]))),
    ),
  );
  root.replaceChildren(h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows)));
}
