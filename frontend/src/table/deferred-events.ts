/** Events of a transcript that can be recorded later: see engine/transcripts/transcribing.py. Pure. */

import { hidesTrumps, type Rules } from "./rules";
import type { Past, Table } from "./table";

/** The last action, which can be taken back. */
export const lastAct = (table: Table): Past | undefined => table.past.filter((past) => past.type !== "deal_scored").slice(-1)[0];

/** The last deal before its closing card, as long as events can be added to it. */
export function closedDeal(table: Table): Table | null {
  const last = table.past[table.past.length - 1];
  const played = last?.before.trick.length === 0 && last.before.sizes.every((size) => size === 0);
  return last?.type === "deal_scored" && played && lastAct(table)?.type !== "deal_stopped" ? last.before : null;
}

/** Whether the contract or the slot of a deal is unknown. */
export const hidesContract = (rules: Rules, table: Table): boolean =>
  rules.by_card.length > 0 ? hidesTrumps(rules, table) : table.contract === null || (rules.slots !== null && table.slot === null);

/** The seats with unknown predictions. */
export const hiddenPredictions = (rules: Rules, table: Table): number[] =>
  rules.predictions === null ? [] : table.sizes.flatMap((_, seat) => ((table.calls.predictions[seat]?.points ?? null) === null ? [seat] : []));

/** Whether the winner of a deal's auction is unknown and the talon, if any, has not been taken up. */
export function hidesAuction(rules: Rules, table: Table): boolean {
  const talon = (rules.places.first ?? []).some((place) => place.kind.startsWith("talon"));
  return rules.bids !== null && table.wonIn !== table.deal && (!talon || table.laid.talon !== null);
}
