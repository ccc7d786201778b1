/** A short hand-written game as sent to a spectator: Anna, Beat, Chiara, Dario at seats 0 to 3. */

import type { GameEvent } from "../../../frontend/src/table/events";

type Body = { type: string } & Record<string, unknown>;

export function numbered(bodies: readonly Body[], first = 0): GameEvent[] {
  return bodies.map((body, index) => ({ ...body, seq: first + index }) as unknown as GameEvent);
}

export const START: Body = {
  type: "game_started",
  variant: "schieber",
  seats: 4,
  sides: 2,
  mode: "dealt",
  options: { deals: 8, melds: false, stoeck: true },
  rules_version: 1,
};

export const DEALT: Body[] = [
  { type: "deal_started", deal: 1, dealer: 3 },
  ...[0, 1, 2, 3].map((seat) => ({ type: "hand_dealt", seat, size: 9, cards: null })),
];

export const NAMED: Body[] = [
  { type: "pushed", seat: 0 },
  { type: "contract_set", seat: 2, contract: "hearts" },
];

export const play = (seat: number, card: string | null): Body => ({ type: "card_played", seat, card });

export const TRICK: Body[] = [
  play(0, "HJ"),
  play(1, "H6"),
  play(2, "H9"),
  play(3, "HK"),
  { type: "trick_taken", seat: 0, points: 38 },
];

export const GAME = numbered([START, ...DEALT, ...NAMED, ...TRICK, play(0, "SA")]);
