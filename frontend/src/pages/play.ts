/** The player's own table. */

import type { Command, Play } from "../generated/types";
import { type Code, codesOf, reasonOf, suitOf } from "../table/cards";
import { sortHand } from "../table/hand-order";
import { openCards } from "../table/laying-out";
import { answer, type Offer } from "../choices/by-words";
import { type Ask, renderBeside, renderChoices } from "../choices/choices";
import { TurnClock } from "../board/clock";
import { Board } from "../board/board";
import { followNetwork, showConnection, showWatching } from "../connection/connection-state";
import { cardFace, find, h } from "../dom";
import type { EventBase, GameEvent } from "../table/events";
import type { Feed } from "../connection/feed";
import { Hand } from "../board/hand";
import { freshLines, linesOf, renderLog } from "../watching/log-view";
import { type Meld, meldsIn } from "../table/melds";
import { SceneDelays } from "../board/scene-delays";
import { cardName, readPage, say, suitName } from "../page";
import { sayError } from "../connection/refusals";
import { pickCount, rulesOf } from "../table/rules";
import { renderDeals } from "../board/deals-view";
import { renderSlate } from "../slate/slate-view";
import { type Handlers, GameConnection, Refused } from "../connection/socket";
import { give, signalOf, Turns } from "../board/sounds";
import { setStage } from "../board/stage";
import { trickRows } from "../watching/taken-tricks";
import { played, SENT, type Table } from "../table/table";
import { offerTip } from "../choices/tip";
import { stoeckWith } from "../table/turn";
import { confirmSayings } from "../choices/confirming";
import { guard, markKeys } from "../choices/settling";
import { offerWishes, wished } from "../board/table-preferences";

/** Milliseconds of a pause before a forced card is played. */
const FORCED_CARD_PAUSE_MS = 600;

const page = readPage();
const rules = rulesOf(page);
const seat = page.seat ?? 0;
const title = document.title;
const board = new Board(find("[data-cloth]"), page, { near: seat, openHands: false, hideNearHand: true });
const clock = new TurnClock(page);
const calls = find("[data-declarations]");
const tricksOfDeal = find("#look-back-head").textContent;

let feed: Feed | null = null;
let waiting: Code | null = null;
/** The seq of the table when a command was last sent. */
let sentAt = -1;
/** A card chosen before the turn: played when it is legal, otherwise dropped. */
let ahead: Code | null = null;
/** The requested tip's card, until the next event. */
let tipped: Code | null = null;
/** Keys of melds that the player does not declare; all others are declared. */
let silent = new Set<string>();
/** Cards chosen to put away or exchange. */
let picked: Code[] = [];
/** The sign of a signed Stöck for its holder. */
let stoeckWorth: 20 | -20 = 20;

const turns = new Turns();
const hand = new Hand(find("[data-hand]"), page, play, refuse, () => wished("twice"), pick, find("[data-table-cards]"), (card) => tell(say("play.armed", { card: cardName(card) })));

// New or changed controls ignore taps for a moment. This guard is registered before the confirmation of second taps.
const settleChoices = guard(find("[data-choices]"));
const settleHand = guard(find("[data-hand]"), { keys: false });
let asking = 0;
markKeys();
confirmSayings(find("[data-choices]"), () => wished("sure"), () => settleChoices(`confirm ${(asking += 1)}`));

function mine(): boolean {
  return feed?.prompt.turn?.seat === seat && (feed.prompt.own_commands ?? feed.prompt.turn.commands).includes("play");
}

function legal(): Code[] {
  return codesOf(feed?.prompt.legal ?? "");
}

function melds(table: Table): Meld[] {
  const fresh = !table.tricks.length && !table.trick.some((played) => played.seat === seat);
  return rules.melds && fresh && table.contract !== null ? meldsIn(table.hands[seat] ?? [], table.options) : [];
}

function stoeckCards(table: Table): Code[] {
  if (!rules.stoeck) return [];
  return (table.hands[seat] ?? []).filter((card) => stoeckWith(table, seat, card));
}

function play(card: Code): void {
  if (feed === null) return;
  const { table } = feed;
  const command: Play = { cmd: "play", seat, card };
  const declared = melds(table).filter((meld) => !silent.has(meld.cards.join()));
  if (declared.length > 0) command.melds = declared.map((meld) => meld.cards);
  if (stoeckCards(table).includes(card) && !silent.has("stoeck")) command.stoeck = rules.stoeck_signed ? stoeckWorth : true;
  waiting = card;
  send(command);
}

function pick(card: Code): void {
  const count = picks();
  if (feed === null || count === null) return;
  if (picked.includes(card)) picked = picked.filter((other) => other !== card);
  else if (picked.length < count) picked = [...picked, card];
  else return;
  draw(false);
}

function commands(): string[] {
  const turn = feed?.prompt.turn;
  return turn?.seat === seat ? (feed?.prompt.own_commands ?? turn.commands) : [];
}

const picks = (): number | null => (feed === null ? null : pickCount(feed.table, seat, commands()));

function send(command: Command): void {
  sentAt = feed?.table.seq ?? -1;
  draw(waiting !== null);
  if (!line.up) tell(say("connection.kept"), true);
  line.submit(command).catch((error: unknown) => {
    waiting = null;
    draw(false);
    if (feed !== null && isOver(feed.table)) return; // keep the message about the end of the game
    if (clock.acted.seq === sentAt + 1) tell(say("play.too_late"), true);
    else tell(error instanceof Refused ? sayError(error.code, error.detail, error.params) : say("error.unknown"), true);
  });
}

const isOver = (table: Table): boolean => table.winners !== null || table.closed !== null;

/** Whether another player has the turn, so that a card can be chosen in advance. */
function acts(table: Table): boolean {
  const turn = feed?.prompt.turn;
  return turn !== undefined && turn !== null && turn.seat !== seat && turn.commands.includes("play") && table.contract !== null;
}

/** Play the card chosen in advance, if it is legal and no announcement is due with it. */
function playAhead(table: Table): void {
  if (isOver(table)) ahead = null;
  if (ahead === null) return;
  const card = ahead;
  const held = table.hands[seat]?.includes(card) ?? false;
  if (held && !mine()) return;
  ahead = null;
  if (held && legal().includes(card) && melds(table).length === 0 && !stoeckCards(table).includes(card)) play(card);
}

/** Play the only legal card, if preferred, after a pause. */
function playForced(table: Table): void {
  const [only, another] = legal();
  if (!wished("forced") || only === undefined || another !== undefined || waiting !== null || !mine()) return;
  if (melds(table).length > 0 || stoeckCards(table).includes(only)) return; // the player decides about an announcement
  const { seq } = table;
  window.setTimeout(() => feed?.table.seq === seq && waiting === null && mine() && play(only), FORCED_CARD_PAUSE_MS);
}

/** Explain why a card is illegal, from data that the server sent in advance. */
function refuse(card: Code): void {
  if (feed === null) return;
  if (isOver(feed.table)) return;
  const [led] = feed.table.trick;
  if (acts(feed.table) && !mine()) {
    ahead = ahead === card ? null : card;
    draw(false);
    tell(say(ahead === null ? "play.not_ahead" : "play.ahead", { card: cardName(card) }));
    return;
  }
  const asked = mine() ? [] : commands();
  if (asked.length > 0) return tell("", false, yourTurn(asked)); // the turn asks for an announcement, not for a card
  const reason = mine() ? reasonOf(feed.prompt.why_not, card) : "error.play/not_your_turn";
  const why = say(reason ?? "error.play/illegal_card", { suit: led?.card ? suitName(suitOf(led.card)) : "" });
  tell(mine() ? `${why} ${say("play.allowed", { cards: allowed(feed.table) })}` : why, true);
}

/** The legal cards: a suit by name if all its cards are legal, else the cards. */
function allowed(table: Table): string {
  const held = [...(table.hands[seat] ?? []), ...openCards(table, seat)];
  const may = sortHand(legal(), table.contract);
  const names = may.map((card) => {
    const suit = held.filter((other) => suitOf(other) === suitOf(card));
    return suit.length > 1 && suit.every((other) => may.includes(other)) ? suitName(suitOf(card)) : cardName(card);
  });
  return [...new Set(names)].join(", ");
}

function tell(text: string, warn = false, asks = ""): void {
  const asked = asks === "" ? [] : [h("span", { class: "between" }, text === "" ? "" : " · "), h("span", { class: "asks" }, asks)];
  board.status.replaceChildren(h("span", { class: "status-text" }, text), ...asked);
  board.status.classList.toggle("reason", warn);
}

function drawDeclarations(table: Table): void {
  const toggles: HTMLElement[] = melds(table).map((meld) => toggle(meld.cards.join(), say("play.declare_meld", { points: meld.points }), meld.cards));
  if (stoeckCards(table).length > 0) toggles.push(toggle("stoeck", say("play.declare_stoeck"), stoeckCards(table)), ...(rules.stoeck_signed ? [signs()] : []));
  calls.hidden = toggles.length === 0;
  calls.replaceChildren(...toggles);
}

function toggle(key: string, label: string, cards: Code[]): HTMLElement {
  const box = h("input", { type: "checkbox", change: () => (box.checked ? silent.delete(key) : silent.add(key)) });
  box.checked = !silent.has(key);
  const names = cards.map((card) => cardName(card)).join(", ");
  return h("label", { class: "check declaration" }, box, h("span", {}, label, h("span", { class: "muted" }, names)));
}

/** The choice whether the Stöck is added or subtracted. */
function signs(): HTMLElement {
  const buttons = ([20, -20] as const).map((worth) =>
    h(
      "button",
      {
        type: "button",
        "aria-pressed": String(stoeckWorth === worth),
        click: () => {
          stoeckWorth = worth;
          draw(false);
        },
      },
      worth > 0 ? "+20" : "−20",
    ),
  );
  return h("div", { class: "segmented", role: "group", "aria-label": say("play.stoeck_worth") }, ...buttons);
}

function drawLookBack(table: Table): void {
  const allowed = table.options["look_back"];
  const count = table.tricks.length;
  const first = find<HTMLButtonElement>("[data-first-trick]");
  const last = find<HTMLButtonElement>("[data-last-trick]");
  first.hidden = count === 0 || allowed === "last";
  last.hidden = count === 0 || (allowed !== "last" && allowed !== "all");
  first.onclick = () => (allowed === "all" ? lookAt(table, table.tricks.map((_, index) => index), tricksOfDeal) : lookAt(table, [0], first.textContent));
  last.onclick = () => lookAt(table, [count - 1], last.textContent);
}

function lookAt(table: Table, which: number[], called: string | null): void {
  find("#look-back-head").textContent = called;
  const dialog = find<HTMLDialogElement>("[data-look-back]");
  find("[data-look-back-cards]").replaceChildren(trickRows(page, table, which));
  dialog.showModal();
}

function draw(live: boolean, fresh: readonly EventBase[] = []): void {
  if (feed === null) return;
  const { prompt, events } = feed;
  // A sent card is drawn on the table at once.
  const table = waiting === null ? feed.table : played(feed.table, seat, waiting, SENT);
  const acting = prompt.turn?.seat ?? null;
  const count = picks();
  const own = table.hands[seat] ?? [];
  picked = count === null ? [] : picked.filter((card) => own.includes(card));
  const ask: Ask = { page, rules, table, seat, picked, send, redraw: () => draw(false) };
  board.draw(table, acting, live);
  clock.draw();
  const choices = find("[data-choices]");
  renderChoices(choices, ask, commands());
  settleChoices(choices.dataset["offers"] ?? "");
  const dealt = (index: number): string | null => board.dealing.delay(table, seat, index);
  settleHand(`${own.join()} ${table.contract}`);
  hand.draw({ table, seat, mine: mine() && waiting === null, legal: legal(), waiting, ahead, tipped, count, picked, dealt });
  renderBeside(find("[data-beside]"), ask, prompt.beside);
  drawDeclarations(table);
  drawLookBack(table);
  renderSlate(find("[data-slate]"), page, table);
  renderDeals(find("[data-deals]"), page, table);
  renderLog(find("[data-log]"), linesOf(events, page).slice(-40));
  const newest = freshLines(events, fresh, page).pop()?.text ?? "";
  const yours = acting === seat ? yourTurn(commands()) : "";
  const theirs = acting !== null && acting !== seat ? say("table.turn_of", { name: page.names[acting] }) : "";
  const clocked = clock.acted.seq !== sentAt + 1 && fresh.some((event) => event.seq === clock.acted.seq) ? clock.acted.text : "";
  const stays = isOver(table) && fresh.length === 0 && board.status.textContent !== "";
  if (!stays && (fresh.length > 0 || !live)) tell([clocked, newest, newest ? "" : theirs].filter(Boolean).join(" · "), false, yours);
  document.title = acting === seat ? `● ${say("play.your_turn")} · ${title}` : title;
  drawShown(table);
}

/** All current announcements, by their labels. */
function offers(): Offer[] {
  const buttons = document.querySelectorAll<HTMLButtonElement>("[data-choices] button.choice:not(:disabled), [data-beside] button");
  return [...buttons].map((button) => ({ name: button.innerText.trim(), press: () => button.click() }));
}

/** Notes beside the current question. */
const notes = (): string[] => [...document.querySelectorAll<HTMLElement>("[data-choices] p.choice-note")].map((note) => note.innerText.trim());

/** Run a typed line: a number fills a field or bids; anything else is answered or done. */
function byWords(line: string): string {
  if (feed === null) return "";
  if (/^\d+$/.test(line.trim()) && commands().includes("bid")) {
    const points = Number(line);
    send({ cmd: "bid", seat, points });
    return say("choice.bid", { points });
  }
  const figure = document.querySelector<HTMLInputElement>("[data-choices] input.figure");
  if (figure !== null && /^\d+$/.test(line.trim())) {
    figure.value = line.trim();
    figure.dispatchEvent(new Event("input"));
    figure.form?.requestSubmit();
    return line.trim();
  }
  const found = answer(line, { page, table: feed.table, seat, legal: mine() ? legal() : [], offers: offers(), notes: notes() });
  if ("text" in found) return found.text;
  if ("offer" in found) {
    found.offer.press();
    return found.offer.name;
  }
  if (picks() !== null) pick(found.card);
  else if (mine() && legal().includes(found.card)) play(found.card);
  else refuse(found.card);
  return cardName(found.card);
}

function askByWords(): void {
  const form = find<HTMLFormElement>("[data-by-words]");
  const input = find<HTMLInputElement>("#by-words");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    find("[data-answer]").textContent = byWords(input.value);
    input.value = "";
  });
  input.addEventListener("keydown", (event) => event.key === "Escape" && input.blur());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "t" || event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).closest("input:not(.figure), select, textarea, dialog[open]")) return;
    event.preventDefault();
    input.focus();
  });
}

/** The current question, by the last command with a sentence. */
function yourTurn(asked: readonly string[]): string {
  for (const name of [...asked].reverse()) {
    const keys = rules.slots === null ? [`turn.${name}`] : [`turn.slot_${name}`, `turn.${name}`];
    const known = keys.map((key) => say(key)).find((words, at) => words !== keys[at]);
    if (known !== undefined) return known;
  }
  return say("play.your_turn");
}

/** Scoring melds stay open until the second trick is taken. */
function drawShown(table: Table): void {
  const root = find("[data-shown]");
  root.hidden = table.shown.length === 0 || table.tricks.length > 1;
  root.replaceChildren(
    ...table.shown.map((meld) =>
      h("div", { class: "taken-trick" }, h("span", {}, `${page.names[meld.seat]}: ${meld.points}`), h("span", { class: "cards" }, ...meld.cards.map((card) => cardFace(page, card)))),
    ),
  );
}

const sceneDelays = new SceneDelays(page, (next, fresh, live) => {
  if (fresh.some((event) => event.type === "deal_started")) {
    silent = new Set();
    ahead = null;
  }
  if (fresh.some((event) => event.type === "deal_started" || (event.type === "card_played" && (event as GameEvent & { seat: number }).seat === seat))) waiting = null;
  feed = next;
  tipped = null;
  draw(live, fresh);
  const began = turns.began(next.prompt.turn?.seat === seat);
  if (live) give(signalOf(fresh, began));
  playAhead(next.table);
  playForced(next.table);
});
const handlers: Handlers = {
  onEvents(next, fresh) {
    clock.heard(next, fresh, seat);
    sceneDelays.take(next, fresh);
  },
  onState: showConnection,
  onWatching: showWatching,
};
const line = new GameConnection(page.socket, handlers, undefined, true);

offerTip(page, () => feed?.events ?? null, (card, text, warn) => {
  tipped = card;
  draw(false);
  tell(text, warn);
});
offerWishes((wish) => give(wish === "forced" || wish === "sure" || wish === "twice" ? null : "turn"));
askByWords();
document.addEventListener("puur:deck", () => draw(false));
setStage();
line.open();
// A form that leads to a new table closes this connection first: the end of the connection would cancel the navigation.
for (const form of document.querySelectorAll("[data-leaves]")) form.addEventListener("submit", () => line.close());
showWatching(page.extra["watching"]);
followNetwork(line);
