/** The table of a page's fold, for tests/frontend/test_browser_fold.py: pictures.py has the engine's in the same format. */

import type { EventBase } from "../../../frontend/src/table/events";
import { predictionsOf } from "../../../frontend/src/table/calls";
import { linesOf, penaltiesOf } from "../../../frontend/src/sheets/sheet-lines";
import { EMPTY, reduce, type Table, type Trick } from "../../../frontend/src/table/table";

const known = <T>(cards: readonly (T | null)[] | null): T[] | null => {
  const seen = (cards ?? []).filter((card): card is T => card !== null).sort();
  return seen.length > 0 ? seen : null;
};
const plays = (trick: Pick<Trick, "plays">): (number | string | null)[][] => trick.plays.map(({ seat, card }) => [seat, card]);

/** null if open cards before a seat are unknown: an unknown played card may be one of them. */
function sizeOf(table: Table, seat: number): number | null {
  return (table.laid.piles[seat] ?? []).some((pile) => pile.open === null && !pile.bare) ? null : (table.sizes[seat] ?? 0);
}

function picture(table: Table): object {
  const seats = [...Array(table.seats).keys()];
  const { calls, laid } = table;
  return {
    seq: table.seq,
    seats: table.seats,
    sides: table.sides,
    mode: table.mode,
    deal: table.deal,
    dealer: table.dealer,
    contract: table.contract,
    chooser: table.chooser,
    slot: table.slot,
    pushed: table.pushed,
    auction: [table.declarer, table.bid, table.wonIn],
    hands: seats.map((seat) => [known(table.hands[seat] ?? null), sizeOf(table, seat), table.faceDown[seat] ?? false]),
    piles: seats.map((seat) => (laid.piles[seat] ?? []).map((pile) => [pile.open, pile.closed])),
    talon: laid.talon && [known(laid.talon.open), laid.talon.closed + laid.talon.open.filter((card) => card === null).length],
    turned: laid.turned && [laid.turned.named, laid.turned.seat],
    away: laid.away && [laid.away.size, laid.away.points],
    extra: seats.map((seat) => laid.extra[seat] ?? 0),
    exchanged: laid.exchanged,
    bids: calls.bids.map((bid) => [bid.seat, bid.points]),
    passed: calls.passed,
    deferred: calls.deferred,
    conceded: calls.conceded,
    predictions: seats.map((seat) => calls.predictions[seat] ?? null).map((said) => said && [said.points]),
    all_predicted: predictionsOf(table),
    trick: plays({ plays: [...table.trick] }),
    tricks: table.tricks.map((trick) => [trick.taker, trick.points, plays(trick)]),
    taken: table.taken,
    declared: table.declared.map((said) => [said.seat, said.declared.map((meld) => [meld.points, meld.top ?? null])]),
    melds: table.meldPoints.map((meld) => [meld.side, meld.points]),
    stoeck: table.stoeck.map((said) => [said.seat, said.points]),
    deals: table.rows.map((row) => [row.deal, row.contract, row.chooser, row.slot, row.cardPoints, row.scores, row.annulled]),
    predicted: table.rows.map((row) => row.predictions),
    results: linesOf(table).map(({ row, stands }) => [row.seq, row.deal, row.side, row.confirmed, stands, row.changedSeq]),
    sheet: table.mode === "sheet" ? [linesOf(table).map(({ scores }) => scores), penaltiesOf(table)] : null,
    totals: table.totals,
    ties: table.ties,
    payments: table.payments ?? [],
    infractions: table.infractions.map((found) => [found.deal, found.seat, found.trick, found.code, found.atSeq]),
    rulings: table.rulings.map((ruling) => ruling.ruling),
    winners: table.winners ?? [],
    closed: table.closed !== null,
    past: table.past.map((past) => [past.seq, past.type]),
  };
}

/** After each event. */
export function picturesOf(events: readonly EventBase[]): object[] {
  let table = EMPTY;
  return events.map((event) => {
    table = reduce(table, event);
    return picture(table);
  });
}
