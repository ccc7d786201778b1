/** The state of a table beside the watched one, as far as a thumbnail shows it. Pure: an event in, a new glimpse out. */

import type { Code } from "../table/cards";
import type { EventBase, GameEvent } from "../table/events";

/** The running deal's points as rendered with the page, and the data to continue them. */
export interface Running {
  /** null: unknown until the next deal. */
  points: readonly number[] | null;
  /** Side by seat. */
  sides: readonly number[];
  factor: number;
  /** By slot, or by contract in games without slots. */
  factors: Readonly<Record<string, number>>;
  /** Whether only the declarer scores. */
  chooserOnly: boolean;
  chooser: number | null;
}

export interface Glimpse {
  /** The last included event. */
  seq: number;
  /** Seat → card, null for an unknown one; a trick stays until the next one begins. */
  trick: ReadonlyMap<number, Code | null>;
  taken: boolean;
  /** New values; null while the rendered ones hold. */
  deal: number | null;
  totals: readonly (number | null)[] | null;
  running: Running | null;
}

/** Events whose effect on a thumbnail only the server knows. */
const TOLD_BY_THE_PAGE = new Set(["auction_won", "deal_annulled", "game_closed", "game_ended", "game_resumed", "result_confirmed", "result_corrected", "result_entered", "ruling_made", "taken_back"]);

/** The glimpse after the events; null if the page has to be reloaded. */
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

/** The points of a side with the deal's factor; unknown if any part is. */
function gained(glimpse: Glimpse, side: number | null, points: number | null): Glimpse {
  const { running } = glimpse;
  if (running === null || running.points === null) return glimpse;
  if (side === null || points === null) return run(glimpse, { points: null });
  if (running.chooserOnly && (running.chooser === null || running.sides[running.chooser] !== side)) return glimpse;
  return run(glimpse, { points: running.points.map((sum, at) => (at === side ? sum + running.factor * points : sum)) });
}
