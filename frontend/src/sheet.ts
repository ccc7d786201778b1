/** The score sheet on a phone: one number a deal, sweep and Stöck one tap, the other side confirms; works offline. */

import { contractsOf } from "./choices";
import { showConnection } from "./connection";
import { find, h } from "./dom";
import { type Letter, Outbox, postCommand } from "./outbox";
import { contractName, readPage, say, sayError, sideName } from "./page";
import { BLANK, complete, DEAL_SUM, type Entry, stoeckBy, sum, swept, typed } from "./score-entry";
import { renderSlate } from "./slate-view";
import { commandId, Line } from "./socket";
import { EMPTY, seatsOf, type SheetRow, type Table } from "./table";

const page = readPage();
const key = `puur_outbox_${page.game}`;
const sideKey = `puur_side_${page.game}`;
/** The seats whoever holds this phone may write for; a tablet of the whole table has all four. */
const seats = (page.extra["seats"] as number[] | undefined) ?? (page.seat === null ? [] : [page.seat]);

let table: Table = EMPTY;
let entry: Entry = BLANK;
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
  const own = seats.map((seat) => seat % Math.max(1, table.sides));
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
  const total = sum(entry);
  if (seat === undefined || total === null) return;
  const deal = correcting ?? nextDeal();
  post({
    cmd: correcting === null ? "enter_result" : "correct_result",
    seat,
    deal,
    card_points: entry.points.map(Number),
    ...(entry.sweep === null ? {} : { sweep: entry.sweep }),
    ...(entry.stoeck === null ? {} : { stoeck: entry.stoeck }),
    ...(contract === null ? {} : { contract }),
  });
  entry = BLANK;
  correcting = null;
  contract = null;
  draw();
}

const inputs = [0, 1].map((side) => find<HTMLInputElement>(`[data-points="${side}"]`));
inputs.forEach((input, side) => {
  input.addEventListener("input", () => {
    entry = typed(entry, side as 0 | 1, input.value);
    draw();
  });
});
find<HTMLFormElement>("[data-entry]").addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
for (const [name, change] of [["sweep", swept], ["stoeck", stoeckBy]] as const) {
  document.querySelectorAll<HTMLButtonElement>(`[data-${name}]`).forEach((button) => {
    button.addEventListener("click", () => {
      entry = change(entry, Number(button.dataset[name]) as 0 | 1);
      draw();
    });
  });
}
const contracts = find<HTMLSelectElement>("[data-contract]");
contracts.addEventListener("change", () => {
  contract = contracts.value || null;
});

function drawEntry(): void {
  const deal = correcting ?? nextDeal();
  const last = deals();
  const over = correcting === null && last !== null && deal > last;
  find("[data-entry]").hidden = over || table.seq < 0 || table.closed !== null || seats.length === 0;
  find("[data-entry-deal]").textContent = correcting === null ? say("sheet.deal_of", { deal, deals: last ?? "–" }) : say("sheet.correct", { deal });
  inputs.forEach((input, side) => {
    if (document.activeElement !== input || input.value !== entry.points[side as 0 | 1]) input.value = entry.points[side as 0 | 1];
    find(`[data-side-name="${side}"]`).textContent = sideName(page, table, side);
  });
  const total = sum(entry);
  const line = find("[data-sum]");
  line.hidden = total === null;
  line.className = `sheet-sum ${complete(entry) ? "right" : "wrong"}`;
  line.textContent = complete(entry) ? say("sheet.sum_right", { sum: DEAL_SUM }) : say("sheet.sum_wrong", { deal, sum: total, expected: DEAL_SUM });
  for (const input of inputs) input.setAttribute("aria-invalid", String(total !== null && !complete(entry)));
  for (const side of [0, 1]) {
    for (const name of ["sweep", "stoeck"] as const) {
      const button = find<HTMLButtonElement>(`[data-${name}="${side}"]`);
      button.setAttribute("aria-pressed", String(entry[name] === side));
      button.textContent = sideName(page, table, side);
    }
  }
  find("[data-stoeck-row]").hidden = table.options["stoeck"] === false;
  const multipliers = Object.values((table.options["multipliers"] ?? {}) as Record<string, number>);
  const matters = multipliers.some((factor) => factor !== 1);
  find("[data-contract-row]").hidden = !matters;
  if (matters && contracts.options.length === 1) {
    contracts.append(...contractsOf(table).map((name) => h("option", { value: name }, contractName(name))));
  }
  contracts.value = contract ?? "";
  find<HTMLButtonElement>("[data-save]").disabled = !complete(entry) || (matters && contract === null);
}

function drawRows(): void {
  const rows = table.results.map((row) => resultRow(row));
  const kept = outbox.waiting.map((letter) =>
    h(
      "tr",
      {},
      h("td", { class: "place" }, String(letter.command["deal"])),
      ...[0, 1].map((side) => h("td", { class: "num muted" }, String((letter.command["card_points"] as number[] | undefined)?.[side] ?? "–"))),
      h("td", {}, h("span", { class: "pill warn" }, say("sheet.not_sent"))),
    ),
  );
  find("[data-rows]").replaceChildren(...rows, ...kept);
  for (const side of [0, 1]) find(`[data-column="${side}"]`).textContent = sideName(page, table, side);
}

function resultRow(row: SheetRow): HTMLElement {
  const other = [0, 1].find((side) => side !== row.side) ?? 0;
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
  const [a = 0, b = 0] = row.card_points;
  entry = { points: [String(a), String(b)], auto: null, sweep: row.sweep ?? null, stoeck: row.stoeck ?? null };
  draw();
  inputs[0]?.focus();
}

function drawWriter(): void {
  const root = find("[data-writer]");
  const sides = [...new Set(seats.map((seat) => seat % Math.max(1, table.sides)))];
  root.hidden = sides.length < 2;
  root.replaceChildren(
    ...sides.map((side) =>
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
