/** What can still be told of a deal that is written down: see engine/transcripts/transcribing.py. Pure. */

import { hidesTrumps, type Rules } from "./rules";
import type { Past, Table } from "./table";

/** What was done last, and can be taken back. */
export const lastAct = (table: Table): Past | undefined => table.past.filter((past) => past.type !== "deal_scored").slice(-1)[0];

/** The last deal as it was before it was closed with its last card, as long as more can be told of it. */
export function closedDeal(table: Table): Table | null {
  const last = table.past[table.past.length - 1];
  const played = last?.before.trick.length === 0 && last.before.sizes.every((size) => size === 0);
  return last?.type === "deal_scored" && played && lastAct(table)?.type !== "deal_stopped" ? last.before : null;
}

/** Whether it is not known what a deal was played as, or in which slot. */
export const hidesContract = (rules: Rules, table: Table): boolean =>
  rules.by_card.length > 0 ? hidesTrumps(rules, table) : table.contract === null || (rules.slots !== null && table.slot === null);

/** The seats of which it is not known what they predicted. */
export const hiddenPredictions = (rules: Rules, table: Table): number[] =>
  rules.predictions === null ? [] : table.sizes.flatMap((_, seat) => ((table.calls.predictions[seat]?.points ?? null) === null ? [seat] : []));

/** Whether nobody has told yet who won the auction of a deal: where there is a talon, it has not been taken up. */
export function hidesAuction(rules: Rules, table: Table): boolean {
  const talon = (rules.places.first ?? []).some((place) => place.kind.startsWith("talon"));
  return rules.bids !== null && table.wonIn !== table.deal && (!talon || table.laid.talon !== null);
}
