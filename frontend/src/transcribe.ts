/** A physical game written down card by card: tap who and what; the table tells whose turn it should be. */

import { type Code, DECK } from "./cards";
import { type Ask, renderBeside, renderChoices } from "./choices";
import { Cloth } from "./cloth";
import { showConnection } from "./connection";
import { cardFace, find, h } from "./dom";
import type { Feed } from "./feed";
import { InTurn } from "./in-turn";
import { linesOf, renderLog } from "./log-view";
import { cardName, readPage, say, sayError } from "./page";
import { pickCount, rulesOf } from "./rules";
import { renderDeals, renderSlate } from "./slate-view";
import { Line, Refused } from "./socket";
import type { Table } from "./table";
import { stoeckWith } from "./turn";

/** How long a tapped card can be taken back. What is recorded is never erased. */
const GRACE = 3000;

const page = readPage();
const rules = rulesOf(page);
const cloth = new Cloth(find("[data-cloth]"), page, { near: 0, openHands: false, hideNearHand: false });
const picker = find("[data-picker]");
let feed: Feed | null = null;
/** Who is said to have played, where it was not the one whose turn it is. */
let seatChosen: number | null = null;
let pending: { seat: number; card: Code | null; timer: number } | null = null;
/** Whose a card is shows only when the one before has been recorded. */
const taps = new InTurn<Code | null>(begin);
/** The seq up to which the card on its way was recorded, once it was. */
let recorded: number | null = null;
/** Cards chosen to be put away or exchanged, or named before a deal can be written. */
let picked: Code[] = [];
/** What a deal needs to be told; found out when it is refused without. */
let needed: { what: "turned" | "talon" | "cut" | "deck"; dealer: number | null } | null = null;
const NEEDED = { "deal/turned_card_missing": "turned", "deal/cut_missing": "cut", "deal/table_cards_missing": "deck" } as const;
const WHOLE = 36;
const stoeck = find<HTMLInputElement>("[data-stoeck]");
const sign = find<HTMLSelectElement>("[data-stoeck-sign]");

const acting = (): number | null => feed?.prompt.turn?.seat ?? null;
const seatNow = (): number | null => seatChosen ?? acting();

const commandsNow = (): string[] => feed?.prompt.turn?.commands ?? [];

/** How many cards are being named; null: none. */
function count(): number | null {
  if (feed === null) return null;
  if (needed !== null) return needed.what === "deck" ? WHOLE : needed.what === "talon" ? rules.talon.length : 1;
  const seat = seatNow();
  return seat === null ? null : pickCount(feed.table, seat, commandsNow());
}

function pick(card: Code): void {
  const limit = count() ?? 0;
  if (picked.includes(card)) picked = picked.filter((other) => other !== card);
  else if (picked.length < limit) picked = [...picked, card];
  if (needed !== null && picked.length === limit) dealKnown();
  else draw(false);
}

/** Deal with the cards that were named: the one turned or cut, or the whole deck in the order it was dealt. */
function dealKnown(): void {
  if (needed === null) return;
  const { what, dealer } = needed;
  const deck: (Code | null)[] = what === "deck" ? picked : Array<null>(WHOLE).fill(null);
  const [card] = picked;
  if (what === "turned" && card !== undefined) deck[rules.turned ?? WHOLE - 1] = card;
  if (what === "talon") picked.forEach((known, index) => (deck[rules.talon[index] ?? 0] = known));
  needed = null;
  const named = what === "cut" ? { cut: card } : { deck };
  picked = [];
  deal(dealer, named);
}

/** An open talon is asked for first; what else a deal must be told, the server says. */
function beginDeal(dealer: number | null): void {
  if (rules.talon.length === 0 || feed?.table.declarer !== null) {
    deal(dealer);
    return;
  }
  needed = { what: "talon", dealer };
  draw(false);
}

function deal(dealer: number | null, named: Record<string, unknown> = {}): void {
  const command = { cmd: "deal", ...(dealer === null ? {} : { dealer }), ...named };
  line.submit(command).catch((error: unknown) => {
    const what = error instanceof Refused ? NEEDED[error.code as keyof typeof NEEDED] : undefined;
    if (what === undefined || Object.keys(named).length > 0) refused(error);
    else needed = { what, dealer };
    draw(false);
  });
}

function refused(error: unknown): void {
  tell(error instanceof Refused ? sayError(error.code, error.detail, error.params) : say("error.unknown"));
}

function gone(table: Table): Set<Code | null> {
  const cards = [...table.tricks.flatMap((trick) => trick.plays), ...table.trick].map((play) => play.card);
  cards.push(...taps.waiting);
  if (pending) cards.push(pending.card);
  return new Set(cards.filter((card) => card !== null));
}

function tap(card: Code | null): void {
  release();
  taps.put(card);
  draw(false);
}

function begin(card: Code | null): void {
  const seat = seatNow();
  if (seat === null) return;
  pending = { seat, card, timer: window.setTimeout(release, GRACE) };
  if (taps.waiting.length > 0) release();
}

/** Send what was tapped; the time to take it back is over. */
function release(): void {
  if (pending === null || feed === null) return;
  const { seat, card, timer } = pending;
  window.clearTimeout(timer);
  pending = null;
  seatChosen = null;
  const command: Record<string, unknown> = { cmd: "play", seat, card };
  if (stoeck.checked && card !== null) command["stoeck"] = rules.stoeck_signed ? Number(sign.value) : true;
  stoeck.checked = false;
  tell("");
  taps.hold();
  line.submit(command).then(
    (seq) => {
      recorded = seq;
      goOn();
      draw(false);
    },
    (error: unknown) => {
      taps.drop();
      refused(error);
      draw(false);
    },
  );
}

/** The card on its way has been acknowledged and shown: now it is clear whose turn it is. */
function goOn(): void {
  if (recorded === null || feed === null || feed.table.seq < recorded) return;
  recorded = null;
  taps.free();
}

function takeBack(): void {
  if (pending) window.clearTimeout(pending.timer);
  pending = null;
  draw(false);
}

function send(command: Record<string, unknown>): void {
  tell("");
  picked = [];
  line.submit(command).catch((error: unknown) => {
    refused(error);
    draw(false);
  });
}

function tell(text: string): void {
  const root = find("[data-notice]");
  root.hidden = text === "";
  root.textContent = text;
}

function drawSeats(table: Table): void {
  const buttons = page.names.slice(0, table.seats).map((name, seat) =>
    h(
      "button",
      {
        type: "button",
        "aria-pressed": String(seat === seatNow()),
        click: () => {
          seatChosen = seat === acting() ? null : seat;
          draw(false);
        },
      },
      name,
    ),
  );
  find("[data-seats]").replaceChildren(...buttons);
}

function drawPicker(table: Table, playing: boolean): void {
  const choosing = count() !== null;
  const used = needed === null ? gone(table) : new Set<Code | null>();
  const seat = seatNow();
  const held = seat === null ? null : table.hands[seat];
  picker.hidden = !playing && !choosing;
  picker.replaceChildren(
    ...DECK.map((card) =>
      h(
        "button",
        {
          type: "button",
          disabled: used.has(card),
          class: (choosing ? picked.includes(card) : held?.includes(card)) ? "held" : null,
          "aria-label": cardName(card),
          "aria-pressed": choosing ? String(picked.includes(card)) : null,
          click: () => (choosing ? pick(card) : tap(card)),
        },
        cardFace(page, card, { mute: true }),
      ),
    ),
  );
  find<HTMLButtonElement>("[data-unknown]").hidden = !playing;
  const waiting = find("[data-pending]");
  waiting.hidden = pending === null;
  if (pending) find("[data-pending-text]").textContent = say("transcribe.pending", { name: page.names[pending.seat], card: cardName(pending.card) });
}

function drawDealing(table: Table, dealing: boolean): void {
  const root = find("[data-dealing]");
  root.hidden = !dealing;
  if (needed !== null) {
    const skip = needed.what === "talon" && h("button", { type: "button", class: "button small", click: dealKnown }, say("transcribe.not_known"));
    root.replaceChildren(h("p", {}, say(`transcribe.need_${needed.what}`, { count: picked.length })), ...(skip ? [skip] : []));
    return;
  }
  const first = table.deal === 0;
  const buttons = first
    ? page.names.slice(0, table.seats).map((name, seat) => {
        const dealer = (seat + table.seats - 1) % table.seats;
        return h("button", { type: "button", class: "button", click: () => beginDeal(dealer) }, name);
      })
    : [h("button", { type: "button", class: "button primary", click: () => beginDeal(null) }, say("transcribe.next_deal", { deal: table.deal + 1 }))];
  root.replaceChildren(h("p", {}, say(first ? "transcribe.who_is_forehand" : "transcribe.deal_over")), h("div", { class: "row" }, ...buttons));
}

function draw(live: boolean): void {
  if (feed === null) return;
  const { table, prompt, events } = feed;
  const turn = prompt.turn ?? null;
  const commands = turn?.commands ?? [];
  const playing = commands.includes("play");
  cloth.draw(table, seatNow(), live);
  drawSeats(table);
  drawPicker(table, playing);
  drawDealing(table, commands.includes("deal"));
  const ask: Ask = { page, rules, table, seat: seatNow() ?? 0, picked, send, redraw: () => draw(false) };
  renderChoices(find("[data-choices]"), ask, commands);
  renderBeside(find("[data-beside]"), ask);
  const seat = seatNow();
  const could = playing && rules.stoeck && seat !== null && DECK.some((card) => stoeckWith(table, seat, card));
  find("[data-stoeck-row]").hidden = !could;
  sign.hidden = !could || !rules.stoeck_signed;
  cloth.status.textContent = turn === null ? say("transcribe.over") : seat === null ? "" : say("table.turn_of", { name: page.names[seat] });
  renderLog(find("[data-log]"), linesOf(events, page).slice(-40));
  renderSlate(find("[data-slate]"), page, table);
  renderDeals(find("[data-deals]"), page, table);
}

const line = new Line(page.socket, {
  onEvents(next, fresh) {
    const live = feed !== null && fresh.length < 12;
    feed = next;
    goOn();
    draw(live);
  },
  onState: showConnection,
});

find("[data-unknown]").addEventListener("click", () => tap(null));
find("[data-take-back]").addEventListener("click", takeBack);
document.addEventListener("puur:deck", () => draw(false));
line.open();
