/** The score sheet on a phone: one number a deal, sweep and Stöck one tap, the other side confirms; works offline. */

import { showConnection } from "./connection";
import { find, h } from "./dom";
import { type Letter, Outbox, postCommand } from "./outbox";
import { contractName, readPage, say, sayError, sideName } from "./page";
import { rulesOf } from "./rules";
import { type Asked, blank, complete, type Entry, resultOf } from "./score-entry";
import { SheetFields } from "./sheet-fields";
import { renderSlate } from "./slate-view";
import { commandId, Line } from "./socket";
import { EMPTY, seatsOf, type SheetRow, sideOf, type Table } from "./table";

const page = readPage();
const rules = rulesOf(page);
const asked: Asked = { expected: rules.points, all: rules.all_counted, scores: !rules.derived };
const key = `puur_outbox_${page.game}`;
const sideKey = `puur_side_${page.game}`;
/** The seats whoever holds this phone may write for; a tablet of the whole table has all four. */
const seats = (page.extra["seats"] as number[] | undefined) ?? (page.seat === null ? [] : [page.seat]);

let table: Table = EMPTY;
let entry: Entry = blank(2);
let fields: SheetFields | null = null;
/** The deal being typed; null: the next one. */
let correcting: number | null = null;
let contract: string | null = null;
let notice = "";
let writer = Number(localStorage.getItem(sideKey) ?? NaN);

const outbox = new Outbox(
  {
    load: () => localStorage.getItem(key),
    save: (text) => localStorage.setItem(key, text),
    send: (letter) => postCommand(page.commands, page.csrf, letter),
  },
  () => draw(),
  (letter, answer) => {
    const deal = letter.command["deal"];
    notice = `${say("sheet.deal", { deal })}: ${sayError(answer.code, answer.detail, answer.params)}`;
    draw();
  },
);

const deals = (): number | null => (typeof table.options["deals"] === "number" ? table.options["deals"] : null);
const waitingFor = (deal: number): boolean => outbox.waiting.some((letter) => letter.command["deal"] === deal);

function nextDeal(): number {
  const taken = new Set(table.results.map((row) => row.deal));
  for (const letter of outbox.waiting) taken.add(letter.command["deal"] as number);
  let deal = 1;
  while (taken.has(deal)) deal += 1;
  return deal;
}

function mySide(): number {
  const own = seats.map((seat) => sideOf(table, seat));
  if (own.includes(writer)) return writer;
  return own[0] ?? 0;
}

function seatFor(side: number): number | undefined {
  return seatsOf(table, side).find((seat) => seats.includes(seat));
}

function post(command: Record<string, unknown>): void {
  const letter: Letter = { command_id: commandId(), command };
  notice = "";
  void outbox.post(letter);
}

function submit(): void {
  const seat = seatFor(mySide());
  if (seat === undefined || !complete(entry, asked)) return;
  const deal = correcting ?? nextDeal();
  post({
    cmd: correcting === null ? "enter_result" : "correct_result",
    seat,
    deal,
    ...resultOf(entry, asked),
    ...(contract === null ? {} : { contract }),
  });
  entry = blank(table.sides);
  correcting = null;
  contract = null;
  draw();
}

find<HTMLFormElement>("[data-entry]").addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
const contracts = find<HTMLSelectElement>("[data-contract]");
contracts.addEventListener("change", () => {
  contract = contracts.value || null;
});

function fieldsNow(): SheetFields | null {
  if (fields === null && table.sides > 0) {
    entry = blank(table.sides);
    const known = { asked, sweep: rules.derived || rules.sweep, stoeck: rules.stoeck && !rules.stoeck_signed, melds: rules.melds };
    fields = new SheetFields(sides(), known, (change) => {
      entry = change(entry);
      draw();
    });
  }
  return fields;
}

const sides = (): number[] => [...Array(table.sides).keys()];

function drawEntry(): void {
  const deal = correcting ?? nextDeal();
  const last = deals();
  const over = correcting === null && last !== null && deal > last;
  find("[data-entry]").hidden = over || table.seq < 0 || table.closed !== null || seats.length === 0;
  find("[data-entry-deal]").textContent = correcting === null ? say(last === null ? "sheet.deal" : "sheet.deal_of", { deal, deals: last }) : say("sheet.correct", { deal });
  fieldsNow()?.draw(entry, deal, (side) => sideName(page, table, side));
  const matters = rules.contracts.some(({ factor }) => factor !== 1);
  find("[data-contract-row]").hidden = !matters;
  if (matters && contracts.options.length === 1) {
    contracts.append(...rules.contracts.map(({ contract: name }) => h("option", { value: name }, contractName(name))));
  }
  contracts.value = contract ?? "";
  find<HTMLButtonElement>("[data-save]").disabled = !complete(entry, asked) || (matters && contract === null);
}

function drawRows(): void {
  const rows = table.results.map((row) => resultRow(row));
  const kept = outbox.waiting.map((letter) =>
    h(
      "tr",
      {},
      h("td", { class: "place" }, String(letter.command["deal"])),
      ...sides().map((side) => h("td", { class: "num muted" }, String((letter.command["card_points"] as number[] | undefined)?.[side] ?? "–"))),
      h("td", {}, h("span", { class: "pill warn" }, say("sheet.not_sent"))),
    ),
  );
  find("[data-rows]").replaceChildren(...rows, ...kept);
  const names = sides().map((side) => h("th", { scope: "col", class: "num" }, sideName(page, table, side)));
  find(".sheet-rows").dataset["count"] = String(table.sides);
  find("[data-columns]").replaceChildren(h("th", { scope: "col" }, say("deals.deal")), ...names, h("th", { scope: "col" }));
}

function resultRow(row: SheetRow): HTMLElement {
  const other = sides().find((side) => side !== row.side && seatFor(side) !== undefined) ?? -1;
  const confirmer = seatFor(other);
  const open = !row.confirmed && !waitingFor(row.deal) && table.closed === null;
  const actions: HTMLElement[] = [];
  if (open && confirmer !== undefined) {
    const confirm = (): void => post({ cmd: "confirm_result", seat: confirmer, deal: row.deal });
    actions.push(h("button", { type: "button", class: "button small primary", click: confirm }, say("sheet.confirm_as", { side: sideName(page, table, other) })));
  }
  if (open && seats.length > 0) {
    actions.push(h("button", { type: "button", class: "button small quiet", click: () => correct(row) }, say("sheet.change")));
  }
  const marks = [row.sweep === null || row.sweep === undefined ? "" : say("sheet.sweep"), row.stoeck === null || row.stoeck === undefined ? "" : say("sheet.stoeck")];
  return h(
    "tr",
    {},
    h("td", { class: "place" }, String(row.deal)),
    ...row.scores.map((score) => h("td", { class: "num total" }, String(score))),
    h(
      "td",
      {},
      h("span", { class: row.confirmed ? "pill done" : "pill warn" }, say(row.confirmed ? "sheet.confirmed" : "sheet.to_confirm")),
      " ",
      h("small", { class: "muted" }, marks.filter(Boolean).join(", ")),
      actions.length > 0 && h("div", { class: "row" }, ...actions),
    ),
  );
}

function correct(row: SheetRow): void {
  correcting = row.deal;
  contract = row.contract ?? null;
  entry = {
    ...blank(table.sides),
    points: row.card_points.map(String),
    sweep: row.sweep ?? null,
    stoeck: row.stoeck ?? null,
    ...(row.melds ? { melds: row.melds.map((points) => (points > 0 ? String(points) : "")) } : {}),
    ...(asked.scores ? { scores: row.scores.map(String) } : {}),
  };
  draw();
  fields?.focus();
}

function drawWriter(): void {
  const root = find("[data-writer]");
  const own = [...new Set(seats.map((seat) => sideOf(table, seat)))];
  root.hidden = own.length < 2;
  root.replaceChildren(
    ...own.map((side) =>
      h(
        "button",
        {
          type: "button",
          "aria-pressed": String(side === mySide()),
          click: () => {
            writer = side;
            localStorage.setItem(sideKey, String(side));
            draw();
          },
        },
        sideName(page, table, side),
      ),
    ),
  );
}

function draw(): void {
  drawWriter();
  drawEntry();
  drawRows();
  const count = outbox.waiting.length;
  const warn = find("[data-notice]");
  warn.hidden = notice === "" && count === 0;
  warn.className = notice === "" ? "message warning" : "message error";
  warn.textContent = notice || say("sheet.waiting", { count });
  if (table.seq >= 0) renderSlate(find("[data-slate]"), page, table);
}

const line = new Line(page.socket, {
  onEvents(feed) {
    table = feed.table;
    draw();
  },
  onState(state) {
    showConnection(state);
    if (state === "open") void outbox.flush();
  },
});

window.addEventListener("online", () => void outbox.flush());
window.setInterval(() => void outbox.flush(), 10_000);
line.open();
draw();
