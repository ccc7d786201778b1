/** Questions about a hand: whether Stöck may be declared, the next seat, the winning card. */

import { type Code, rankOf, suitOf, trumpHeight, trumpOf } from "./cards";
import type { EventBase } from "./events";
import type { Table } from "./table";

/** Whether the card completes an undeclared Stöck, whose other card the seat has played. */
export function stoeckWith(table: Table, seat: number, card: Code): boolean {
  const trump = trumpOf(table.contract);
  if (trump === null || suitOf(card) !== trump) return false;
  if (table.stoeck.some((declared) => declared.seat === seat)) return false;
  const other = rankOf(card) === "K" ? `${trump}Q` : rankOf(card) === "Q" ? `${trump}K` : null;
  if (other === null) return false;
  return table.tricks.some((trick) => trick.plays.some((play) => play.seat === seat && play.card === other));
}

/** The seat that has played king and queen of trumps in this deal without declaring the Stöck, and the event of the second. */
export function undeclaredStoeck(table: Table): { seat: number; seq: number } | null {
  const trump = trumpOf(table.contract);
  if (trump === null || !table.options["stoeck"]) return null;
  const plays = [...table.tricks.flatMap((trick) => trick.plays), ...table.trick].filter(({ card }) => card === `${trump}K` || card === `${trump}Q`);
  const [first, second] = plays;
  if (first === undefined || second === undefined || first.seat !== second.seat) return null;
  const { seat } = first;
  const late = table.infractions.some((found) => found.deal === table.deal && found.seat === seat && found.code === "stoeck_late");
  return late || table.stoeck.some((declared) => declared.seat === seat) ? null : { seat, seq: second.seq };
}

/** The next seat by the tricks alone: for a replay, without a server. */
export function nextSeat(table: Table): number | null {
  if (table.seats === 0 || table.winners !== null || table.closed !== null) return null;
  const last = table.trick[table.trick.length - 1];
  if (last !== undefined) return (last.seat + 1) % table.seats;
  const trick = table.tricks[table.tricks.length - 1];
  if (trick !== undefined) return table.sizes.some((size) => size > 0) || table.laid.piles.flat().some((pile) => pile.open !== null) ? trick.taker : null;
  if (table.dealer === null) return null;
  const forehand = (table.dealer + 1) % table.seats;
  if (table.contract === null && table.pushed.length > 0) return (forehand + table.seats / 2) % table.seats;
  return forehand;
}

/** Events by which a seat acts in its turn. */
const ACTS = [
  ...["pushed", "contract_set", "bid_made", "bid_deferred", "bid_passed", "cards_discarded", "deal_conceded", "deal_accepted"],
  ...["prediction_made", "extra_exchanged", "extra_kept", "melds_declared", "card_played"],
];

/** The seat in turn in a recorded game: the next seat that acted, if any did before the next deal. */
export function actingBefore(events: readonly EventBase[], at: number, table: Table): number | null {
  for (const event of events.slice(at + 1)) {
    const { seat } = event as EventBase & { seat?: number | null };
    if (ACTS.includes(event.type) && typeof seat === "number") return seat;
    if (event.type === "deal_started" || event.type === "game_ended") return null;
  }
  return nextSeat(table);
}

/** The winning card of the trick so far, by its place in the trick; −1 if unknown. */
export function winningPlay(table: Table): number {
  const trump = trumpOf(table.contract);
  const up = table.contract?.endsWith("undenufe") ?? false;
  let best = -1;
  let strength = -1;
  const led = table.trick[0]?.card ?? null;
  if (led === null || table.trick.some((play) => play.card === null)) return -1;
  // In slalom and guschti the direction changes by trick. Tricks are not counted here, so no card is marked.
  if (table.contract?.includes("-")) return -1;
  const order = ["6", "7", "8", "9", "10", "J", "Q", "K", "A"];
  table.trick.forEach((play, index) => {
    const card = play.card as Code;
    let value = -1;
    if (suitOf(card) === trump) value = 100 + trumpHeight(card);
    else if (suitOf(card) === suitOf(led)) value = up ? 9 - order.indexOf(rankOf(card)) : 1 + order.indexOf(rankOf(card));
    if (value > strength) {
      strength = value;
      best = index;
    }
  });
  return best;
}
