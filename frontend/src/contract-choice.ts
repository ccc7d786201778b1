/** Naming the contract: plain, or as one of the slots a side has left; a joker asks for its contract. */

import { trumpOf } from "./cards";
import type { Ask } from "./choices";
import { h, suitPip } from "./dom";
import { contractName, type Page, say, slotName } from "./page";
import { type Slot, slotsLeft } from "./rules";
import { sideOf } from "./table";

/** The slot that was picked and waits for its contract, with the deal it was picked in. */
let open: { deal: number; slot: string } | null = null;

export function contractMark(page: Page, contract: string): Element {
  const trump = trumpOf(contract);
  if (trump !== null) return suitPip(page, trump);
  const way = contract.endsWith("undenufe") ? "↑" : contract.endsWith("obenabe") ? "↓" : "★";
  const turns = /^slalom/.test(contract) ? (way === "↑" ? "↑↓" : "↓↑") : way;
  return h("span", { class: "arrow", "aria-hidden": "true" }, turns);
}

const times = (factor: number): string => (factor > 1 ? ` ×${factor}` : "");

function button(page: Page, contract: string, text: string, click: () => void): HTMLElement {
  return h("button", { type: "button", class: "choice", click }, contractMark(page, contract), text);
}

export function contractChoice(ask: Ask): HTMLElement[] {
  const { page, table, seat, rules, send } = ask;
  if (rules.slots === null) {
    return rules.contracts.map(({ contract, factor }) =>
      button(page, contract, contractName(contract) + times(factor), () => send({ cmd: "choose", seat, contract })),
    );
  }
  const left = slotsLeft(rules, table, sideOf(table, seat));
  const waiting = open?.deal === table.deal ? left.find((one) => one.slot === open?.slot) : undefined;
  return waiting === undefined ? left.map((one) => slotButton(ask, one)) : contractsOfSlot(ask, waiting);
}

function slotButton({ page, table, seat, send, redraw }: Ask, { slot, factor, contracts }: Slot): HTMLElement {
  const [only] = contracts;
  const click = (): void => {
    if (contracts.length === 1) send({ cmd: "choose", seat, contract: only, slot });
    else {
      open = { deal: table.deal, slot };
      redraw();
    }
  };
  return button(page, contracts.length === 1 ? slot : "", slotName(slot) + times(factor), click);
}

function contractsOfSlot({ page, seat, send, redraw }: Ask, { slot, factor, contracts }: Slot): HTMLElement[] {
  const back = (): void => {
    open = null;
    redraw();
  };
  return [
    h("p", { class: "choice-note" }, say("choice.which", { slot: slotName(slot) + times(factor) })),
    ...contracts.map((contract) => button(page, contract, contractName(contract), () => send({ cmd: "choose", seat, contract, slot }))),
    h("button", { type: "button", class: "choice push", click: back }, say("choice.other_slot")),
  ];
}
