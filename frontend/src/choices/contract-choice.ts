/** The choice of the contract: plain, or as one of a side's remaining slots; a joker asks for its contract. */

import type { Contract } from "../generated/types";
import { trumpOf } from "../table/cards";
import type { Ask } from "./choices";
import { h, suitPip } from "../dom";
import { contractName, type Page, say, slotName } from "../page";
import { type Slot, slotsLeft } from "../table/rules";
import { sideOf } from "../table/table";

/** The picked slot that waits for its contract, with its deal. */
let open: { deal: number; slot: string } | null = null;

export function contractMark(page: Page, contract: string): Element {
  const trump = trumpOf(contract);
  if (trump !== null) return suitPip(page, trump);
  const way = contract.endsWith("undenufe") ? "↑" : contract.endsWith("obenabe") ? "↓" : "★";
  const turns = /^slalom/.test(contract) ? (way === "↑" ? "↑↓" : "↓↑") : way;
  return h("span", { class: "arrow", "aria-hidden": "true" }, turns);
}

const times = (factor: number): string => (factor > 1 ? ` ×${factor}` : "");

function button(page: Page, contract: string, text: string, click: () => void, look = "choice"): HTMLElement {
  return h("button", { type: "button", class: look, click }, contractMark(page, contract), text);
}

export function contractChoice(ask: Ask): HTMLElement[] {
  const { page, table, seat, rules, send } = ask;
  if (rules.slots === null) {
    const offered = rules.contracts.length > 0 ? rules.contracts : rules.by_card.map((contract) => ({ contract, factor: 1 }));
    return offered.map(({ contract, factor }) =>
      button(page, contract, contractName(contract) + times(factor), () => send({ cmd: "choose", seat, contract })),
    );
  }
  if (table.chooser !== null) return restOfChoice(ask, rules.slots);
  const left = slotsLeft(rules, table, sideOf(table, seat));
  if (ask.writing && open?.deal === table.deal && open.slot === UNKNOWN) return contractsOfSlot(ask, { slot: UNKNOWN, factor: 1, contracts: allContracts(left) });
  const waiting = open?.deal === table.deal ? left.find((one) => one.slot === open?.slot) : undefined;
  if (waiting !== undefined) return contractsOfSlot(ask, waiting);
  return [...left.map((one) => slotButton(ask, one)), ...(ask.writing ? [slotButton(ask, { slot: UNKNOWN, factor: 1, contracts: allContracts(left) })] : [])];
}

/** The value of an unknown slot. */
const UNKNOWN = "unknown";

const allContracts = (slots: readonly Slot[]): Contract[] => [...new Set(slots.flatMap((one) => one.contracts))];

/** The unknown parts of a partly recorded choice. */
function restOfChoice(ask: Ask, slots: readonly Slot[]): HTMLElement[] {
  const { page, rules, table, seat, send } = ask;
  const { contract, slot } = table;
  if (contract === null) {
    const contracts = slots.find((one) => one.slot === slot)?.contracts ?? [];
    return contracts.map((named) => button(page, named, contractName(named), () => send({ cmd: "choose", seat, contract: named })));
  }
  const taking = slots.filter((one) => one.contracts.includes(contract));
  const left = slotsLeft(rules, table, sideOf(table, seat));
  const free = taking.filter((one) => left.includes(one));
  return (free.length > 0 ? free : taking).map((one) => button(page, one.contracts.length === 1 ? one.slot : "", slotName(one.slot) + times(one.factor), () => send({ cmd: "choose", seat, contract: null, slot: one.slot })));
}

function slotButton({ page, table, seat, send, redraw }: Ask, { slot, factor, contracts }: Slot): HTMLElement {
  const click = (): void => {
    const [only, another] = contracts;
    if (only !== undefined && another === undefined) send({ cmd: "choose", seat, contract: only, slot });
    else {
      open = { deal: table.deal, slot };
      redraw();
    }
  };
  return button(page, contracts.length === 1 ? slot : "", slotName(slot) + times(factor), click, contracts.length === 1 ? "choice" : "choice unasked");
}

function contractsOfSlot({ page, seat, send, redraw, writing }: Ask, { slot, factor, contracts }: Slot): HTMLElement[] {
  const back = (): void => {
    open = null;
    redraw();
  };
  return [
    h("p", { class: "choice-note" }, say("choice.which", { slot: slotName(slot) + times(factor) })),
    ...contracts.map((contract) => button(page, contract, contractName(contract), () => send({ cmd: "choose", seat, contract, slot: slot === UNKNOWN ? null : slot }))),
    ...(writing && slot !== UNKNOWN ? [h("button", { type: "button", class: "choice push", click: () => send({ cmd: "choose", seat, contract: null, slot }) }, say("choice.not_known"))] : []),
    h("button", { type: "button", class: "choice push unasked", click: back }, say("choice.other_slot")),
  ];
}
