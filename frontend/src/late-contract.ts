/**
 * A contract that is told when cards lie already, whole or the part of it that was not known. It can wait, so it is one
 * button until somebody remembers; then who named it is asked, where that does not follow, and then what.
 */

import type { Ask } from "./choices";
import { contractChoice } from "./contract-choice";
import { h } from "./dom";
import { contractName, say, slotName } from "./page";
import { declarerOf } from "./table";

/** Whether it is being told, in which deal, and who is said to have named it. */
let telling: { deal: number; seat: number | null } | null = null;

const quiet = (text: string, click: () => void, look = ""): HTMLElement => h("button", { type: "button", class: `choice push${look}`, click }, text);

const note = (text: string): HTMLElement => h("p", { class: "choice-note" }, text);

/** Whose choice it was, as far as that is known; where a card names the contract it is nobody's, and anybody tells. */
function whose({ table, rules, seat }: Ask): number | null {
  return rules.by_card.length > 0 ? seat : (table.chooser ?? declarerOf(table));
}

export function lateContract(ask: Ask): HTMLElement[] {
  const { page, table, rules } = ask;
  const tell = (now: typeof telling): void => {
    telling = now;
    ask.redraw();
  };
  const byCard = rules.by_card.length > 0;
  const half = table.chooser !== null;
  if (telling?.deal !== table.deal) {
    const missing = byCard ? "choice.late_trumps" : half && table.contract !== null ? "choice.late_slot" : "choice.late_contract";
    return [quiet(say(missing), () => tell({ deal: table.deal, seat: null }), " later")];
  }
  const notNow = quiet(say("choice.late_not"), () => tell(null), " later");
  const seat = whose(ask) ?? telling.seat;
  if (seat === null) {
    const names = page.names.slice(0, table.seats).map((name, one) => quiet(name, () => tell({ deal: table.deal, seat: one })));
    return [note(say("choice.late_who")), ...names, notNow];
  }
  const told: Ask = {
    ...ask,
    seat,
    send: (command) => {
      telling = null;
      ask.send(command);
    },
  };
  return [...heading(ask, half, seat, byCard), ...contractChoice(told), notNow];
}

/** What is asked for. */
function heading({ page, table }: Ask, half: boolean, seat: number, byCard: boolean): HTMLElement[] {
  if (byCard) return [];
  if (!half) return [note(say("choice.late_by", { name: page.names[seat] }))];
  if (table.contract === null) return [note(say("choice.which", { slot: slotName(table.slot ?? "") }))];
  return [note(say("choice.which_slot", { contract: contractName(table.contract) }))];
}
