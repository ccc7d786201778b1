/** The transcript of a physical game, card by card: tap the player and the card; the table shows the expected turn. */

import type { Command, Play } from "../generated/types";
import { CardKeys } from "../transcripts/card-keys";
import { type Code, DECK } from "../table/cards";
import { type Ask, renderBeside, renderChoices } from "../choices/choices";
import { Board } from "../board/board";
import { arrived, showConnection } from "../connection/connection-state";
import { askForDeal, DealingForm } from "../transcripts/dealing-form";
import { find, h, settle } from "../dom";
import { type Evidence, EvidenceLine, ownersOf, renderEvidence, renderFound } from "../transcripts/evidence-view";
import type { Feed } from "../connection/feed";
import type { Line } from "../watching/commentary";
import { linesOf, renderLog } from "../watching/log-view";
import { cardName, deckInUse, readPage, say, suitName } from "../page";
import { sayError } from "../connection/refusals";
import type { QueuedCommand } from "../connection/outbox";
import { type Offered, Picker } from "../transcripts/picker";
import { remember, remembered } from "../connection/device-storage";
import { hidesTrumps, pickCount, rulesOf } from "../table/rules";
import { renderDeals } from "../board/deals-view";
import { renderSlate } from "../slate/slate-view";
import { Saying } from "../transcripts/announcements";
import { setStage, typing } from "../board/stage";
import { commandId, GameConnection, Refused } from "../connection/socket";
import { shortNames } from "../table/short-names";
import { EMPTY, type Table } from "../table/table";
import { closedDeal, hiddenPredictions, hidesAuction, hidesContract, lastAct } from "../table/deferred-events";
import { stoeckWith, undeclaredStoeck } from "../table/turn";
import { PendingCommands } from "../connection/pending";

/** Milliseconds in which a tapped card can be taken back. Recorded events are never erased. */
const TAKE_BACK_MS = 3000;

const page = readPage();
const rules = rulesOf(page);
const board = new Board(find("[data-cloth]"), page, { near: 0, openHands: false, hideNearHand: false });
const picker = new Picker(find("[data-picker]"), page, (card) => take(card));
let feed: Feed | null = null;
/** The selected player, if it is not the seat in turn. */
let seatChosen: number | null = null;
/** A sent announcement that is not shown yet, with its seq once known: a second tap must not repeat it for the next seat. */
let word: "sent" | number | null = null;
let pending: { seat: number; card: Code | null; timer: number } | null = null;
const pendingCommands = new PendingCommands(page.game, begin, (queued) => line.submit(queued.command, queued.command_id));
const { taps } = pendingCommands;
/** The seq of the recorded card, once the server has acknowledged it. */
let recorded: number | null = null;
/** Cards chosen to discard or exchange; null: an unknown card. */
let picked: (Code | null)[] = [];
/** The deal to be recorded, while its known cards are named. */
let dealing: DealingForm | null = null;
/** The deal whose announcements before the first card are unknown. */
let skipped: number | null = null;
let evidence: Evidence | null = null;
/** The last event for which the writer has read the proven findings. */
let read: number | null = null;
const keys = new CardKeys();
const short = shortNames(page.names);
const saying = new Saying(
  (command) => send(command),
  () => draw(false),
);
const proofs = new EvidenceLine(page, (found) => {
  evidence = found;
  draw(false);
});
const stoeck = find<HTMLInputElement>("[data-stoeck]");
const sign = find<HTMLSelectElement>("[data-stoeck-sign]");

const commandsNow = (): string[] => feed?.prompt.turn?.commands ?? [];
/** Whether an announcement is due before the first card. */
const before = (): boolean => commandsNow().length > 0 && !commandsNow().some((name) => name === "play" || name === "deal");
const skipping = (): boolean => before() && skipped === feed?.table.deal;
const playing = (): boolean => commandsNow().includes("play") || skipping();
const acting = (): number | null => (skipping() ? null : (feed?.prompt.turn?.seat ?? null));
const seatNow = (): number | null => seatChosen ?? acting();

/** The number of cards to choose from a hand before the announcement; null: none. */
function count(): number | null {
  const seat = seatNow();
  return feed === null || seat === null || skipping() ? null : pickCount(feed.table, seat, commandsNow());
}

/** Handle a card of the picker, by tap or key, according to the current input. */
function take(card: Code | null): void {
  if (dealing !== null) {
    if (card === null || dealing.used.has(card)) return;
    if (dealing.pick(card)) beginDeal();
  } else if (saying.naming !== null) {
    if (card !== null) saying.take(card);
  } else if (count() !== null) {
    const room = (count() ?? 0) - picked.length;
    if (card !== null && picked.includes(card)) picked = picked.filter((other) => other !== card);
    else if (room > 0) picked = [...picked, card];
    else if (card === null) picked = picked.filter((other) => other !== null);
  } else if (playing() && (card === null || !gone(feed?.table ?? EMPTY).has(card))) {
    tap(card);
    return;
  }
  draw(false);
}

/** A deal with open cards asks for these first; any other begins at once. */
function prepareDeal(dealer: number | null, always: boolean): void {
  if (feed === null) return;
  dealing = new DealingForm(page, rules, feed.table, dealer);
  if (!dealing.asks && !always) beginDeal();
  draw(false);
}

function beginDeal(): void {
  if (dealing === null) return;
  pendingCommands.submit({ command_id: commandId(), command: dealing.command() }).then(
    () => {
      dealing = null;
      draw(false);
    },
    (error: unknown) => {
      refused(error);
      draw(false);
    },
  );
}

function refused(error: unknown): void {
  skipped = null;
  tell(error instanceof Refused ? sayError(error.code, error.detail, error.params) : say("error.unknown"));
}

/** Tapped cards that are not recorded yet. */
const onTheirWay = (): (Code | null)[] => pendingCommands.cards(pending === null ? [] : [pending.card]);

function gone(table: Table): Set<Code | null> {
  const cards = [...table.tricks.flatMap((trick) => trick.plays), ...table.trick].map((play) => play.card);
  cards.push(...onTheirWay());
  return new Set(cards.filter((card) => card !== null));
}

function tap(card: Code | null): void {
  release();
  taps.put(card);
  draw(false);
}

function begin(card: Code | null): void {
  const seat = seatNow();
  if (seat === null) {
    taps.drop();
    tell(say("transcribe.who_first"));
    return;
  }
  pending = { seat, card, timer: window.setTimeout(release, TAKE_BACK_MS) };
  if (taps.waiting.length > 0) release();
}

/** Send the tapped card; the time to take it back is over. */
function release(): void {
  if (pending === null || feed === null) return;
  const { seat, card, timer } = pending;
  window.clearTimeout(timer);
  pending = null;
  seatChosen = null;
  const command: Play = { cmd: "play", seat, card, ...saying.withCard() };
  if (stoeck.checked && card !== null) command.stoeck = !rules.stoeck_signed || (sign.value === "20" ? 20 : -20);
  stoeck.checked = false;
  tell("");
  plays({ command_id: commandId(), command });
}

function plays(queued: QueuedCommand): void {
  taps.hold();
  pendingCommands.submit(queued).then(
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

/** The sent command is acknowledged and shown: the turn is known now. */
function goOn(): void {
  if (feed === null) return;
  if (recorded !== null && feed.table.seq >= recorded) {
    recorded = null;
    taps.free();
  }
  if (typeof word === "number" && feed.table.seq >= word) word = null;
}

function takeBack(): void {
  if (pending) window.clearTimeout(pending.timer);
  pending = null;
  draw(false);
}

function send(command: Command): void {
  if (word !== null) return;
  tell("");
  picked = [];
  says({ command_id: commandId(), command });
}

function says(queued: QueuedCommand): void {
  word = "sent";
  pendingCommands.submit(queued).then(
    (seq) => {
      word = seq;
      goOn();
      draw(false);
    },
    (error: unknown) => {
      word = null;
      refused(error);
      draw(false);
    },
  );
}

function tell(text: string): void {
  const root = find("[data-notice]");
  root.hidden = text === "";
  root.textContent = text;
}

function drawSeats(table: Table): void {
  const root = find("[data-seats]");
  root.hidden = commandsNow().length === 0 || commandsNow().includes("deal");
  const choose = (seat: number): void => {
    seatChosen = seat === acting() ? null : seat;
    tell("");
    draw(false);
  };
  const button = (name: string, seat: number): HTMLElement => h("button", { type: "button", "aria-pressed": String(seat === seatNow()), click: () => choose(seat) }, name);
  settle(root, page.names.slice(0, table.seats).map(button));
}

function drawPicker(table: Table): void {
  const choosing = dealing !== null || saying.naming !== null || count() !== null;
  const chosen: readonly (Code | null)[] = dealing?.picked ?? saying.naming ?? picked;
  const used = dealing?.used ?? (saying.naming === null ? gone(table) : new Set<Code | null>());
  const owners = dealing === null ? ownersOf(evidence) : new Map<Code, number>();
  const seat = seatNow();
  const open = playing() || choosing;
  const stands = (card: Code): Offered => {
    const owner = used.has(card) ? undefined : owners.get(card);
    return {
      used: used.has(card),
      held: choosing ? chosen.includes(card) : owners.has(card) && owners.get(card) === seat,
      chosen: choosing ? chosen.includes(card) : null,
      owner: owner === undefined ? null : { name: page.names[owner] ?? "", short: short[owner] ?? "" },
    };
  };
  picker.draw(open ? stands : null);
  find("[data-hint]").hidden = !open;
  const unknown = find<HTMLButtonElement>("[data-unknown]");
  unknown.hidden = dealing !== null || saying.naming !== null || (!playing() && count() === null);
  find("[data-keys]").textContent = keys.suit === null ? "" : `${suitName(keys.suit)} …`;
  const waiting = find("[data-pending]");
  waiting.hidden = pending === null;
  if (pending) find("[data-pending-text]").textContent = say("transcribe.pending", { name: page.names[pending.seat], card: cardName(pending.card) });
}

function drawDealing(table: Table, open: boolean): void {
  const root = find("[data-dealing]");
  root.hidden = !open;
  if (!open) dealing = null;
  if (dealing !== null) {
    dealing.draw(root, () => draw(false), beginDeal);
    return;
  }
  askForDeal(root, page, table, prepareDeal, () => draw(false));
}

/** Take back the last record. Nothing is erased: a new event cancels it. */
function drawTakingBack(table: Table, lines: readonly Line[]): void {
  const button = find<HTMLButtonElement>("[data-undo]");
  const last = lastAct(table);
  button.hidden = last === undefined || pending !== null;
  if (last === undefined) return;
  const text = lines.find((one) => one.seq >= last.seq && one.tone !== "gone")?.text ?? "";
  button.textContent = say("transcribe.undo", { what: text });
  button.onclick = () => send({ cmd: "take_back", to: last.seq });
}

/** The current announcements. A contract named by a card can be recorded as soon as that card is known, in any turn. */
function saidNow(table: Table): string[] {
  if (skipping()) return ["skip"];
  if (closedDeal(table) !== null && dealing === null) return [...(hidesAuction(rules, table) ? ["auction"] : []), ...(hidesContract(rules, table) ? ["choose"] : []), ...(hiddenPredictions(rules, table).length > 0 ? ["prediction"] : [])];
  if (commandsNow().includes("play")) {
    const told = commandsNow().includes("choose") && rules.by_card.length === 0;
    return [...(commandsNow().includes("bid") || commandsNow().includes("pass") ? ["auction"] : []), ...(told || hidesTrumps(rules, table) ? ["choose"] : []), ...(commandsNow().includes("predict") ? ["prediction"] : [])];
  }
  const named = rules.by_card.length > 0;
  const words = commandsNow().filter((name) => !named || name !== "choose");
  const told = words.length > 0 && !words.includes("deal") && hidesTrumps(rules, table) ? ["choose"] : [];
  const skips = before() && table.sizes.every((size) => size === table.sizes[0]);
  return [...words, ...told, ...(skips ? ["skip"] : [])];
}

/** Proven findings and undeclared Stöck, until the writer has read them. */
function drawFound(table: Table, lines: readonly Line[]): void {
  read ??= remembered<number>("seen", page.game) ?? (lastAct(table)?.seq ?? table.seq + 1) - 1;
  const since = read;
  const texts = lines.filter((one) => one.seq > since && one.tone === "warn").map((one) => one.text);
  const stoeck = undeclaredStoeck(table);
  if (stoeck !== null && stoeck.seq > since) texts.push(say("transcribe.stoeck_undeclared", { name: page.names[stoeck.seat] ?? "", stoeck: say(`stoeck.${deckInUse()}`) }));
  renderFound(find("[data-found]"), texts, () => {
    read = table.seq;
    remember("seen", page.game, read);
    draw(false);
  });
}

/** Name the taps that wait for the network, which would otherwise look lost. */
function drawWaiting(): void {
  const root = find("[data-waiting]");
  const cards = onTheirWay();
  root.hidden = line.up || cards.length === 0;
  root.textContent = say("transcribe.waiting", { cards: cards.map((card) => cardName(card)).join(", ") });
}

function draw(live: boolean): void {
  if (feed === null) return;
  drawWaiting();
  const { table, prompt, events } = feed;
  const turn = prompt.turn ?? null;
  const commands = commandsNow();
  const lines = linesOf(events, page);
  if (commands.includes("play")) skipped = null;
  board.draw(table, seatNow(), live);
  drawSeats(table);
  drawDealing(table, commands.includes("deal"));
  saying.draw(find("[data-melds]"), { table, rules, seat: seatNow(), playing: playing() });
  drawPicker(table);
  drawFound(table, lines);
  drawTakingBack(table, lines);
  proofs.ask(table);
  renderEvidence(find("[data-evidence]"), page, table, evidence);
  const redraw = (): void => draw(false);
  const skip = (on: boolean): void => {
    skipped = on ? table.deal : null;
    seatChosen = null;
    redraw();
  };
  const late = playing() || closedDeal(table) !== null || rules.by_card.length > 0;
  const ask: Ask = { page, rules, table, seat: seatNow() ?? 0, picked, writing: true, late, skipped: skipping(), skip, send, redraw };
  renderChoices(find("[data-choices]"), ask, saidNow(table));
  renderBeside(find("[data-beside]"), ask, prompt.beside);
  const seat = seatNow();
  const could = playing() && rules.stoeck && seat !== null && DECK.some((card) => stoeckWith(table, seat, card));
  find("[data-stoeck-row]").hidden = !could;
  sign.hidden = !could || !rules.stoeck_signed;
  board.status.textContent = turn === null ? say("transcribe.over") : seat !== null ? say("table.turn_of", { name: page.names[seat] }) : playing() && !skipping() ? say("transcribe.who_plays") : "";
  renderLog(find("[data-log]"), lines.slice(-40));
  renderSlate(find("[data-slate]"), page, table);
  renderDeals(find("[data-deals]"), page, table);
}

const line = new GameConnection(page.socket, {
  onEvents(next, fresh) {
    const live = feed !== null && fresh.length < 12;
    feed = next;
    remember("feed", page.game, feed);
    goOn();
    pendingCommands.tableIsThere();
    arrived();
    draw(live);
  },
  onState(state) {
    showConnection(state);
    if (state === "lost" && feed === null) goOnAlone();
    else if (state !== "connecting") draw(false);
  },
});

/** Show the last stored state if the page opens offline. */
function goOnAlone(): void {
  feed = remembered<Feed>("feed", page.game);
  try {
    draw(false);
  } catch {
    feed = null; // stored by another version of this page
  }
}

find("[data-unknown]").addEventListener("click", () => take(null));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event) || picker.hidden) return;
  if (event.key === "Backspace" && pending !== null) {
    takeBack();
    return;
  }
  const card = keys.press(event.key);
  if (card !== null) take(card === "?" ? null : card);
  else draw(false);
});
find("[data-take-back]").addEventListener("click", takeBack);
document.addEventListener("puur:deck", () => draw(false));
window.addEventListener("pagehide", release);
setStage();
line.open();
pendingCommands.goOn({
  again: (queued) => (queued.command.cmd === "play" ? plays(queued) : says(queued)),
  isThere: () => line.up && feed !== null,
  redraw: () => draw(false),
});
