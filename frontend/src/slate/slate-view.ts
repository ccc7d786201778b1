/** The slate with names and totals, in the notation of the game: see SlateKind. */

import { predictionsOf } from "../table/calls";
import { h } from "../dom";
import { say, sideName, signed, type Slated, slotName } from "../page";
import { paid } from "../table/payments";
import { rulesOf, type SlateKind } from "../table/rules";
import { chalk, type Slate } from "./slate";
import { drawSlate } from "./slate-drawing";
import { drawTallies, type Mark, marksOf, type Tallied } from "./slate-tallies";
import { type DealStanding, standingOf } from "../table/standing";
import { type DealRow, seatsOf, sideOf, type Table } from "../table/table";

export const figure = (value: number | null | undefined): string => (value === null || value === undefined ? "?" : signed(value));
export const sidesOf = (table: Table): number[] => [...Array(table.sides).keys()];

const BOARDS: Partial<Record<SlateKind, (page: Slated, table: Table) => HTMLElement>> = {
  slots: slotTable,
  predictions: predictionTable,
};

export function renderSlate(root: HTMLElement, page: Slated, table: Table): void {
  const board = BOARDS[rulesOf(page).slate];
  const halves = sidesOf(table).map((side) =>
    h("div", { class: "slate-side" }, head(page, table, side), board === undefined && written(page, table, side), notes(page, table, side)),
  );
  const sides = h("div", { class: "slate-sides", "data-count": table.sides }, ...halves);
  root.replaceChildren(sides, ...(board === undefined ? [] : [board(page, table)]));
}

/** The deals that are not annulled. */
export const counted = (table: Table): DealRow[] => table.rows.filter((row) => !row.annulled);

/** The score of each deal for a side. */
export const entriesOf = (table: Table, side: number): number[] => counted(table).map((row) => row.scores[side] ?? 0);

const scored = (table: Table): boolean => table.rows.some((row) => row.deal === table.deal);

function head(page: Slated, table: Table, side: number): HTMLElement {
  const won = table.winners?.includes(side) ?? false;
  const goal = goalOf(page, table, side);
  return h(
    "div",
    { class: won ? "slate-side-head winner" : "slate-side-head" },
    h("span", { class: "slate-side-name" }, sideName(page, table, side), won && h("span", { class: "tag strong" }, say(seatsOf(table, side).length > 1 ? "slate.winners" : "slate.winner"))),
    h("span", { class: "slate-total" }, signed(table.totals[side] ?? 0), goal !== null && h("small", { class: "muted" }, ` / ${goal}`)),
  );
}

/** The points a side needs to win: from the rules, or from the bid of its declarer. */
function goalOf(page: Slated, table: Table, side: number): number | null {
  const { targets } = rulesOf(page);
  if (targets === null) return null;
  return targets[side] ?? (table.declarer !== null && sideOf(table, table.declarer) === side ? table.bid : null);
}

/** The chalk drawing of a side; null in games whose score is a table. */
export function chalked(page: Slated, table: Table, side: number): SVGSVGElement | null {
  return BOARDS[rulesOf(page).slate] === undefined ? written(page, table, side) : null;
}

/** Draw a side's points as chalk marks or strokes. */
function written(page: Slated, table: Table, side: number): SVGSVGElement {
  const kind = rulesOf(page).slate;
  const sum = table.totals[side] ?? 0;
  const entries = entriesOf(table, side);
  const noted = entries.reduce((a, b) => a + b, 0);
  // A ruling may have changed the total beyond the sum of the deals: the difference is drawn as well.
  const all = sum === noted ? entries : [...entries, sum - noted];
  const name = sideName(page, table, side);
  if (kind === "points") {
    const slate = chalk(all);
    return drawSlate(slate, say("slate.label", { side: name, points: sum, marks: chalkWords(slate) }));
  }
  const marks = marksOf(all, kind as Tallied);
  return drawTallies(marks, say("slate.label", { side: name, points: sum, marks: markWords(marks) }));
}

function chalkWords(slate: Slate): string {
  const worth = { I: 1, V: 5, X: 10 } as const;
  const hundreds = slate.hundreds.reduce((sum, mark) => sum + worth[mark], 0);
  const rest = slate.rests.reduce((sum, one) => sum + (one.crossed ? 0 : one.value), 0);
  return say("slate.chalk", { hundreds, fifties: slate.fifties, twenties: slate.twenties, rest });
}

function markWords(marks: readonly Mark[]): string {
  const count = (wanted: Mark): number => marks.filter((mark) => mark === wanted).length;
  const parts = [say("slate.strokes", { count: count("I") })];
  if (marks.some((mark) => mark === "0" || mark === "Ø")) parts.push(say("slate.sacks", { count: count("0"), crossed: count("Ø") }));
  if (marks.includes("apple")) parts.push(say("slate.apples", { count: count("apple") }));
  return parts.join(", ");
}

/** The running deal's points of a side: sum, components and goal. */
export function soFar(standing: DealStanding, side: number): string[] {
  const points = standing.points[side] ?? null;
  if (points === null) return [];
  const goal = standing.goals[side] ?? null;
  const params = { points, goal, bid: goal };
  const key = goal === null || standing.aimed === "target" ? "slate.this_deal" : `slate.this_deal_${standing.aimed}`;
  const [cards, melds, stoeck] = [standing.cards[side] ?? 0, standing.melds[side] ?? 0, standing.stoeck[side] ?? 0];
  const parts = [
    say("deals.in_cards", { points: cards }),
    melds !== 0 && say("table.melds", { points: melds }),
    stoeck !== 0 && `${say("table.stoeck")} ${signed(stoeck)}`,
    standing.factor > 1 && `×${standing.factor}`,
  ].filter(Boolean);
  return [say(key, params), ...(points === cards ? [] : [parts.join(", ")])];
}

/** The notes beside the chalk: points of the running deal, unpaid ties, and payments at the end. */
function notes(page: Slated, table: Table, side: number): HTMLElement | null {
  const texts: string[] = [];
  const standing = standingOf(table, rulesOf(page));
  if (standing !== null) texts.push(...soFar(standing, side));
  const tied = table.ties.filter((pair) => pair.includes(side)).length;
  if (tied > 0) texts.push(say("slate.tied", { count: tied }));
  const payment = table.payments?.[side];
  if (payment !== undefined) texts.push(paid(payment, table.sides));
  return texts.length === 0 ? null : h("div", { class: "slate-notes" }, ...texts.map((text) => h("small", { class: "slate-note muted" }, text)));
}

/** One line a slot, one column a side: the score, or an empty place for an open slot. */
function slotTable(page: Slated, table: Table): HTMLElement {
  const sides = sidesOf(table);
  const standing = standingOf(table, rulesOf(page));
  const cell = (slot: string, side: number): HTMLElement => {
    const mine = (chooser: number | null): boolean => chooser !== null && sideOf(table, chooser) === side;
    const row = counted(table).find((one) => one.slot === slot && mine(one.chooser));
    if (row !== undefined) return h("td", { class: "num" }, h("b", {}, figure(row.scores[side])), h("small", { class: "muted" }, figure(row.cardPoints[side])));
    const now = standing !== null && table.slot === slot && mine(table.chooser);
    if (now) return h("td", { class: "num now", title: say("slate.slot_now") }, h("span", {}, figure(standing.points[side])), h("small", { class: "muted" }, figure(standing.cards[side])));
    return h("td", { class: "num open" }, h("span", { "aria-label": say("slate.slot_left") }, "·"));
  };
  const rows = (rulesOf(page).slots ?? []).map(({ slot, factor }) =>
    h("tr", {}, h("th", { scope: "row" }, slotName(slot), h("small", { class: "muted" }, ` ×${factor}`)), ...sides.map((side) => cell(slot, side))),
  );
  return grid(say("slate.slots"), headOf(page, table, say("slate.slot")), rows);
}

/** One line a deal: prediction, points, and difference. */
function predictionTable(page: Slated, table: Table): HTMLElement {
  const sides = sidesOf(table);
  const cell = (score: string, said: number | null | undefined, made: number | null | undefined): HTMLElement =>
    h("td", { class: "num" }, score !== "" && h("b", {}, score), h("small", { class: "muted" }, `${said === undefined ? "" : figure(said)} → ${figure(made)}`));
  const line = (deal: number, cells: HTMLElement[]): HTMLElement => h("tr", {}, h("th", { scope: "row" }, String(deal)), ...cells);
  const rows = counted(table).map((row) =>
    line(row.deal, sides.map((side) => cell(figure(row.scores[side]), row.predictions?.[side], row.cardPoints[side]))),
  );
  const now = predictionsOf(table);
  const points = standingOf(table, rulesOf(page))?.points ?? [];
  if (now !== null && !scored(table)) rows.push(line(table.deal, sides.map((side) => cell("", now[side], points[side]))));
  return grid(say("slate.predictions"), headOf(page, table, say("deals.deal")), rows);
}

export function headOf(page: Slated, table: Table, first: string, ...more: string[]): HTMLElement {
  const columns = [...more.map((text) => h("th", { scope: "col" }, text)), ...sidesOf(table).map((side) => h("th", { scope: "col", class: "num" }, sideName(page, table, side)))];
  return h("tr", {}, h("th", { scope: "col" }, first), ...columns);
}

function grid(caption: string, top: HTMLElement, rows: HTMLElement[]): HTMLElement {
  return h("div", { class: "slate-table", tabindex: 0, role: "group", "aria-label": caption }, h("table", {}, h("thead", {}, top), h("tbody", {}, ...rows)));
}
