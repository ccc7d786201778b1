/** A table beside the one that is watched, as much of it as a thumbnail shows. Pure: an event goes in, a new glimpse comes out. */

import type { Code } from "../table/cards";
import type { EventBase, GameEvent } from "../table/events";

/** What the running deal has brought the sides, as the page was given it, and by what it goes on. */
export interface Running {
  /** null: it is not known here before the next deal. */
  points: readonly number[] | null;
  /** Side by seat. */
  sides: readonly number[];
  factor: number;
  /** By slot, or by contract where there are none. */
  factors: Readonly<Record<string, number>>;
  /** Where nobody else scores: who chose the contract. */
  chooserOnly: boolean;
  chooser: number | null;
}

export interface Glimpse {
  /** Of the last event that is in it. */
  seq: number;
  /** Seat → card, null for one that nobody knows; a trick lies until the next one begins. */
  trick: ReadonlyMap<number, Code | null>;
  taken: boolean;
  /** What is said anew: the page shows what it was given until then. */
  deal: number | null;
  totals: readonly (number | null)[] | null;
  running: Running | null;
}

/** What a thumbnail says of these only the server knows. */
const TOLD_BY_THE_PAGE = new Set(["auction_won", "deal_annulled", "game_closed", "game_ended", "game_resumed", "result_confirmed", "result_corrected", "result_entered", "ruling_made", "taken_back"]);

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
      return { ...gained(glimpse, sideIn(glimpse, event.seat), event.points), taken: true };
    case "melds_scored":
      return gained(glimpse, event.side, event.points);
    case "stoeck_declared":
      return event.counts === false ? glimpse : gained(glimpse, sideIn(glimpse, event.seat), event.points);
    case "discards_counted":
      return gained(glimpse, sideIn(glimpse, event.seat), event.points);
    case "contract_set":
      return run(glimpse, { factor: glimpse.running?.factors[event.slot ?? event.contract ?? ""] ?? 1, chooser: event.seat ?? null });
    case "deal_started":
      return run({ ...glimpse, taken: false, trick: new Map(), deal: event.deal }, { points: noughts(glimpse), factor: 1, chooser: null });
    case "deal_scored":
      return run({ ...glimpse, totals: event.totals }, { points: noughts(glimpse) });
    default:
      return glimpse;
  }
}

const noughts = ({ running }: Glimpse): number[] => Array<number>(Math.max(0, ...(running?.sides ?? [])) + 1).fill(0);
const run = (glimpse: Glimpse, changed: Partial<Running>): Glimpse => (glimpse.running === null ? glimpse : { ...glimpse, running: { ...glimpse.running, ...changed } });
const sideIn = ({ running }: Glimpse, seat: number | null): number | null => (seat === null ? null : (running?.sides[seat] ?? null));

/** What counts for a side, with the factor of the deal. Once something is not known, the sum is not. */
function gained(glimpse: Glimpse, side: number | null, points: number | null): Glimpse {
  const { running } = glimpse;
  if (running === null || running.points === null) return glimpse;
  if (side === null || points === null) return run(glimpse, { points: null });
  if (running.chooserOnly && (running.chooser === null || running.sides[running.chooser] !== side)) return glimpse;
  return run(glimpse, { points: running.points.map((sum, at) => (at === side ? sum + running.factor * points : sum)) });
}
