/** The score sheet on a phone: one number a deal, sweep and Stöck one tap, the other side confirms; works offline. */

import type { Command, CorrectResult, EnterResult } from "../generated/types";
import { arrived, showConnection } from "../line/connection";
import { find, h } from "../dom";
import type { Feed } from "../line/feed";
import { type Answer, type Letter, Outbox, postCommand } from "../line/outbox";
import { readPage, say, sideName, tokenNow } from "../page";
import { sayError } from "../line/refusals";
import { alone, outboxOf, remember, remembered } from "../line/remembered";
import { rulesOf } from "../table/rules";
import { blank, complete, type Entry, entryOf, type Field, fieldOf, missing, picked, resultOf } from "../sheets/score-entry";
import { asked, SheetFields } from "../sheets/sheet-fields";
import { keysOf } from "../sheets/sheet-hand";
import { proposed, withoutWritten, type Written } from "../sheets/sheet-keys";
import { marksOf } from "../sheets/sheet-marks";
import { Preview } from "../sheets/sheet-preview";
import { Writer } from "../sheets/sheet-writer";
import { renderSlate } from "../slate/slate-view";
import { commandId, Line } from "../line/socket";
import { EMPTY, type SheetRow, sideOf, type Table } from "../table/table";

const page = readPage();
const rules = rulesOf(page);
const key = outboxOf(page.game);
/** Whether the desk has papers that both sides have signed; it holds for all tables that this browser types. */
const signedKey = "puur_signed";
const writer = new Writer(page);

let table: Table = EMPTY;
/** The forms of the next deals, as the server sent them last. */
let forms = remembered<readonly (readonly Field[])[]>("forms", page.game) ?? [];
/** The form on the page, and what it was made of. */
let form: { fields: readonly Field[]; key: string; view: SheetFields } | null = null;
let entry: Entry = { figures: {}, picks: {}, sets: {}, auto: null };
/** The deal being typed; null: the next one. */
let correcting: { deal: number; fields: readonly Field[] } | null = null;
/** Deals that were entered here and have not come back with the events of the table, by their number. */
const underway = new Map<number, EnterResult>();
/** Deals whose figures were refused: the signatures that go with them are not sent, or they would stand for other figures. */
const refused = new Set<number>();
const UNSIGNED: Answer = { kind: "refused", code: "", detail: "", params: {} };
const signsNothing = ({ command }: Letter): boolean => command.cmd === "confirm_result" && command.by === "paper" && command.deal !== undefined && refused.has(command.deal);
/** The deal that the form was emptied for. */
let emptied = 0;
let notice = "";

/** Which deal a letter is about: all that is sent from a sheet is about one. */
function dealOf({ command }: Letter): number | undefined {
  return "deal" in command ? (command.deal ?? undefined) : undefined;
}

const outbox = new Outbox(
  {
    load: () => localStorage.getItem(key),
    save: (text) => localStorage.setItem(key, text),
    send: (letter) => (signsNothing(letter) ? Promise.resolve(UNSIGNED) : postCommand(page.commands, tokenNow(page), letter)),
    alone: (work) => alone(key, work),
  },
  () => draw(),
  (letter, answer) => {
    const deal = dealOf(letter);
    if (signsNothing(letter)) return;
    if (answer.code === "sheet/first_missing") asked.add("first");
    if (letter.command.cmd === "enter_result" && deal !== undefined) {
      underway.delete(deal);
      refused.add(deal);
    }
    notice = `${say("sheet.deal", { deal })}: ${sayError(answer.code, answer.detail, answer.params)}`;
    draw();
  },
);

const totals = (): boolean => table.sheet.handIn === "totals";
/** What a letter says that the sheet counts, by side; where its contract makes that of the points, the server does, once it is there. */
function countedIn({ command }: Letter): readonly (number | null)[] {
  return command.cmd === "enter_result" || command.cmd === "correct_result" ? (command.scores ?? []) : [];
}

/** What was typed of the cards. */
function typedIn({ command }: Letter): string {
  const points = command.cmd === "enter_result" || command.cmd === "correct_result" ? command.card_points : undefined;
  return points === undefined || points === null ? "" : `${say("sheet.points")}: ${points.join(" : ")}`;
}

const deals = (): number | null => (totals() ? 1 : typeof table.options["deals"] === "number" ? table.options["deals"] : rules.deals);
/** Who has an office writes as the desk, and signs for nobody. */
const desk = page.extra["desk"] === true;
const waitingFor = (deal: number): boolean => outbox.waiting.some((letter) => dealOf(letter) === deal);

function nextDeal(): number {
  const taken = new Set<number | undefined>(table.results.map((row) => row.deal));
  for (const letter of outbox.waiting) taken.add(dealOf(letter));
  for (const sent of underway.keys()) taken.add(sent);
  let deal = 1;
  while (taken.has(deal)) deal += 1;
  return deal;
}

function post(command: Command): void {
  const letter: Letter = { command_id: commandId(), command };
  notice = "";
  void outbox.post(letter);
}

const dealNow = (): number => correcting?.deal ?? nextDeal();

/** Deals that are entered and not yet among the results: they wait to be sent, or their event is to come. */
function onTheirWay(): Written[] {
  const waiting = outbox.waiting.flatMap(({ command }) => (command.cmd === "enter_result" ? [command] : []));
  const known = new Set(table.results.map(({ deal }) => deal));
  const found = new Map([...underway.values(), ...waiting].map((one) => [one.deal, one]));
  return [...found.values()].filter(({ deal }) => !known.has(deal)).sort((a, b) => a.deal - b.deal);
}

/** The fields of the deal being typed. What is on its way has taken the form before, and its slots. */
function fieldsNow(): readonly Field[] {
  if (correcting !== null) return correcting.fields;
  const ahead = nextDeal() - table.results.length - 1;
  return withoutWritten(forms[Math.min(ahead, forms.length - 1)] ?? [], onTheirWay(), (seat) => sideOf(table, seat));
}

function command(): EnterResult | CorrectResult | null {
  const fields = fieldsNow();
  const seat = desk ? null : writer.seat(table);
  if (seat === undefined || !complete(entry, fields)) return null;
  return { cmd: correcting === null ? "enter_result" : "correct_result", seat, deal: dealNow(), ...resultOf(entry, fields) };
}

function submit(): void {
  const result = command();
  if (result === null) return;
  if (result.cmd === "enter_result") {
    underway.set(result.deal, result);
    refused.delete(result.deal);
  }
  remember("draft", page.game, null);
  post(result);
  const signs = desk && table.sheet.confirmation === "paper" && find<HTMLInputElement>("[data-signed]").checked;
  if (signs && result.cmd === "enter_result") post({ cmd: "confirm_result", deal: result.deal, by: "paper" });
  correcting = null;
  clear();
  draw();
  if (desk) form?.view.focusNext(entry);
}

/** An empty form; the desk, which has a paper before it, finds the slot chosen that comes next there. */
function clear(): void {
  const fields = fieldsNow();
  entry = blank(fields, table.sides, table.seats);
  emptied = dealNow();
  const next = desk && correcting === null ? proposed(fields, [...table.results, ...onTheirWay()], (seat) => sideOf(table, seat)) : null;
  if (next !== null) entry = { ...entry, picks: { ...entry.picks, ...next } };
}

find<HTMLFormElement>("[data-entry]").addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
find("[data-cancel]").addEventListener("click", () => {
  correcting = null;
  clear();
  draw();
});

const preview = new Preview(page, (line) => {
  const root = find("[data-preview]");
  root.hidden = line === null;
  root.textContent = line?.text ?? "";
  root.className = `sheet-sum ${line?.wrong ? "wrong" : "right"}`;
});

const sides = (): number[] => [...Array(table.sides).keys()];

/** The form on the page; made anew where the game takes other fields for this deal. */
function drawForm(): void {
  const fields = fieldsNow();
  const key = JSON.stringify(fields);
  const untouched = Object.values(entry.figures).every((figures) => figures.every((text) => text === ""));
  if (desk && correcting === null && untouched && emptied !== dealNow()) clear();
  if (form?.key !== key) {
    const focused = document.activeElement;
    const known = new Set(Object.keys({ ...entry.figures, ...entry.picks, ...entry.sets }));
    if (fields.length !== known.size || fields.some((field) => !known.has(field.name))) clear();
    const places = {
      page,
      sides: sides(),
      seats: [...Array(table.seats).keys()],
      sideName: nameOf,
      factorOf: (slot: string) => rules.slots?.find((one) => one.slot === slot)?.factor ?? 1,
      sideOf: (seat: number) => sideOf(table, seat),
    };
    const view = new SheetFields(fields, places, (change) => {
      entry = change(entry);
      if (correcting === null) remember("draft", page.game, { deal: dealNow(), entry });
      draw();
    });
    const isFirst = form === null;
    if (isFirst) takeDraft(fields);
    form = { fields, key, view };
    view.draw(entry);
    if (desk && isFirst && document.activeElement === document.body) view.focusNext(entry);
    else if (focused !== null && focused.id !== "" && !focused.isConnected) document.getElementById(focused.id)?.focus();
  }
  form.view.draw(entry);
}

/** What was typed before this page was opened again, where it is still the deal that comes next. */
function takeDraft(fields: readonly Field[]): void {
  const draft = remembered<{ deal: number; entry: Entry }>("draft", page.game);
  if (draft === null || draft.deal !== dealNow() || correcting !== null) return;
  const known = new Set(Object.keys({ ...draft.entry.figures, ...draft.entry.picks, ...draft.entry.sets }));
  if (fields.length === known.size && fields.every((field) => known.has(field.name))) entry = draft.entry;
}

/** A side by its names, also where it is being typed who plays against the others. */
function nameOf(side: number): string {
  const chooser = entry.picks["chooser"];
  const decides = fieldOf(fieldsNow(), "bid") !== undefined && typeof chooser === "number";
  return sideName(page, decides ? { ...table, declarer: chooser } : table, side);
}

function drawEntry(): void {
  const deal = dealNow();
  const last = deals();
  const over = correcting === null && ((last !== null && deal > last) || table.winners !== null);
  drawEnd(over);
  const shown = !over && table.seq >= 0 && table.closed === null && (desk || writer.seats.length > 0);
  find("[data-entry]").hidden = !shown;
  find("[data-cancel]").hidden = correcting === null;
  find("[data-entry-deal]").textContent = totals()
    ? say(correcting === null ? "sheet.totals_of" : "sheet.totals_correct", { deals: table.options["deals"] })
    : correcting === null
      ? say(last === null ? "sheet.deal" : "sheet.deal_of", { deal, deals: last })
      : say("sheet.correct", { deal });
  find("[data-sum]").dataset["deal"] = String(deal);
  if (!shown || table.sides === 0 || fieldsNow().length === 0) {
    preview.ask(null, table, nameOf);
    return;
  }
  drawForm();
  const result = command();
  find<HTMLButtonElement>("[data-save]").disabled = result === null;
  const lacking = missing(entry, fieldsNow()).map(({ name }) => say(name === "sweep" ? "sheet.sweep_by" : `sheet.${name}`));
  find("[data-missing]").hidden = lacking.length === 0;
  find("[data-missing]").textContent = say("sheet.missing", { fields: lacking.join(", ") });
  preview.ask(result, table, nameOf);
}

/** With the last deal on the sheet, and nothing left to be sent, the desk goes on to the next table. */
function drawEnd(over: boolean): void {
  const end = document.querySelector<HTMLElement>("[data-sheet-done]");
  if (end === null) return;
  const done = table.seq >= 0 && over && table.closed === null && outbox.waiting.length === 0 && onTheirWay().length === 0;
  if (done && end.hidden) {
    end.hidden = false;
    end.querySelector<HTMLElement>("a")?.focus();
  }
  end.hidden = !done;
}

function drawRows(): void {
  const rows = table.results.map((row) => resultRow(row));
  const kept = outbox.waiting.filter(({ command }) => command.cmd !== "confirm_result").map((letter) =>
    h(
      "tr",
      {},
      h("td", { class: "place" }, String(dealOf(letter))),
      ...sides().map((side) => h("td", { class: "num muted" }, String(countedIn(letter)[side] ?? "–"))),
      h("td", {}, h("span", { class: "pill warn" }, say("sheet.not_sent")), " ", h("small", { class: "muted" }, typedIn(letter))),
    ),
  );
  find("[data-rows]").replaceChildren(...rows, ...kept);
  const names = sides().map((side) => h("th", { scope: "col", class: "num" }, sideName(page, table, side)));
  find(".sheet-rows").dataset["count"] = String(table.sides);
  find("[data-columns]").replaceChildren(h("th", { scope: "col" }, say("deals.deal")), ...names, h("th", { scope: "col" }, h("span", { class: "visually-hidden" }, say("sheet.status"))));
}

function resultRow(row: SheetRow): HTMLElement {
  const other = sides().find((side) => side !== row.side && writer.seatFor(table, side) !== undefined) ?? -1;
  const confirmer = writer.seatFor(table, other);
  const open = !row.confirmed && !waitingFor(row.deal) && table.closed === null;
  const paper = (): void => {
    refused.delete(row.deal);
    post({ cmd: "confirm_result", deal: row.deal, by: "paper" });
  };
  const actions: HTMLElement[] = [];
  if (open && confirmer !== undefined) {
    const confirm = (): void => post({ cmd: "confirm_result", seat: confirmer, deal: row.deal });
    actions.push(h("button", { type: "button", class: "button small primary", click: confirm }, say("sheet.confirm_as", { side: sideName(page, table, other) })));
  }
  if (open && desk && table.sheet.confirmation === "paper") {
    actions.push(h("button", { type: "button", class: "button small primary", click: paper }, say("sheet.signed_on_paper")));
  }
  if (open && (desk || writer.seats.length > 0)) {
    actions.push(h("button", { type: "button", class: "button small quiet", click: () => correct(row) }, say("sheet.change")));
  }
  return h(
    "tr",
    {},
    h("td", { class: "place" }, totals() ? say("sheet.totals") : String(row.deal)),
    ...row.scores.map((score) => h("td", { class: "num total" }, String(score))),
    h(
      "td",
      {},
      h("span", { class: row.confirmed ? "pill done" : "pill warn" }, say(row.confirmed ? "sheet.confirmed" : "sheet.to_confirm")),
      " ",
      h("small", { class: "muted" }, marksOf(row).join(", ")),
      actions.length > 0 && h("div", { class: "row" }, ...actions),
    ),
  );
}

/** The fields of a deal that stands already are the server's to say; without a network it stays as it is. */
function correct(row: SheetRow): void {
  void fetch(`${page.sheet}?deal=${row.deal}`, { headers: { Accept: "application/json" } })
    .then((response) => (response.ok ? (response.json() as Promise<{ fields: Field[] }>) : Promise.reject(new Error(String(response.status)))))
    .then(({ fields }) => {
      correcting = { deal: row.deal, fields };
      entry = entryOf({ ...row }, fields, table.sides, table.seats);
      draw();
      document.querySelector<HTMLElement>("[data-entry] input:not([type=checkbox])")?.focus();
    })
    .catch(() => {
      notice = say("sheet.no_form");
      draw();
    });
}

function draw(): void {
  if (desk) {
    find("[data-signs]").hidden = table.sheet.confirmation !== "paper";
    find("[data-keys]").hidden = rules.slots === null;
  }
  writer.draw(find("[data-writer]"), table, draw);
  drawEntry();
  drawRows();
  const count = outbox.waiting.length;
  const warn = find("[data-notice]");
  warn.hidden = notice === "" && count === 0;
  warn.className = notice === "" ? "message warning" : "message error";
  warn.textContent = notice || say("sheet.waiting", { count });
  if (table.seq >= 0) renderSlate(find("[data-slate]"), page, table);
}

if (desk) {
  const tick = find<HTMLInputElement>("[data-signed]");
  tick.checked = localStorage.getItem(signedKey) !== "no";
  tick.addEventListener("change", () => localStorage.setItem(signedKey, tick.checked ? "yes" : "no"));
  keysOf(find("[data-entry]"), {
    view: () => form?.view ?? null,
    entry: () => entry,
    sideOf: (seat) => sideOf(table, seat),
    pick(name, value) {
      if (entry.picks[name] !== value) entry = picked(entry, fieldsNow(), name, value);
      draw();
    },
    enter() {
      if (command() === null) return false;
      submit();
      return true;
    },
  });
}

/** Opened without a network: the sheet as it was seen here last. */
function goOnAlone(): void {
  table = remembered<Feed>("feed", page.game)?.table ?? EMPTY;
  try {
    draw();
  } catch {
    table = EMPTY; // remembered by another version of this page
  }
}

const line = new Line(page.socket, {
  onEvents(feed) {
    table = feed.table;
    for (const row of table.results) underway.delete(row.deal);
    forms = feed.prompt.forms ?? forms;
    remember("forms", page.game, forms);
    remember("feed", page.game, { ...feed, events: [] });
    arrived(); // first, or nothing of it takes the focus
    draw();
  },
  onState(state) {
    showConnection(state);
    if (state === "lost" && table.seq < 0) goOnAlone();
    if (state === "open") void outbox.flush();
  },
});

window.addEventListener("online", () => void outbox.flush());
window.addEventListener("storage", (event) => {
  if (event.key === key) draw(); // another window has sent what waited, or laid something beside it
});
window.setInterval(() => void outbox.flush(), 10_000);
line.open();
draw();
