/** The buttons of every phase in which something is said instead of played: one table by command name. */

import { trumpOf } from "./cards";
import { h, suitPip } from "./dom";
import { contractName, type Page, say } from "./page";
import type { Table } from "./table";

type Send = (command: Record<string, unknown>) => void;
type Build = (page: Page, table: Table, seat: number, send: Send) => HTMLElement[];

const ALL_SUITS = ["diamonds", "hearts", "spades", "clubs"];

/** The contracts of a game, as its options name them. */
export function contractsOf(table: Table): string[] {
  const named = table.options["contracts"];
  return Array.isArray(named) && named.length > 0 ? (named as string[]) : [...ALL_SUITS, "obenabe", "undenufe"];
}

export function contractMark(page: Page, contract: string): Element {
  const trump = trumpOf(contract);
  if (trump !== null) return suitPip(page, trump);
  return h("span", { class: "arrow", "aria-hidden": "true" }, contract.endsWith("undenufe") ? "↑" : "↓");
}

function times(table: Table, contract: string): string {
  const multipliers = table.options["multipliers"] as Record<string, number> | undefined;
  const factor = multipliers?.[contract] ?? 1;
  return factor > 1 ? ` ×${factor}` : "";
}

const COMMANDS: Record<string, Build> = {
  choose: (page, table, seat, send) =>
    contractsOf(table).map((contract) =>
      h(
        "button",
        { type: "button", class: "choice", click: () => send({ cmd: "choose", seat, contract }) },
        contractMark(page, contract),
        contractName(contract) + times(table, contract),
      ),
    ),
  push: (_page, _table, seat, send) => [
    h("button", { type: "button", class: "choice push", click: () => send({ cmd: "push", seat }) }, say("choice.push")),
  ],
};

export function renderChoices(root: HTMLElement, page: Page, table: Table, seat: number, commands: readonly string[], send: Send): void {
  const buttons = commands.flatMap((name) => COMMANDS[name]?.(page, table, seat, send) ?? []);
  root.hidden = buttons.length === 0;
  const before = root.childElementCount;
  root.replaceChildren(...buttons);
  if (before === 0 && buttons.length > 0 && !root.contains(document.activeElement)) buttons[0]?.focus({ preventScroll: true });
}
