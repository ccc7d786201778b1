/** The places one jumps to in a recorded game. Pure. */

import type { EventBase, GameEvent } from "./events";

export interface Moments {
  /** Positions (index of the event) at which a deal begins, with its number. */
  deals: { at: number; deal: number }[];
  /** Positions of completed tricks. */
  tricks: number[];
  infractions: number[];
  rulings: number[];
}

export function momentsOf(events: readonly EventBase[]): Moments {
  const moments: Moments = { deals: [], tricks: [], infractions: [], rulings: [] };
  events.forEach((event, at) => {
    const e = event as GameEvent;
    if (e.type === "deal_started") moments.deals.push({ at, deal: e.deal });
    else if (e.type === "result_entered") moments.deals.push({ at, deal: e.deal });
    else if (e.type === "trick_taken") moments.tricks.push(at);
    else if (e.type === "infraction_found") moments.infractions.push(at);
    else if (e.type === "ruling_made") moments.rulings.push(at);
  });
  return moments;
}

/** The nearest of `places` after (`step` 1) or before (−1) a position; the position itself where there is none. */
export function jump(places: readonly number[], from: number, step: 1 | -1): number {
  const found = step === 1 ? places.find((at) => at > from) : [...places].reverse().find((at) => at < from);
  return found ?? from;
}

/** `#seq=17` → 17; anything else → null. */
export function seqOf(hash: string): number | null {
  const found = /^#seq=(\d{1,7})$/.exec(hash);
  return found ? Number(found[1]) : null;
}
