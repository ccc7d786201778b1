/** A recorded game by deals and tricks: what stands in it, where each begins and ends, and what a moment is called. Pure. */

import type { EventBase, GameEvent } from "./events";
import { type Play, sideOf, type Table } from "./table";

/** A trick: positions (index of the event) of its first card and of its taking. */
export interface TrickMark {
  first: number;
  end: number;
  /** The side that took it; null: nobody knows. */
  side: number | null;
  seat: number | null;
  points: number | null;
  marked: boolean;
  /** The cards of it. */
  plays: readonly Play[];
}

export interface DealMark {
  deal: number;
  begin: number;
  /** From which position on it is looked at: all hands are dealt, nobody has spoken. */
  start: number;
  end: number;
  tricks: TrickMark[];
  /** It was scored, annulled, or its result written down. */
  over: boolean;
  marked: boolean;
}

/** What comes before the first thing to look at. */
export const SILENT = ["hand_dealt", "hand_taken_up", "extra_dealt", "table_dealt"];
const OPENING = ["game_started", "deal_started", ...SILENT, "talon_dealt", "trump_turned"];
const BEGINS = ["deal_started", "result_entered"];
const NOTABLE = ["infraction_found", "ruling_made"];

/** `pictures[i]` is the table after `events[i]`. Slips that were taken back make no trick: the last picture of a deal says what counts. */
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

/** Where a moment lies: the deal it belongs to (−1: before the first), and the trick that lies or was taken last (−1: none). */
export function placeOf(deals: readonly DealMark[], at: number): { deal: number; trick: number } {
  const deal = deals.filter((one) => one.begin <= at).length - 1;
  return { deal, trick: (deals[deal]?.tricks ?? []).filter((one) => one.first <= at).length - 1 };
}

/** Whether a card of the same deal follows a moment: then another one could be tried there. */
export function cardFollows(events: readonly EventBase[], at: number): boolean {
  const next = events.slice(at + 1).find(({ type }) => ["card_played", "melds_declared", "deal_started", "deal_scored", "deal_annulled"].includes(type));
  return next !== undefined && !next.type.startsWith("deal_");
}

/** One step by card: what nobody would mention (a hand being dealt) is passed over. */
export function step(events: readonly EventBase[], from: number, by: 1 | -1): number {
  let at = from + by;
  while (at > 0 && at < events.length - 1 && SILENT.includes(events[at]!.type)) at += by;
  return Math.max(0, Math.min(events.length - 1, at));
}

/** The nearest of `places` after (`by` 1) or before (−1) a position; the position itself where there is none. */
export function jump(places: readonly number[], from: number, by: 1 | -1): number {
  return (by === 1 ? places.find((at) => at > from) : places.filter((at) => at < from).pop()) ?? from;
}

/** `#seq=17` → 17, as a page keeps where it is; anything else → null. */
export function seqOf(hash: string): number | null {
  const found = /^#seq=(\d{1,7})$/.exec(hash);
  return found ? Number(found[1]) : null;
}

/** `#deal=4` → 4, as a link leads to where a deal begins; anything else → null. */
export function dealOf(hash: string): number | null {
  const found = /^#deal=(\d{1,3})$/.exec(hash);
  return found ? Number(found[1]) : null;
}

/** `?at=17` → 17, as a link leads to a moment: the server sees it, for the picture of the link; anything else → null. */
export function askedFor(query: string): number | null {
  const at = new URLSearchParams(query).get("at") ?? "";
  return /^\d{1,7}$/.test(at) ? Number(at) : null;
}
