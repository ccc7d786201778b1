/** A recorded game by deals and tricks: contents, limits, and the names of moments. Pure. */

import type { EventBase, GameEvent } from "./events";
import { type Play, sideOf, type Table } from "./table";

/** A trick: positions (index of the event) of its first card and of its taking. */
export interface TrickMark {
  first: number;
  end: number;
  /** The side that took the trick; null if unknown. */
  side: number | null;
  seat: number | null;
  points: number | null;
  marked: boolean;
  /** The cards of the trick. */
  plays: readonly Play[];
}

export interface DealMark {
  deal: number;
  begin: number;
  /** The first shown position: all hands are dealt, and nothing is announced. */
  start: number;
  end: number;
  tricks: TrickMark[];
  /** The deal was scored or annulled, or its result was recorded. */
  over: boolean;
  marked: boolean;
}

/** Events before the first shown position. */
export const SILENT = ["hand_dealt", "hand_taken_up", "extra_dealt", "table_dealt"];
const OPENING = ["game_started", "deal_started", ...SILENT, "talon_dealt", "trump_turned"];
const BEGINS = ["deal_started", "result_entered"];
const NOTABLE = ["infraction_found", "ruling_made"];

/** `pictures[i]` is the table after `events[i]`. Cancelled slips make no trick: the last table of a deal decides. */
export function dealsOf(events: readonly EventBase[], pictures: readonly Table[]): DealMark[] {
  const begins = events.flatMap((event, at) => (BEGINS.includes(event.type) ? [at] : []));
  return begins.map((at, index) => {
    const end = (begins[index + 1] ?? events.length) - 1;
    const table = pictures[end]!;
    const first = pictures[at]!;
    const begun = events[at] as GameEvent & { deal: number };
    let start = at;
    while (start < end && OPENING.includes(events[start + 1]!.type)) start += 1;
    const faults = events.slice(at, end + 1).flatMap((event) => (NOTABLE.includes(event.type) ? [(event as { at_seq?: number }).at_seq ?? event.seq] : []));
    const tricks = table.deal === first.deal ? table.tricks.map((trick) => markOf(events, table, trick, faults)) : [];
    const over = events[at]!.type === "result_entered" || table.rows.some((row) => row.deal === begun.deal);
    return { deal: begun.deal, begin: at, start, end, tricks, over, marked: faults.length > 0 };
  });
}

function markOf(events: readonly EventBase[], table: Table, trick: Table["tricks"][number], faults: readonly number[]): TrickMark {
  const place = (seq: number): number => seq - events[0]!.seq;
  const first = place(trick.plays[0]?.seq ?? trick.seq);
  const side = trick.taker === null ? null : sideOf(table, trick.taker);
  const marked = trick.plays.some((play: Play) => faults.includes(play.seq));
  return { first, end: place(trick.seq), side, seat: trick.taker, points: trick.points, marked, plays: trick.plays };
}

/** The place of a moment: its deal (−1: before the first), and the current or last taken trick (−1: none). */
export function placeOf(deals: readonly DealMark[], at: number): { deal: number; trick: number } {
  const deal = deals.filter((one) => one.begin <= at).length - 1;
  return { deal, trick: (deals[deal]?.tricks ?? []).filter((one) => one.first <= at).length - 1 };
}

/** Whether a card of the same deal follows a moment, so that an alternative card can be tried. */
export function cardFollows(events: readonly EventBase[], at: number): boolean {
  const next = events.slice(at + 1).find(({ type }) => ["card_played", "melds_declared", "deal_started", "deal_scored", "deal_annulled"].includes(type));
  return next !== undefined && !next.type.startsWith("deal_");
}

/** One step by card; unremarkable events, such as a dealt hand, are skipped. */
export function step(events: readonly EventBase[], from: number, by: 1 | -1): number {
  let at = from + by;
  while (at > 0 && at < events.length - 1 && SILENT.includes(events[at]!.type)) at += by;
  return Math.max(0, Math.min(events.length - 1, at));
}

/** The nearest of `places` after (`by` 1) or before (−1) a position; the position itself if there is none. */
export function jump(places: readonly number[], from: number, by: 1 | -1): number {
  return (by === 1 ? places.find((at) => at > from) : places.filter((at) => at < from).pop()) ?? from;
}

/** Parse `#seq=17`, the position of a page, to 17; anything else to null. */
export function seqOf(hash: string): number | null {
  const found = /^#seq=(\d{1,7})$/.exec(hash);
  return found ? Number(found[1]) : null;
}

/** Parse `#deal=4`, a link to the beginning of a deal, to 4; anything else to null. */
export function dealOf(hash: string): number | null {
  const found = /^#deal=(\d{1,3})$/.exec(hash);
  return found ? Number(found[1]) : null;
}

/** Parse `?at=17`, a link to a moment, to 17; anything else to null. The server sees it too, for the link's picture. */
export function askedFor(query: string): number | null {
  const at = new URLSearchParams(query).get("at") ?? "";
  return /^\d{1,7}$/.test(at) ? Number(at) : null;
}
