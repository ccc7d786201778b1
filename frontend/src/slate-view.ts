/** The slate with names and totals, drawn as the game counts: chalk, single strokes, slots or predictions. */

import { predictionsOf } from "./calls";
import { h } from "./dom";
import { contractName, type Page, say, sideName, slotName } from "./page";
import { rulesOf } from "./rules";
import { chalk } from "./slate";
import { drawSlate } from "./slate-drawing";
import { countsGamePoints, drawTallies, marksOf } from "./slate-tallies";
import { type DealRow, sideOf, type Table } from "./table";

const figure = (value: number | null | undefined): string => (value === null || value === undefined ? "?" : String(value));

interface Counted {
  scores: readonly (number | null)[];
  cardPoints: readonly (number | null)[];
}

/** What counts: deals played, or what the sheet says. */
function counted(table: Table): Counted[] {
  if (table.results.length > 0) return table.results.map((row) => ({ scores: row.scores, cardPoints: row.card_points }));
  return table.rows.filter((row) => !row.annulled);
}

/** The entries of a side: what each deal counts; sheet tables count what the sheet says. */
export const entriesOf = (table: Table, side: number): number[] => counted(table).map((row) => row.scores[side] ?? 0);

const sidesOf = (table: Table): number[] => [...Array(table.sides).keys()];
const scored = (table: Table): boolean => table.rows.some((row) => row.deal === table.deal);
const running = (table: Table): boolean => table.deal > 0 && !scored(table) && (table.contract !== null || table.tricks.length > 0);

export function renderSlate(root: HTMLElement, page: Page, table: Table): void {
  const { slots, predictions } = rulesOf(page);
  const sheet = table.mode === "sheet";
  if (!sheet && slots !== null) root.replaceChildren(totals(page, table), slotTable(page, table));
  else if (!sheet && predictions !== null) {
    root.replaceChildren(totals(page, table), predictionTable(page, table));
  } else root.replaceChildren(h("div", { class: "slate-sides" }, ...sidesOf(table).map((side) => half(page, table, side))));
}

function head(page: Page, table: Table, side: number): HTMLElement {
  return h(
    "div",
    { class: "slate-side-head" },
    h("span", { class: "slate-side-name" }, sideName(page, table, side)),
    h("span", { class: "slate-total" }, String(table.totals[side] ?? 0)),
  );
}

/** Points in tricks of the deal being played, and where a bid is played for. */
function soFar(table: Table, side: number): HTMLElement | null {
  if (!running(table)) return null;
  const bid = table.declarer !== null && table.bid !== null && sideOf(table, table.declarer) === side ? table.bid : null;
  const points = figure(table.taken[side]);
  return h("small", { class: "muted" }, bid === null ? say("slate.this_deal", { points }) : say("slate.this_deal_bid", { points, bid }));
}

function half(page: Page, table: Table, side: number): HTMLElement {
  const sum = table.totals[side] ?? 0;
  const entries = entriesOf(table, side);
  const noted = entries.reduce((a, b) => a + b, 0);
  // A ruling may have moved the total beyond what the deals say: the difference is written as well.
  const all = sum === noted ? entries : [...entries, sum - noted];
  const label = say("slate.label", { side: sideName(page, table, side), points: sum });
  const drawing = countsGamePoints(counted(table)) ? drawTallies(marksOf(all), label) : drawSlate(chalk(all), label);
  const tied = table.ties.filter((pair) => pair.includes(side)).length;
  return h(
    "div",
    { class: "slate-side" },
    head(page, table, side),
    drawing,
    soFar(table, side),
    tied > 0 && h("small", { class: "muted" }, say("slate.tied", { count: tied })),
  );
}

function totals(page: Page, table: Table): HTMLElement {
  const sides = sidesOf(table).map((side) => h("div", { class: "slate-side" }, head(page, table, side), soFar(table, side)));
  return h("div", { class: "slate-sides" }, ...sides);
}

/** One line a slot, one column a side: what was made of it, or an empty place for what is left. */
function slotTable(page: Page, table: Table): HTMLElement {
  const sides = sidesOf(table);
  const cell = (slot: string, side: number): string => {
    const row = table.rows.find((one) => one.slot === slot && !one.annulled && one.chooser !== null && sideOf(table, one.chooser) === side);
    if (row !== undefined) return figure(row.scores[side]);
    const now = !scored(table) && table.slot === slot && table.chooser !== null && sideOf(table, table.chooser) === side;
    return now ? "…" : "–";
  };
  const rows = (rulesOf(page).slots ?? []).map(({ slot, factor }) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, slotName(slot), h("small", { class: "muted" }, ` ×${factor}`)),
      ...sides.map((side) => h("td", { class: "num" }, cell(slot, side))),
    ),
  );
  return grid(say("slate.slots"), headOf(page, table, say("slate.slot")), rows);
}

/** One line a deal: what was said, and by how much it was missed. */
function predictionTable(page: Page, table: Table): HTMLElement {
  const sides = sidesOf(table);
  const line = (label: string, row: Pick<DealRow, "predictions" | "cardPoints" | "scores">): HTMLElement =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, label),
      ...sides.map((side) =>
        h(
          "td",
          { class: "num" },
          h("b", {}, figure(row.scores[side])),
          h("small", { class: "muted" }, `${row.predictions === null ? "" : figure(row.predictions[side])} → ${figure(row.cardPoints[side])}`),
        ),
      ),
    );
  const rows = table.rows.filter((row) => !row.annulled).map((row) => line(String(row.deal), row));
  const now = predictionsOf(table);
  if (now !== null && !scored(table)) {
    const cells = sides.map((side) => h("td", { class: "num" }, h("small", { class: "muted" }, `${figure(now[side])} → ${figure(table.taken[side])}`)));
    rows.push(h("tr", {}, h("th", { scope: "row" }, String(table.deal)), ...cells));
  }
  return grid(say("slate.predictions"), headOf(page, table, say("deals.deal")), rows);
}

function headOf(page: Page, table: Table, first: string, ...more: string[]): HTMLElement {
  const columns = [...more.map((text) => h("th", { scope: "col" }, text)), ...sidesOf(table).map((side) => h("th", { scope: "col", class: "num" }, sideName(page, table, side)))];
  return h("tr", {}, h("th", { scope: "col" }, first), ...columns);
}

function grid(caption: string, top: HTMLElement, rows: HTMLElement[]): HTMLElement {
  return h("div", { class: "slate-table", tabindex: 0, role: "group", "aria-label": caption }, h("table", {}, h("thead", {}, top), h("tbody", {}, ...rows)));
}

/** What named the contract of a deal, with the joker it was played through. */
function contractOf(row: DealRow): string {
  const through = row.slot === null || slotName(row.slot) === contractName(row.contract) ? "" : `${slotName(row.slot)}: `;
  return row.annulled ? say("deals.annulled") : through + contractName(row.contract);
}

export function renderDeals(root: HTMLElement, page: Page, table: Table): void {
  if (table.rows.length === 0) {
    root.replaceChildren(h("p", { class: "muted" }, say("deals.none")));
    return;
  }
  const points = countsGamePoints(counted(table));
  const rows = table.rows.map((row) =>
    h(
      "tr",
      {},
      h("td", {}, String(row.deal)),
      h("td", {}, contractOf(row)),
      ...sidesOf(table).map((side) =>
        h("td", { class: row.annulled ? "num dropped" : "num" }, figure(row.scores[side]), points && h("small", { class: "muted" }, ` (${figure(row.cardPoints[side])})`)),
      ),
    ),
  );
  root.replaceChildren(h("table", {}, h("thead", {}, headOf(page, table, say("deals.deal"), say("deals.contract"))), h("tbody", {}, ...rows)));
}
