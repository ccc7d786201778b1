/**
 * Contracts, auctions and predictions recorded after the first cards. This can wait, so it is one button; then the
 * form asks for the player, if that does not follow, and for the announcement.
 */

import type { Command } from "../generated/types";
import type { Ask } from "./choices";
import { bidding, predicting } from "./bidding";
import { contractChoice } from "./contract-choice";
import { h } from "../dom";
import { contractName, say, slotName } from "../page";
import { declarerOf } from "../table/table";
import { hiddenPredictions } from "../table/deferred-events";

type What = "auction" | "contract" | "prediction";

/** The current entry: kind, deal, and player. */
let telling: { what: What; deal: number; seat: number | null } | null = null;

const quiet = (text: string, click: () => void, look = ""): HTMLElement => h("button", { type: "button", class: `choice push${look}`, click }, text);

const note = (text: string): HTMLElement => h("p", { class: "choice-note" }, text);

/** The declarer; null if unknown. If a card sets the contract: the selected seat. */
function whose({ table, rules, seat }: Ask): number | null {
  return rules.by_card.length > 0 ? seat : (table.chooser ?? declarerOf(table));
}

export function lateContract(ask: Ask): HTMLElement[] {
  const { table, rules } = ask;
  const byCard = rules.by_card.length > 0;
  const half = table.chooser !== null;
  const missing = byCard ? "choice.late_trumps" : half && table.contract !== null ? "choice.late_slot" : "choice.late_contract";
  return toldBy(ask, "contract", missing, whose(ask), "choice.late_who", (told) => [...heading(ask, half, told.seat, byCard), ...contractChoice(told)]);
}

/** The auction, bid by bid or only its end. */
export function lateAuction(ask: Ask, passing: (ask: Ask) => HTMLElement[]): HTMLElement[] {
  return toldBy(ask, "auction", "choice.late_auction", null, "choice.late_bidder", (told) => [...bidding(told), ...passing(told)]);
}

export function latePrediction(ask: Ask): HTMLElement[] {
  const seats = hiddenPredictions(ask.rules, ask.table);
  const known = seats.length === 1 ? (seats[0] ?? null) : null;
  const said = (told: Ask): HTMLElement[] => [note(say("choice.late_predicted", { name: ask.page.names[told.seat] })), ...predicting({ ...told, writing: false })];
  return toldBy(ask, "prediction", "choice.late_prediction", known, "choice.late_predictor", said, seats);
}

/** One button at first; then the player, and then the announcement. */
function toldBy(ask: Ask, what: What, label: string, known: number | null, question: string, build: (told: Ask) => HTMLElement[], seats = [...ask.table.sizes.keys()]): HTMLElement[] {
  const { page, table } = ask;
  const tell = (now: typeof telling): void => {
    telling = now;
    ask.redraw();
  };
  if (telling?.deal !== table.deal || telling.what !== what) return [quiet(say(label), () => tell({ what, deal: table.deal, seat: null }), " later")];
  const notNow = quiet(say("choice.late_not"), () => tell(null), " later");
  const seat = known ?? telling.seat;
  if (seat === null) {
    const names = seats.map((one) => quiet(page.names[one] ?? "", () => tell({ what, deal: table.deal, seat: one })));
    return [note(say(question)), ...names, notNow];
  }
  const send = (command: Command): void => {
    telling = what === "auction" || seats.length > 1 && what === "prediction" ? { what, deal: table.deal, seat: null } : null;
    ask.send(command);
  };
  return [...build({ ...ask, seat, send }), notNow];
}

/** The question. */
function heading({ page, table }: Ask, half: boolean, seat: number, byCard: boolean): HTMLElement[] {
  if (byCard) return [];
  if (!half) return [note(say("choice.late_by", { name: page.names[seat] }))];
  if (table.contract === null) return [note(say("choice.which", { slot: slotName(table.slot ?? "") }))];
  return [note(say("choice.which_slot", { contract: contractName(table.contract) }))];
}
