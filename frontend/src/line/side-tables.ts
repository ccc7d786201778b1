/** A table beside the one that is watched, as much of it as a thumbnail shows. Pure: an event goes in, a new glimpse comes out. */

import type { Code } from "../table/cards";
import type { EventBase, GameEvent } from "../table/events";

export interface Glimpse {
  /** Of the last event that is in it. */
  seq: number;
  /** Seat → card, null for one that nobody knows; a trick lies until the next one begins. */
  trick: ReadonlyMap<number, Code | null>;
  taken: boolean;
  /** What is said anew: the page shows what it was given until then. */
  deal: number | null;
  totals: readonly (number | null)[] | null;
}

/** What a thumbnail says of these only the server knows. */
const TOLD_BY_THE_PAGE = new Set(["deal_annulled", "game_closed", "game_ended", "game_resumed", "result_confirmed", "result_corrected", "result_entered", "ruling_made", "taken_back"]);

/** The glimpse after all of them; null where the page has to be asked: something is missing, or is told there. */
export function goneOn(before: Glimpse, events: readonly EventBase[]): Glimpse | null {
  let glimpse: Glimpse | null = before;
  for (const event of events) {
    if (glimpse === null || event.seq > glimpse.seq + 1 || TOLD_BY_THE_PAGE.has(event.type)) return null;
    if (event.seq === glimpse.seq + 1) glimpse = { ...after(glimpse, event as GameEvent), seq: event.seq };
  }
  return glimpse;
}

function after(glimpse: Glimpse, event: GameEvent): Glimpse {
  switch (event.type) {
    case "card_played":
      return { ...glimpse, taken: false, trick: new Map([...(glimpse.taken ? [] : glimpse.trick), [event.seat, event.card as Code | null]]) };
    case "trick_taken":
      return { ...glimpse, taken: true };
    case "deal_started":
      return { ...glimpse, taken: false, trick: new Map(), deal: event.deal };
    case "deal_scored":
      return { ...glimpse, totals: event.totals };
    default:
      return glimpse;
  }
}
