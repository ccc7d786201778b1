/** The score sheet on a phone: one number a deal, sweep and Stöck one tap, the other side confirms; works offline. */

import type { Command, CorrectResult, EnterResult } from "../generated/types";
import { arrived, showConnection } from "../connection/connection-state";
import { find, h } from "../dom";
import type { Feed } from "../connection/feed";
import { type Answer, Outbox, postCommand, type QueuedCommand } from "../connection/outbox";
import { readPage, say, sideName, signed, tokenNow } from "../page";
import { sayError } from "../connection/refusals";
import { exclusively, outboxOf, remember, remembered } from "../connection/device-storage";
import { rulesOf } from "../table/rules";
import { adding, blank, boundsSaid, complete, type Entry, entryOf, type Field, fieldOf, impossible, missing, picked, resultOf, untouched, unwritten } from "../sheets/score-entry";
import { RefusedResults } from "../sheets/refused-results";
import { asked, SheetFields } from "../sheets/sheet-fields";
import { keysOf } from "../sheets/sheet-hand";
import { proposed, withoutWritten } from "../sheets/sheet-keys";
import { linesOf, penaltiesOf, type SheetLine } from "../sheets/sheet-lines";
import { type Facts, marksOf } from "../sheets/sheet-marks";
import { Preview } from "../sheets/sheet-preview";
import { Writer } from "../sheets/sheet-writer";
import { renderSlate } from "../slate/slate-view";
import { commandId, GameConnection } from "../connection/socket";
import { EMPTY, type SheetRow, sideOf, type Table } from "../table/table";

const page = readPage();
const rules = rulesOf(page);
const key = outboxOf(page.game);
/** Whether the desk has papers with both signatures; valid for all tables typed in this browser. */
const signedKey = "puur_signed";
const writer = new Writer(page);

let table: Table = EMPTY;
/** The forms of the next deals, as last sent by the server. */
let forms = remembered<readonly (readonly Field[])[]>("forms", page.game) ?? [];
/** The current form, its fields and its cache key. */
let form: { fields: readonly Field[]; key: string; view: SheetFields } | null = null;
let entry: Entry = { figures: {}, picks: {}, sets: {}, auto: null };
/** The deal under correction, and the last known event at its start; null: a new deal is typed. */
let correcting: { deal: number; fields: readonly Field[]; seen: number } | null = null;
/** The deal for which typing began, and its fields; null: nothing is typed. */
let begun: { deal: number; fields: readonly Field[] } | null = null;
/** Entered deals by number, until their events arrive. */
const underway = new Map<number, EnterResult>();
/** Deals with refused results: their signatures are not sent, because they would sign another result. */
const refused = new Set<number>();
/** The refusal that asks which side reached the target first. */
const FIRST_MISSING = "sheet/first_missing";
const UNSIGNED: Answer = { kind: "refused", code: "", detail: "", params: {} };
const signsNothing = ({ command }: QueuedCommand): boolean => command.cmd === "confirm_result" && command.by === "paper" && command.deal !== undefined && refused.has(command.deal);
/** The deal for which the form was last cleared. */
let emptied = 0;
let notice = "";
/** An incomplete deal was submitted: from then on the missing fields are named. */
let pressed = false;
/** Whether the server has a warning for the typed result. */
let warned = false;
const aside = new RefusedResults(page.game);

/** The deal of a queued command; every command of a sheet has one. */
function dealOf({ command }: QueuedCommand): number | undefined {
  return "deal" in command ? (command.deal ?? undefined) : undefined;
}

/** A message about a deal, with the deal number unless the message begins with it. */
function ofDeal(deal: number | undefined, why: string): string {
  const named = `${say("sheet.deal", { deal })}: `;
  return why.startsWith(named) ? why : named + why;
}

const outbox = new Outbox(
  {
    load: () => localStorage.getItem(key),
    save: (text) => localStorage.setItem(key, text),
    send: (queued) => (signsNothing(queued) ? Promise.resolve(UNSIGNED) : postCommand(page.commands, tokenNow(page), queued)),
    exclusively: (work) => exclusively(key, work),
  },
  () => draw(),
  (queued, answer) => {
    const deal = dealOf(queued);
    if (signsNothing(queued)) return;
    if (answer.code === FIRST_MISSING) asked.add("first");
    const why = sayError(answer.code, answer.detail, answer.params);
    if (queued.command.cmd === "enter_result" || queued.command.cmd === "correct_result") {
      const { deal: written } = queued.command;
      if (queued.command.cmd === "enter_result") {
        underway.delete(written);
        refused.add(written);
      }
      aside.put({ command: queued.command, fields: sentWith.get(written) ?? forms[0] ?? [], code: answer.code, why });
    }
    notice = ofDeal(deal, why);
    draw();
  },
);

const totals = (): boolean => table.sheet.handIn === "totals";
/** The fields with which a deal was sent, to rebuild its form. */
const sentWith = new Map<number, readonly Field[]>();
const resultIn = ({ command }: QueuedCommand): EnterResult | CorrectResult | null => (command.cmd === "enter_result" || command.cmd === "correct_result" ? command : null);
/** The typed figures of the sides. */
const figuresOf = (facts: Facts): readonly number[] => (facts.card_points ?? facts.scores ?? []).filter((points) => points !== null);
/** The figures by side, with a dash for a missing one. */
function bySide(facts: Facts): readonly string[] {
  const { chooser, own_points: own } = facts as Partial<EnterResult>;
  if (typeof own === "number" && typeof chooser === "number") return sides().map((side) => (side === sideOf(table, chooser) ? String(own) : "–"));
  return (facts.card_points ?? facts.scores ?? []).map((points) => (points === null ? "–" : String(points)));
}
const pointsWords = (facts: Facts): string => (figuresOf(facts).length === 0 ? "" : `${say("sheet.points")}: ${figuresOf(facts).join(" : ")}`);

/** The number of deals on the sheet; an annulled deal is played again. */
function deals(): number | null {
  const said = totals() ? 1 : typeof table.options["deals"] === "number" ? table.options["deals"] : rules.deals;
  return said === null ? null : said + linesOf(table).filter((line) => line.annulled).length;
}
/** An official writes as the desk, and cannot sign for a side. */
const desk = page.extra["desk"] === true;
const waitingFor = (deal: number): boolean => outbox.waiting.some((queued) => dealOf(queued) === deal);

function nextDeal(): number {
  const taken = new Set<number | undefined>(table.results.map((row) => row.deal));
  for (const queued of outbox.waiting) taken.add(dealOf(queued));
  for (const sent of underway.keys()) taken.add(sent);
  let deal = 1;
  while (taken.has(deal)) deal += 1;
  return deal;
}

function enqueue(command: Command): void {
  const queued: QueuedCommand = { command_id: commandId(), command };
  notice = "";
  void outbox.enqueue(queued);
}

/** The deal of the form: the one for which typing began, even if it has reached the sheet since. */
const dealNow = (): number => correcting?.deal ?? begun?.deal ?? nextDeal();

/** The recorded or sent result of the deal in the form; null: none. */
function taken(): SheetRow | EnterResult | null {
  if (correcting !== null || begun === null) return null;
  const { deal } = begun;
  return table.results.find((row) => row.deal === deal) ?? onTheirWay().find((one) => one.deal === deal) ?? null;
}

/** Entered deals that are not yet among the results: waiting to be sent, or waiting for their event. */
function onTheirWay(): EnterResult[] {
  const waiting = outbox.waiting.flatMap(({ command }) => (command.cmd === "enter_result" ? [command] : []));
  const known = new Set(table.results.map(({ deal }) => deal));
  const found = new Map([...underway.values(), ...waiting].map((one) => [one.deal, one]));
  return [...found.values()].filter(({ deal }) => !known.has(deal)).sort((a, b) => a.deal - b.deal);
}

/** The fields of the deal being typed. Deals that are being sent have already used their form and their slots. */
function fieldsNow(): readonly Field[] {
  if (correcting !== null) return correcting.fields;
  if (begun !== null && begun.deal !== nextDeal()) return begun.fields;
  return fieldsOfNext();
}

function fieldsOfNext(): readonly Field[] {
  const ahead = nextDeal() - table.results.length - 1;
  return withoutWritten(forms[Math.max(0, Math.min(ahead, forms.length - 1))] ?? [], onTheirWay(), (seat) => sideOf(table, seat));
}

function command(): EnterResult | CorrectResult | null {
  const fields = fieldsNow();
  const seat = desk ? null : writer.seat(table);
  if (seat === undefined || !complete(entry, fields)) return null;
  const result = { seat, deal: dealNow(), ...resultOf(entry, fields) };
  return correcting === null ? { cmd: "enter_result", ...result } : { cmd: "correct_result", ...result, seen: correcting.seen };
}

function submit(): void {
  const result = command();
  if (taken() !== null) return;
  if (result === null) {
    pressed = true;
    draw();
    form?.view.focusNext(entry);
    return;
  }
  sentWith.set(result.deal, fieldsNow());
  if (result.cmd === "enter_result") {
    underway.set(result.deal, result);
    refused.delete(result.deal);
  }
  remember("draft", page.game, null);
  begun = null;
  enqueue(result);
  const signs = desk && table.sheet.confirmation === "paper" && find<HTMLInputElement>("[data-signed]").checked;
  if (signs && result.cmd === "enter_result") enqueue({ cmd: "confirm_result", deal: result.deal, by: "paper" });
  correcting = null;
  clear();
  draw();
  if (desk) form?.view.focusNext(entry);
}

/** Create an empty form; the desk, which copies from paper, gets the next slot of the paper selected. */
function clear(): void {
  begun = null;
  pressed = false;
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
  notice = "";
  remember("draft", page.game, null);
  clear();
  draw();
});

const preview = new Preview(page, (line) => {
  const root = find("[data-preview]");
  const before = warned;
  warned = line?.wrong === true;
  const asks = !asked.has("first") && line?.code === FIRST_MISSING;
  if (asks) asked.add("first");
  if (warned !== before || asks) draw();
  root.hidden = line === null;
  root.textContent = line?.text ?? "";
  root.className = `sheet-sum ${line?.wrong ? "wrong" : "right"}`;
});

const sides = (): number[] => [...Array(table.sides).keys()];

/** Show the form; rebuild it if the game has other fields for this deal. */
function drawForm(): void {
  const fields = fieldsNow();
  const key = JSON.stringify(fields);
  if (desk && correcting === null && begun === null && emptied !== dealNow()) clear();
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
      keepTyped();
      draw();
    });
    const isFirst = form === null;
    form = { fields, key, view };
    view.draw(entry);
    if (desk && isFirst && document.activeElement === document.body) view.focusNext(entry);
    else if (focused !== null && focused.id !== "" && !focused.isConnected) document.getElementById(focused.id)?.focus();
  }
  form.view.draw(entry);
}

/** Store the typed input with its deal, here and for a reload of this page. */
function keepTyped(): void {
  warned = false;
  if (correcting !== null) return;
  if (untouched(entry)) begun = null;
  else begun ??= { deal: nextDeal(), fields: fieldsOfNext() };
  remember("draft", page.game, begun === null ? null : { ...begun, entry });
}

/** Restore the input typed before the reload. */
function takeDraft(): void {
  const draft = remembered<{ deal: number; fields?: readonly Field[]; entry: Entry }>("draft", page.game);
  if (draft?.fields === undefined || correcting !== null || begun !== null) return;
  begun = { deal: draft.deal, fields: draft.fields };
  entry = draft.entry;
}

/** Put refused figures back into the form as soon as it is empty. */
function takeRefused(): void {
  if (begun !== null || correcting !== null || !isEmptyForm() || table.sides === 0) return;
  const back = aside.take();
  if (back === null) return;
  const { command: sent, fields } = back;
  entry = entryOf({ ...sent }, fields, table.sides, table.seats);
  if (sent.cmd === "correct_result") correcting = { deal: sent.deal, fields, seen: table.seq };
  else begun = { deal: sent.deal, fields };
  notice = ofDeal(sent.deal, back.why);
}

/** The proposed slot of the desk does not count as input. */
const isEmptyForm = (): boolean => Object.values(entry.figures).every((figures) => figures.every((text) => text.trim() === ""));

/** The names of a side, also while the declarer is being typed. */
function nameOf(side: number): string {
  const chooser = entry.picks["chooser"];
  const decides = fieldOf(fieldsNow(), "bid") !== undefined && typeof chooser === "number";
  return sideName(page, decides ? { ...table, declarer: chooser } : table, side);
}

function drawEntry(): void {
  takeRefused();
  const deal = dealNow();
  const last = deals();
  const isFull = (last !== null && deal > last) || (table.seq >= 0 && forms.length === 0 && onTheirWay().length === 0);
  const over = correcting === null && begun === null && (isFull || table.winners !== null);
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
  drawOver(over);
  if (!shown || table.sides === 0 || fieldsNow().length === 0) {
    preview.ask(null, table, nameOf);
    return;
  }
  drawForm();
  const there = taken();
  drawConflict(there);
  for (const name of ["[data-before]", "[data-sides]", "[data-extras]", "[data-save]"]) find(name).hidden = there !== null;
  if (there !== null) {
    for (const name of ["[data-sum]", "[data-missing]"]) find(name).hidden = true;
    preview.ask(null, table, nameOf);
    return;
  }
  const result = command();
  const lacking = reasons();
  find("[data-save]").classList.toggle("primary", result !== null);
  if (warned) find("[data-sum]").hidden = true;
  find("[data-save]").textContent = say(correcting !== null ? "sheet.correct_result" : totals() ? "sheet.enter_totals" : "sheet.enter_deal");
  find("[data-missing]").hidden = lacking === "";
  find("[data-missing]").textContent = lacking;
  preview.ask(result, table, nameOf);
}

function fieldName(name: string): string {
  if (name === "chooser" && fieldOf(fieldsNow(), "bid") !== undefined) return say("sheet.bidder");
  return say(name === "sweep" ? "sheet.sweep_by" : name === "card_points" ? "sheet.points" : `sheet.${name}`);
}

/** The sentence on the valid figures of a field. */
function boundsOf(field: Field): string {
  const { name, least, most, step, sum_most: whole } = field;
  return say(boundsSaid(field), { field: fieldName(name), least: least ?? 0, most: most ?? whole ?? null, step: step ?? 1 });
}

/** The reason that the deal cannot be entered: an invalid figure, or a missing field. */
function reasons(): string {
  const fields = fieldsNow();
  const open = missing(entry, fields).filter(({ name }) => !impossible(entry, fields).some((field) => field.name === name));
  const wrong = [...impossible(entry, fields), ...open.filter(({ name }) => name === "bid")].map(boundsOf);
  const lacking = open.filter(({ name }) => name !== "bid");
  const points = adding(fields) ?? fieldOf(fields, "own_points");
  const isOpen = pressed && wrong.length === 0 && points !== undefined && (entry.figures[points.name] ?? []).some((text) => text.trim() === "");
  const empty = isOpen ? unwritten(entry, points).map(nameOf).join(", ") : "";
  const whose = empty === "" ? "" : ` (${empty})`;
  const names = [...(isOpen ? [fieldName(points.name) + whose] : []), ...lacking.map(({ name }) => fieldName(name))];
  return [...wrong, ...(names.length > 0 ? [say("sheet.missing", { fields: names.join(", ") })] : [])].join(" ");
}

/** A finished game takes no further deal; it waits only for signatures. */
function drawOver(over: boolean): void {
  const root = find("[data-over]");
  const open = linesOf(table).some((line) => !line.stands);
  root.hidden = !over || !open || table.winners !== null || table.closed !== null || desk;
  root.textContent = say("sheet.over_unsigned");
}

/** A conflict: two devices entered the same deal. Show the recorded and the typed result side by side. */
function drawConflict(there: SheetRow | EnterResult | null): void {
  const root = find("[data-conflict]");
  root.hidden = there === null;
  if (there === null || begun === null) {
    root.replaceChildren();
    return;
  }
  const { deal, fields } = begun;
  const line = linesOf(table).find(({ row }) => row.deal === deal);
  const own = resultOf(entry, fields);
  const same = JSON.stringify([bySide(own), marksOf(page, table, own)]) === JSON.stringify([bySide(there), marksOf(page, table, there)]);
  const confirmer = line === undefined ? undefined : confirmerOf(line);
  const cells = (facts: Facts, figures: readonly string[]): HTMLElement[] => [
    ...sides().map((side) => h("td", { class: "num total" }, figures[side] ?? "–")),
    h("td", {}, h("small", { class: "muted" }, marksOf(page, table, facts).join(", "))),
  ];
  const summed = adding(fields);
  const typing = summed === undefined ? bySide(own) : (entry.figures[summed.name] ?? []);
  const names = sides().map((side) => h("th", { scope: "col", class: "num" }, nameOf(side)));
  const rows = h("table", { class: "sheet-both" },
    h("thead", {}, h("tr", {}, h("th", {}, ""), ...names, h("th", {}, ""))),
    h("tbody", {},
      h("tr", {}, h("th", { scope: "row" }, say("sheet.on_the_sheet", { who: whoWrote(there) })), ...cells(there, bySide(there))),
      h("tr", {}, h("th", { scope: "row" }, say("sheet.typed_here")), ...cells(own, typing))),
  );
  const away = (): void => {
    remember("draft", page.game, null);
    notice = "";
    clear();
    draw();
  };
  const actions: HTMLElement[] = [];
  if (line !== undefined && confirmer !== undefined) {
    const press = (): void => {
      confirm(line, confirmer);
      away();
    };
    actions.push(h("button", { type: "button", class: "button primary", click: press }, say("sheet.confirm_theirs")));
  }
  if (line !== undefined && !same && mayCorrect(line)) {
    const press = (): void => {
      const typed = entry;
      begun = null;
      remember("draft", page.game, null);
      correct(line, typed);
    };
    actions.push(h("button", { type: "button", class: "button", click: press }, say("sheet.ask_correction")));
  }
  const next = nextDeal();
  if (!same && (deals() === null || next <= (deals() ?? 0)) && forms.length > 0) {
    const press = (): void => {
      begun = { deal: next, fields: fieldsOfNext() };
      keepTyped();
      notice = "";
      draw();
    };
    actions.push(h("button", { type: "button", class: "button quiet", click: press }, say("sheet.is_of_deal", { deal: next })));
  }
  actions.push(h("button", { type: "button", class: "button quiet", click: away }, say("sheet.throw_away")));
  const sentence = say(same ? "sheet.both_same" : "sheet.both_other", { deal });
  root.replaceChildren(h("p", {}, h("strong", {}, sentence)), h("div", { class: "table-frame" }, rows), h("div", { class: "row" }, ...actions));
}

/** The name of the entry's author. */
function whoWrote(one: { seat?: number | null | undefined; reason?: string | null | undefined }): string {
  if (typeof one.reason === "string") return say("sheet.by_director");
  return typeof one.seat === "number" ? sideName(page, table, sideOf(table, one.seat)) : say("sheet.by_desk");
}

/** After the last deal, with nothing left to send, the desk goes to the next table. */
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
  const lines = linesOf(table);
  const rows = lines.map((line) => lineRow(line));
  const penalties = penaltiesOf(table);
  const more = penalties === null ? [] : [h("tr", {}, h("td", { class: "place" }, "§"), ...penalties.map((points) => h("td", { class: "num total" }, signed(points))), h("td", {}, say("sheet.penalties")))];
  const kept = outbox.waiting.filter((queued) => resultIn(queued) !== null).map((queued) => keptRow(queued, resultIn(queued) as EnterResult));
  find("[data-rows]").replaceChildren(...rows, ...more, ...kept);
  const names = sides().map((side) => h("th", { scope: "col", class: "num" }, sideName(page, table, side)));
  find(".sheet-rows").dataset["count"] = String(table.sides);
  find("[data-columns]").replaceChildren(h("th", { scope: "col" }, say("deals.deal")), ...names, h("th", { scope: "col" }, h("span", { class: "visually-hidden" }, say("sheet.status"))));
}

/** Entries that wait for the network can be changed before they are sent. */
function keptRow(queued: QueuedCommand, result: EnterResult | CorrectResult): HTMLElement {
  const change = (): void => {
    const { deal } = result;
    void outbox.takeBack((one) => dealOf(one) === deal && one.command.cmd !== "confirm_result").then((withdrawn) => {
      underway.delete(deal);
      if (withdrawn.length === 0) return;
      aside.put({ command: result, fields: sentWith.get(deal) ?? form?.fields ?? forms[0] ?? [], code: "", why: say("sheet.changing") });
      draw();
      document.querySelector<HTMLElement>("[data-entry] input:not([type=checkbox])")?.focus();
    });
  };
  const scores = result.scores ?? [];
  return h(
    "tr",
    {},
    h("td", { class: "place" }, String(dealOf(queued))),
    ...sides().map((side) => h("td", { class: "num muted" }, String(scores[side] ?? "–"))),
    h("td", {}, h("span", { class: "pill warn" }, say("sheet.not_sent")), " ", h("small", { class: "muted" }, [pointsWords(result), ...marksOf(page, table, result)].filter(Boolean).join(", ")),
      h("div", { class: "row" }, h("button", { type: "button", class: "button small quiet", click: change }, say("sheet.change")))),
  );
}

/** The side of an entry's author by the current sides: a corrected auction changes the sides. */
const writtenBy = (row: SheetRow): number | null => (typeof row.seat === "number" ? sideOf(table, row.seat) : row.side);

/** A seat of this phone that can sign a line of another side. */
function confirmerOf(line: SheetLine): number | undefined {
  if (line.stands || waitingFor(line.row.deal) || table.closed !== null) return undefined;
  const other = sides().find((side) => side !== writtenBy(line.row) && writer.seatFor(table, side) !== undefined);
  return other === undefined ? undefined : writer.seatFor(table, other);
}

const mayCorrect = (line: SheetLine): boolean => !line.stands && !waitingFor(line.row.deal) && table.closed === null && (desk || writer.seats.length > 0);

/** Confirm the shown result: the server refuses the confirmation if the score has changed since. */
function confirm(line: SheetLine, seat: number): void {
  enqueue({ cmd: "confirm_result", seat, deal: line.row.deal, seen: table.seq });
}

const counts = (scores: readonly (number | null)[]): string => scores.map((score) => signed(score ?? 0)).join(" : ");

/** The old and the new value, the author, and the reason. */
function changeOf({ row }: SheetLine): string {
  if (row.was === null) return "";
  const by = typeof row.reason === "string" ? "sheet.corrected_by_director" : "sheet.corrected_by";
  const change = say(by, { who: whoWrote(row), before: counts(row.was.scores), after: counts(row.scores) });
  return typeof row.reason === "string" ? `${change} (${row.reason})` : change;
}

function rulingOf(line: SheetLine): string {
  const ruling = table.rulings.find((one) => one.ruling === line.ruling);
  if (ruling === undefined) return "";
  const said = line.annulled ? say("sheet.annulled_by_ruling") : say("sheet.ruled", { written: counts(line.row.scores), counts: counts(line.scores) });
  return `${said} (${ruling.reason})`;
}

/** Whether a line's scores are the card points or come from a ruling, so that no other figures are shown. */
const isCounted = (line: SheetLine): boolean => line.ruling !== null || totals() || String(line.row.card_points.map((points) => points ?? 0)) === String(line.row.scores);

/** Notes beside a line's scores; the card points, where those are not the scores. */
function wordsOf(line: SheetLine): string[] {
  const { row } = line;
  const own = isCounted(line) ? [] : [pointsWords(row)];
  return [...own, ...marksOf(page, table, row), row.by_hand ? say("sheet.by_hand") : "", row.side === null && row.was === null ? whoWrote(row) : ""].filter(Boolean);
}

function lineRow(line: SheetLine): HTMLElement {
  const { row } = line;
  const confirmer = confirmerOf(line);
  const paper = (): void => {
    refused.delete(row.deal);
    enqueue({ cmd: "confirm_result", deal: row.deal, by: "paper", seen: table.seq });
  };
  const actions: HTMLElement[] = [];
  if (confirmer !== undefined) {
    const name = sideName(page, table, sideOf(table, confirmer));
    actions.push(h("button", { type: "button", class: "button small primary", click: () => confirm(line, confirmer) }, say("sheet.confirm_as", { side: name })));
  }
  if (mayCorrect(line) && desk && table.sheet.confirmation === "paper") {
    actions.push(h("button", { type: "button", class: "button small primary", click: paper }, say("sheet.signed_on_paper")));
  }
  if (mayCorrect(line)) {
    actions.push(h("button", { type: "button", class: "button small quiet", click: () => correct(line) }, say("sheet.change")));
  }
  const state = line.ruling !== null && line.stands ? say("sheet.by_ruling") : say(line.stands ? "sheet.confirmed" : "sheet.to_confirm");
  const notes = [changeOf(line), rulingOf(line)].filter(Boolean);
  return h(
    "tr",
    {},
    h("td", { class: "place" }, totals() ? say("sheet.totals") : String(row.deal), line.ruling !== null && h("span", { class: "ruling-mark", title: rulingOf(line) }, " §")),
    ...line.scores.map((score) => h("td", { class: "num total" }, signed(score ?? 0))),
    h(
      "td",
      {},
      h("span", { class: line.stands ? "pill done" : "pill warn" }, state),
      " ",
      h("small", { class: "muted" }, wordsOf(line).join(", ")),
      ...notes.map((text) => h("div", {}, h("small", {}, text))),
      actions.length > 0 && h("div", { class: "row" }, ...actions),
    ),
  );
}

/** Entries that wait for a signature of this phone, at the top of the page. */
function drawToConfirm(): void {
  const root = find("[data-to-confirm]");
  const open = linesOf(table).filter((line) => confirmerOf(line) !== undefined);
  const [line] = open;
  root.hidden = line === undefined || correcting !== null || taken() !== null;
  if (line === undefined || root.hidden) {
    root.replaceChildren();
    return;
  }
  const { row } = line;
  const confirmer = confirmerOf(line) ?? 0;
  const title = totals() ? say("sheet.totals_to_confirm") : say("sheet.deal_to_confirm", { deal: row.deal });
  const large = isCounted(line) ? line.scores : row.card_points;
  const figures = large.map((score, side) => (score === null && !isCounted(line) ? null : h("span", {}, `${sideName(page, table, side)} `, h("b", { class: "num" }, signed(score ?? 0))))).filter((one) => one !== null);
  const beside = isCounted(line) ? [] : [say("sheet.counts", { scores: counts(line.scores) })];
  const words = [...beside, ...wordsOf(line).filter((text) => isCounted(line) || text !== pointsWords(row)), changeOf(line)].filter(Boolean).join(", ");
  root.replaceChildren(
    h("p", {}, h("strong", {}, title), " ", h("small", { class: "muted" }, say("sheet.written_by", { who: whoWrote(row) }), open.length > 1 && `, ${say("sheet.more_to_confirm", { count: open.length - 1 })}`)),
    h("p", { class: "sheet-figures" }, ...figures),
    ...(words === "" ? [] : [h("p", {}, h("small", {}, words))]),
    h("div", { class: "row" },
      h("button", { type: "button", class: "button primary", click: () => confirm(line, confirmer) }, say("sheet.confirm_as", { side: sideName(page, table, sideOf(table, confirmer)) })),
      h("button", { type: "button", class: "button quiet", click: () => correct(line) }, say("sheet.not_right"))),
  );
}

/** Corrections and rulings by others since the last visit of this phone, until they are read. */
function drawNews(): void {
  if (table.seq < 0 || desk || writer.seats.length === 0) return;
  const seen = remembered<number>("seen", page.game);
  if (seen === null) {
    remember("seen", page.game, table.seq);
    return;
  }
  const lines = linesOf(table);
  const isOwn = ({ row }: SheetLine): boolean => typeof row.seat === "number" && writer.seats.includes(row.seat);
  const corrected = lines.filter((line) => line.row.was !== null && line.row.seq > seen && !isOwn(line)).map((line) => `${say("sheet.deal", { deal: line.row.deal })}: ${changeOf(line)}`);
  const ruled = lines.filter((line) => line.ruling !== null && (table.rulings.find((one) => one.ruling === line.ruling)?.seq ?? 0) > seen).map((line) => `§ ${say("sheet.deal", { deal: line.row.deal })}: ${rulingOf(line)}`);
  const texts = [...corrected, ...ruled];
  const root = find("[data-news]");
  root.hidden = texts.length === 0;
  const read = (): void => {
    remember("seen", page.game, table.seq);
    draw();
  };
  root.replaceChildren(...texts.map((text) => h("p", {}, text)), h("div", { class: "row" }, h("button", { type: "button", class: "button small", click: read }, say("sheet.read"))));
}

/**
 * Load the fields of a recorded deal, which only the server knows; without a network the deal stays unchanged.
 * `typed` figures are sent at once.
 */
function correct(line: SheetLine, typed: Entry | null = null): void {
  const { row } = line;
  void fetch(`${page.sheet}?deal=${row.deal}`, { headers: { Accept: "application/json" } })
    .then((response) => (response.ok ? (response.json() as Promise<{ fields: Field[] }>) : Promise.reject(new Error(String(response.status)))))
    .then(({ fields }) => {
      correcting = { deal: row.deal, fields, seen: table.seq };
      entry = typed ?? entryOf({ ...row }, fields, table.sides, table.seats);
      notice = "";
      if (typed !== null && command() !== null) {
        submit();
        return;
      }
      draw();
      document.querySelector<HTMLElement>("[data-entry] input:not([type=checkbox])")?.focus();
    })
    .catch(() => {
      if (typed !== null) {
        begun = { deal: row.deal, fields: form?.fields ?? [] };
        entry = typed;
        keepTyped();
      }
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
  drawToConfirm();
  drawNews();
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
      keepTyped();
      draw();
    },
    enter() {
      if (command() === null || taken() !== null) return false;
      submit();
      return true;
    },
  });
}

/** Opened without a network: show the last stored state of the sheet. */
function goOnAlone(): void {
  table = remembered<Feed>("feed", page.game)?.table ?? EMPTY;
  try {
    draw();
  } catch {
    table = EMPTY; // stored by another version of this page
  }
}

const line = new GameConnection(page.socket, {
  onEvents(feed) {
    table = feed.table;
    for (const row of table.results) underway.delete(row.deal);
    forms = feed.prompt.forms ?? forms;
    remember("forms", page.game, forms);
    remember("feed", page.game, { ...feed, events: [] });
    arrived(); // show the page first: hidden elements cannot take the focus
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
  if (event.key === key) draw(); // another window has sent waiting commands, or set a result aside
});
window.setInterval(() => void outbox.flush(), 10_000);
takeDraft();
line.open();
draw();
