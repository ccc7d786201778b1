/** The buttons of every phase with announcements: one table by command name. */

import { STOECK_POINTS } from "../generated/tables";
import { bidding, predicting } from "./bidding";
import type { Code } from "../table/cards";
import type { Command, Said } from "../table/events";
import { contractChoice } from "./contract-choice";
import { h } from "../dom";
import { lateAuction, lateContract, latePrediction } from "./late-words";
import { cardName, type Page, say } from "../page";
import { pickCount, type Rules, sixOfTrumps } from "../table/rules";
import type { Table } from "../table/table";

/** The input of a choice. */
export interface Ask {
  page: Page;
  rules: Rules;
  table: Table;
  seat: number;
  /** The picked cards, for announcements about cards. */
  picked: readonly (Code | null)[];
  /** A scorer writes: facts may be unknown. */
  writing?: boolean;
  /** Cards were played before the contract was recorded. */
  late?: boolean;
  /** Whether cards are recorded without the announcements before them. */
  skipped?: boolean;
  skip?: (on: boolean) => void;
  send: (command: Command) => void;
  /** Redraw after a changed selection. */
  redraw: () => void;
}

type Build = (ask: Ask) => HTMLElement[];


/** Whether the turned card is claimed. */
let wished = true;

function saying(ask: Ask, label: string, command: Said, look = "push", disabled = false): HTMLElement {
  const click = (): void => ask.send({ seat: ask.seat, ...command } as Command);
  return h("button", { type: "button", class: `choice ${look}`, disabled, click }, label);
}

function picking(ask: Ask, cmd: "discard" | "exchange", more: { take_turned?: boolean } = {}): HTMLElement[] {
  const count = pickCount(ask.table, ask.seat, [cmd]) ?? 0;
  const picked = ask.picked.length;
  return [
    h("p", { class: "choice-note" }, say(ask.writing ? "choice.pick_note" : `choice.${cmd}_note`, { count, picked })),
    saying(ask, say(`choice.${cmd}`, { count }), { cmd, cards: [...ask.picked], ...more }, "strong unasked", picked !== count),
  ];
}

/** The claim of the turned card: only the holder of the six may claim it. A scorer records that it was taken. */
function wish(ask: Ask): HTMLElement | null {
  const turned = ask.table.laid.turned;
  if (ask.writing || turned === null || turned.card === sixOfTrumps(ask.table)) return null;
  const change = (): void => {
    wished = box.checked;
    ask.redraw();
  };
  const box = h("input", { type: "checkbox", change });
  box.checked = wished;
  const text = say("choice.take_turned", { card: cardName(turned.card), six: cardName(sixOfTrumps(ask.table)) });
  return h("label", { class: "check choice-note" }, box, h("span", {}, text));
}

function exchanging(ask: Ask): HTMLElement[] {
  const asks = wish(ask);
  const six = sixOfTrumps(ask.table);
  const more = wished && asks !== null && six !== null && !ask.picked.includes(six) ? { take_turned: true } : {};
  const [note, button] = picking(ask, "exchange", more);
  return [note, asks, button].filter((part): part is HTMLElement => part instanceof HTMLElement);
}

function keeping(ask: Ask): HTMLElement[] {
  const hand = ask.table.hands[ask.seat];
  const six = sixOfTrumps(ask.table);
  const takes = !ask.writing && wished && six !== null && (hand?.includes(six) ?? false);
  return [saying(ask, say("choice.keep"), { cmd: "keep", ...(takes ? { take_turned: true } : {}) })];
}

/** Concede; a writer, who knows no hand, says whether the other side's Stöck counts. */
function conceding(ask: Ask): HTMLElement[] {
  const away = (points: number, more: { stoeck?: boolean }): HTMLElement => saying(ask, say("choice.concede", { points }), { cmd: "concede", ...more }, "push final");
  const { points, stoeck } = ask.rules;
  return ask.writing && stoeck ? [away(points, { stoeck: false }), away(points + STOECK_POINTS, { stoeck: true })] : [away(points, {})];
}

/** A button to skip unknown announcements before the first card. */
function skipping({ skipped = false, skip }: Ask): HTMLElement[] {
  const button = h("button", { type: "button", class: "choice push later", click: () => skip?.(!skipped) }, say(skipped ? "choice.skip_not" : "choice.skip"));
  return skipped ? [h("p", { class: "choice-note" }, say("choice.skip_note")), button] : [button];
}

const COMMANDS: Record<string, Build> = {
  choose: (ask) => (ask.late ? lateContract(ask) : contractChoice(ask)),
  auction: (ask) => lateAuction(ask, COMMANDS["pass"] ?? bidding),
  push: (ask) => [saying(ask, say("choice.push"), { cmd: "push" })],
  bid: bidding,
  defer: (ask) => [saying(ask, say("choice.defer"), { cmd: "defer" })],
  pass: (ask) => [saying(ask, say("choice.pass"), { cmd: "pass" })],
  discard: (ask) => picking(ask, "discard"),
  accept: (ask) => [saying(ask, say("choice.accept"), { cmd: "accept" }, "strong")],
  concede: conceding,
  predict: predicting,
  prediction: latePrediction,
  exchange: exchanging,
  keep: keeping,
  skip: skipping,
};

/** A button that ends a deal or the game: the first tap asks, and the confirmation is at another place. */
function twice(ask: Ask, label: string, command: Said): HTMLElement {
  const look = "button small on-table-surface";
  const place = h("span", { class: "row" });
  const first = h("button", { type: "button", class: look, click: () => place.replaceChildren(back, sure) }, label);
  const back = h("button", { type: "button", class: look, click: () => place.replaceChildren(first) }, say("choice.no"));
  const sure = h("button", { type: "button", class: look, click: () => ask.send({ seat: ask.seat, ...command } as Command) }, say("choice.yes", { what: label }));
  place.append(first);
  return place;
}

export function renderChoices(root: HTMLElement, ask: Ask, commands: readonly string[]): void {
  const within = root.contains(document.activeElement);
  const before = root.childElementCount;
  const parts = commands.flatMap((name) => COMMANDS[name]?.(ask) ?? []);
  root.hidden = parts.length === 0;
  root.replaceChildren(...parts);
  root.dataset["offers"] = [ask.table.deal, ...commands, ...parts.map((part) => part.textContent?.replace(/\d+/g, "") ?? "")].join("|");
  const first = root.querySelector<HTMLElement>("input:not([type=checkbox]), button.choice:not(:disabled, .later)");
  // A text field keeps the focus while the user types, so that the next key presses no button.
  const types = document.activeElement?.matches("input, select, textarea") ?? false;
  if (within || (before === 0 && parts.length > 0 && !types)) first?.focus({ preventScroll: true });
}

/** Announcements out of turn, by command name. Those that end a deal or the game ask for confirmation. */
const BESIDE: Record<string, (ask: Ask, who: string) => HTMLElement> = {
  claim_out: (ask, who) => twice(ask, who + say("beside.claim_out"), { cmd: "claim_out" }),
  stop: (ask, who) => twice(ask, who + say("beside.stop"), { cmd: "stop" }),
  take_turned: (ask, who) => {
    const turned = ask.table.laid.turned?.card;
    const text = who + (turned ? say("beside.take_turned", { card: cardName(turned) }) : say("beside.take_turned_unknown"));
    return h("button", { type: "button", class: "button small on-table-surface", click: () => ask.send({ cmd: "take_turned", seat: ask.seat }) }, text);
  },
};

/**
 * Quiet buttons for announcements out of turn, if the server allows them. `open` is by seat; a scorer of several
 * seats sees the name. They are kept while nothing changes, so that a second tap finds the button again.
 */
export function renderBeside(root: HTMLElement, ask: Ask, open: readonly (readonly string[])[] = []): void {
  const said = JSON.stringify(open);
  if (root.dataset["open"] === said) return;
  root.dataset["open"] = said;
  const several = open.filter((names) => names.length > 0).length > 1;
  const parts = open.flatMap((names, seat) => names.flatMap((name) => BESIDE[name]?.({ ...ask, seat }, several ? `${ask.page.names[seat]}: ` : "") ?? []));
  root.replaceChildren(...parts);
}
