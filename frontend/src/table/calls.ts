/** Announcements: bids, predictions, concessions, stops, claims. Pure. */

import type { GameEvent } from "./events";
import type { Table } from "./table";

export interface Calls {
  bids: readonly { seat: number; points: number }[];
  deferred: readonly number[];
  passed: readonly number[];
  conceded: number | null;
  /** The seat that ended the deal because it had enough points. */
  stopped: number | null;
  /** The seat that claimed to be out, and whether the claim was right. */
  claimed: { seat: number; right: boolean } | null;
  /** By seat: null without a prediction, `points` null if it is secret to the reader. */
  predictions: readonly ({ points: number | null } | null | undefined)[];
}

export const NOTHING_SAID: Calls = { bids: [], deferred: [], passed: [], conceded: null, stopped: null, claimed: null, predictions: [] };

const call = (table: Table, calls: Partial<Calls>): Table => ({ ...table, calls: { ...table.calls, ...calls } });

/** The last announcement of a seat in the auction, for a tag beside its name. */
export function lastWord(table: Table, seat: number): { key: "passed" | "deferred" } | { key: "bid"; points: number } | null {
  const { bids, passed, deferred } = table.calls;
  if (passed.includes(seat)) return { key: "passed" };
  const own = bids.filter((bid) => bid.seat === seat).pop();
  if (own !== undefined) return { key: "bid", points: own.points };
  return deferred.includes(seat) ? { key: "deferred" } : null;
}

/** The known predictions by seat; null without any. */
export function predictionsOf(table: Table): (number | null)[] | null {
  if (!table.calls.predictions.some(Boolean)) return null;
  return Array.from({ length: table.seats }, (_, seat) => table.calls.predictions[seat]?.points ?? null);
}

/** The table after one of these events; null for any other event. */
export function said(table: Table, event: GameEvent): Table | null {
  const { calls } = table;
  switch (event.type) {
    case "bid_made":
      return call(table, { bids: [...calls.bids, { seat: event.seat, points: event.points }] });
    case "bid_deferred":
      return call(table, { deferred: [...calls.deferred, event.seat] });
    case "bid_passed":
      return call(table, { passed: [...calls.passed, event.seat] });
    case "auction_won":
      return { ...table, declarer: event.seat, bid: event.points, wonIn: table.deal };
    case "deal_conceded":
      return call(table, { conceded: event.points });
    case "deal_stopped":
      return call(table, { stopped: event.seat });
    case "out_claimed":
      return call(table, { claimed: { seat: event.seat, right: event.right } });
    case "prediction_made": {
      const predictions = [...calls.predictions];
      predictions[event.seat] = { points: event.points };
      return call(table, { predictions });
    }
    case "predictions_revealed":
      return call(table, { predictions: event.points.map((points) => ({ points })) });
    default:
      return null;
  }
}
