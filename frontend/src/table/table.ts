/** The state of a table as a fold over events. Pure: an event goes in, a new table comes out. */

import { ACTS, FINAL, GOES_WITH, REMEDIES } from "../generated/tables";
import { type Calls, NOTHING_SAID, predictionsOf, said } from "./calls";
import type { Contract } from "../generated/types";
import type { Code } from "./cards";
import { laidOut, type LaidOut, liftedFrom, NOTHING_LAID } from "./laying-out";
import { rowOfResult } from "./sheet-rows";
import type { Declared, EventBase, GameEvent, ResultFields, RulingMade, Shown } from "./events";

export interface Play {
  seat: number;
  card: Code | null;
  seq: number;
}

export interface Trick {
  plays: Play[];
  taker: number | null;
  points: number | null;
  seq: number;
}

export interface DealRow {
  deal: number;
  contract: Contract | null;
  chooser: number | null;
  slot: string | null;
  predictions: (number | null)[] | null;
  cardPoints: (number | null)[];
  /** The scores recorded at the end of the deal, and the scores that count now. */
  recorded: (number | null)[];
  scores: (number | null)[];
  totals: number[];
  annulled: boolean;
  /** The ruling in force for the deal's score; `stands`: it needs no signature. */
  ruling?: number | null;
  stands?: boolean;
}

export interface SheetRow extends ResultFields {
  seq: number;
  confirmed: boolean;
  /** The last event that changed the deal's score. */
  changedSeq: number;
  /** The entry that this one replaced. */
  was: SheetRow | null;
}

/**
 * The table before an action, to which a transcript can be taken back; and before the close of a deal, which is
 * reopened when an event is recorded late.
 */
export interface Past {
  seq: number;
  type: string;
  before: Table;
}

export interface Infraction {
  seq: number;
  seat: number;
  deal: number;
  trick: number;
  code: string;
  atSeq: number;
}

export interface Table {
  /** The number of the last event folded; −1 before the first. */
  seq: number;
  seats: number;
  sides: number;
  mode: string;
  /** The sheet's entry mode, and its confirmation if no other side confirms. */
  sheet: { handIn: string; confirmation: string };
  options: Readonly<Record<string, unknown>>;
  deal: number;
  dealer: number | null;
  /** A player has dealt in another's place: from then on the game decides the dealer. */
  exchanged: boolean;
  contract: Contract | null;
  chooser: number | null;
  slot: string | null;
  pushed: readonly number[];
  /** The winner of the last auction, with the bid and the deal. */
  declarer: number | null;
  bid: number | null;
  wonIn: number;
  calls: Calls;
  laid: LaidOut;
  /** null: the hand is unknown to the reader. */
  hands: readonly (readonly Code[] | null)[];
  sizes: readonly number[];
  faceDown: readonly boolean[];
  trick: readonly Play[];
  tricks: readonly Trick[];
  /** The last completed trick, also after the next deal has begun. */
  lastTrick: Trick | null;
  declared: readonly { seat: number; declared: Declared[]; melds: Code[][] | null }[];
  shown: readonly Shown[];
  meldPoints: readonly { side: number; points: number }[];
  /** Melds were compared, and the record does not contain the winning side. */
  meldsOpen: boolean;
  stoeck: readonly { seat: number; points: number }[];
  /** Points in tricks of the running deal, per side; null once one of them is unknown. */
  taken: readonly (number | null)[];
  rows: readonly DealRow[];
  totals: readonly number[];
  /** Pairs of sides that tied for a place and are paid later. */
  ties: readonly (readonly number[])[];
  payments: readonly number[] | null;
  results: readonly SheetRow[];
  /** Scores of deals that a ruling on another deal has changed. */
  rescored: Readonly<Record<number, readonly number[]>>;
  infractions: readonly Infraction[];
  rulings: readonly RulingMade[];
  winners: readonly number[] | null;
  closed: string | null;
  /** Earlier states of a transcript, oldest first. */
  past: readonly Past[];
}

export const EMPTY: Table = {
  seq: -1,
  seats: 0,
  sides: 0,
  mode: "dealt",
  sheet: { handIn: "deals", confirmation: "paper" },
  options: {},
  deal: 0,
  dealer: null,
  exchanged: false,
  contract: null,
  chooser: null,
  slot: null,
  pushed: [],
  declarer: null,
  bid: null,
  wonIn: 0,
  calls: NOTHING_SAID,
  laid: NOTHING_LAID,
  hands: [],
  sizes: [],
  faceDown: [],
  trick: [],
  tricks: [],
  lastTrick: null,
  declared: [],
  shown: [],
  meldPoints: [],
  meldsOpen: false,
  stoeck: [],
  taken: [],
  rows: [],
  totals: [],
  ties: [],
  payments: null,
  results: [],
  rescored: {},
  infractions: [],
  rulings: [],
  winners: null,
  closed: null,
  past: [],
};

/** Whether one seat, determined by an auction, plays against all others. */
export const oneAgainstAll = (table: Table): boolean => table.sides > 0 && table.seats % table.sides !== 0;

/** The side of a seat: its own number if everyone plays alone, 0 for the seat that plays against all others. */
export function sideOf(table: Table, seat: number): number {
  if (oneAgainstAll(table)) return seat === table.declarer ? 0 : 1;
  return table.sides === 0 ? seat : seat % table.sides;
}

/** The side of a seat as far as known: the auction determines the seat that plays against all others. */
export const sideShown = (table: Table, seat: number): number | null => (table.sides === 0 || (oneAgainstAll(table) && table.declarer === null) ? null : sideOf(table, seat));

/** The winner of the auction for the running deal. */
export const declarerOf = (table: Table): number | null => (oneAgainstAll(table) || table.wonIn === table.deal ? table.declarer : null);

/** The seats of a side, in order. */
export function seatsOf(table: Table, side: number): number[] {
  return [...Array(table.seats).keys()].filter((seat) => sideOf(table, seat) === side);
}

/**
 * The number of tricks of the deal: the taken ones, and those for which players hold cards. A player before the
 * discard holds more cards than tricks.
 */
export function tricksOf(table: Table): number {
  const left = table.sizes.map((size, seat) => {
    const lying = (table.laid.piles[seat] ?? []).reduce((sum, pile) => sum + Number(pile.open !== null) + Number(pile.closed), 0);
    return size + lying + Number(table.trick.some((play) => play.seat === seat));
  });
  return table.tricks.length + (left.length > 0 ? Math.min(...left) : 0);
}

/**
 * A deal with its current score: by its last ruling that no later one replaces, otherwise as recorded. If an earlier
 * ruling is in force, or one that was made during the deal, no event contains the score; the totals are still right.
 */
function counting(row: DealRow, rulings: readonly RulingMade[], rescored: Table["rescored"]): DealRow {
  const replaced = rulings.map((ruling) => ruling.replaces);
  const last = rulings.filter((ruling) => ruling.deal === row.deal && REMEDIES.includes(ruling.kind) && !replaced.includes(ruling.ruling)).pop();
  const scores = rescored[row.deal] ?? last?.scores ?? row.recorded;
  return { ...row, scores: [...scores], ruling: last?.ruling ?? null, stands: last?.stands === true, annulled: last?.kind === "annul_deal" || last?.choice === "annul" };
}

const put = <T>(list: readonly T[], index: number, value: T): T[] => {
  const copy = [...list];
  copy[index] = value;
  return copy;
};

const fill = <T>(length: number, value: T): T[] => Array<T>(length).fill(value);

function newDeal(table: Table, deal: number, dealer: number, place?: number | null): Table {
  return {
    ...table,
    deal,
    dealer,
    exchanged: table.exchanged || (place ?? null) !== null,
    contract: null,
    chooser: null,
    slot: null,
    pushed: [],
    calls: NOTHING_SAID,
    laid: NOTHING_LAID,
    hands: fill(table.seats, null),
    sizes: fill(table.seats, 0),
    faceDown: fill(table.seats, false),
    trick: [],
    tricks: [],
    declared: [],
    shown: [],
    meldPoints: [],
    meldsOpen: false,
    stoeck: [],
    taken: fill(table.sides, 0),
  };
}

/** The seq of a sent card before the server's event. */
export const SENT = -1;

/** The table after a card. */
export function played(table: Table, seat: number, card: Code | null, seq: number): Table {
  const trick = [...table.trick, { seat, card, seq }];
  const lifted = liftedFrom(table, seat, card);
  if (lifted !== null) return { ...lifted, trick };
  const hand = table.hands[seat] ?? null;
  const size = table.sizes[seat] ?? 0;
  return {
    ...table,
    trick,
    hands: put(table.hands, seat, hand && hand.filter((held) => held !== card)),
    sizes: put(table.sizes, seat, Math.max(0, size - 1)),
  };
}

function taken(table: Table, seat: number | null, points: number | null, seq: number): Table {
  const side = seat === null ? null : sideOf(table, seat);
  const sums = table.taken.map((sum, index) => {
    if (points === null || side === null) return null;
    return index === side && sum !== null ? sum + points : sum;
  });
  const trick: Trick = { plays: [...table.trick], taker: seat, points, seq };
  return { ...table, trick: [], tricks: [...table.tricks, trick], lastTrick: trick, taken: sums };
}

function rowOf(table: Table, deal: number, scored: Pick<DealRow, "cardPoints" | "recorded" | "totals">): DealRow {
  const { contract, chooser, slot } = table;
  const row = { deal, contract, chooser, slot, predictions: predictionsOf(table), ...scored, scores: scored.recorded, annulled: false };
  return counting(row, table.rulings, table.rescored);
}

function result(table: Table, row: SheetRow, rescored: readonly { deal: number; scores: number[]; ties: number[][] }[] = []): Table {
  const others = table.results.filter((old) => old.deal !== row.deal).map((old) => {
    const now = rescored.find(({ deal }) => deal === old.deal);
    return now === undefined ? old : { ...old, ...now, changedSeq: row.seq };
  });
  const results = [...others, row].sort((a, b) => a.deal - b.deal);
  const overtaken = [row.deal, ...rescored.map(({ deal }) => deal)];
  const elsewhere = Object.fromEntries(Object.entries(table.rescored).filter(([deal]) => !overtaken.includes(Number(deal))));
  const won = results.filter((one) => typeof one.bid === "number").pop();
  const found = won === undefined ? {} : { declarer: won.chooser ?? null, bid: won.bid ?? null, wonIn: won.deal };
  const ties = results[results.length - 1]?.ties ?? table.ties;
  const rows = results.map((one) => counting(rowOfResult(one), table.rulings, elsewhere));
  return { ...table, ...found, results, rescored: elsewhere, rows, ties, totals: row.totals, deal: Math.max(table.deal, row.deal) };
}

/**
 * Earlier states to go back to, before an event is applied. The same as engine/ledger/saved_states.py, which
 * defines the events that are actions.
 */
function pastWith(table: Table, event: EventBase): readonly Past[] {
  if (table.mode !== "transcribed" || FINAL.includes(event.type)) return [];
  const apart = (event as { apart?: boolean }).apart ?? false;
  const acts = ACTS.includes(event.type) && ((event as { seat?: number | null }).seat ?? null) !== null;
  if (!(apart || acts || event.type === "deal_started" || event.type === "deal_scored")) return table.past;
  const last = table.past[table.past.length - 1];
  if (acts && last?.seq === event.seq - 1 && ["*", event.type].includes(GOES_WITH[last.type] ?? "")) return table.past;
  const kept = event.type === "deal_started" ? [] : table.past;
  return [...kept, { seq: event.seq, type: apart ? "" : event.type, before: { ...table, past: [] } }];
}

function takenBack(table: Table, to: number, seq: number): Table {
  const at = table.past.findIndex((past) => past.seq === to);
  const past = table.past[at];
  if (past === undefined) return table;
  const again = { seq, type: "taken_back", before: { ...table, past: [] } };
  return { ...past.before, past: past.type === "deal_scored" ? [...table.past, again] : table.past.slice(0, at) };
}

function step(table: Table, event: GameEvent): Table {
  switch (event.type) {
    case "game_started":
      return {
        ...EMPTY,
        seats: event.seats,
        sides: event.sides,
        options: event.options,
        mode: event.mode,
        sheet: { handIn: event.hand_in ?? "deals", confirmation: event.confirmation ?? "paper" },
        totals: fill(event.sides, 0),
        taken: fill(event.sides, 0),
      };
    case "deal_started":
      return newDeal(table, event.deal, event.dealer, event.place);
    case "hand_dealt":
      return {
        ...table,
        hands: put(table.hands, event.seat, event.cards),
        sizes: put(table.sizes, event.seat, event.size),
        faceDown: put(table.faceDown, event.seat, event.face_down ?? false),
      };
    case "hand_taken_up":
      return {
        ...table,
        hands: event.cards === null ? table.hands : put(table.hands, event.seat, event.cards),
        faceDown: put(table.faceDown, event.seat, false),
      };
    case "pushed":
      return { ...table, pushed: [...table.pushed, event.seat] };
    case "contract_set":
      return { ...table, contract: event.contract, chooser: event.seat ?? null, slot: event.slot ?? null };
    case "melds_declared":
      if (event.counts === false) return table;
      return {
        ...table,
        declared: [...table.declared, { seat: event.seat, declared: event.declared, melds: event.melds }],
      };
    case "card_played":
      return played(table, event.seat, event.card, event.seq);
    case "stoeck_declared":
      if (event.counts === false) return table;
      return { ...table, stoeck: [...table.stoeck, { seat: event.seat, points: event.points }] };
    case "melds_scored":
      return {
        ...table,
        shown: event.shown,
        meldsOpen: event.side === null || event.points === null,
        meldPoints: event.side === null || event.points === null ? [] : [{ side: event.side, points: event.points }],
      };
    case "trick_taken":
      return taken(table, event.seat, event.points, event.seq);
    case "infraction_found":
      return {
        ...table,
        infractions: [
          ...table.infractions,
          { seq: event.seq, seat: event.seat, deal: table.deal, trick: event.trick, code: event.code, atSeq: event.at_seq },
        ],
      };
    case "discards_counted": {
      const side = sideOf(table, event.seat);
      const points = event.points;
      const taken = table.taken.map((sum, index) => (index !== side ? sum : sum === null || points === null ? null : sum + points));
      return { ...(laidOut(table, event) ?? table), taken };
    }
    case "deal_scored": {
      const { card_points: cardPoints, scores, totals, ties } = event;
      const row = rowOf(table, event.deal, { cardPoints, recorded: scores, totals });
      return { ...table, totals, ties: ties ?? table.ties, rows: [...table.rows, row] };
    }
    case "ruling_made": {
      const rulings = [...table.rulings, event];
      const before = Object.fromEntries(Object.entries(table.rescored).filter(([deal]) => Number(deal) !== event.deal));
      const rescored = { ...before, ...Object.fromEntries((event.rescored ?? []).map(({ deal, scores }) => [deal, scores])) };
      const rows = table.rows.map((row) => counting(row, rulings, rescored));
      const winners = event.winners ?? table.winners;
      const replaced = table.rulings.find(({ ruling }) => ruling === event.replaces)?.deal;
      const touched = [event.deal, replaced, ...(event.rescored ?? []).map(({ deal }) => deal)];
      const results = table.results.map((row) => (touched.includes(row.deal) ? { ...row, changedSeq: event.seq } : row));
      return { ...table, rows, results, rescored, totals: event.totals, ties: event.ties ?? table.ties, winners, rulings };
    }
    case "deal_annulled": {
      if (table.rows.some((row) => row.deal === event.deal)) return table;
      const nothing = fill(table.sides, 0);
      return { ...table, rows: [...table.rows, rowOf(table, event.deal, { cardPoints: nothing, recorded: nothing, totals: [...table.totals] })] };
    }
    case "game_ended":
      return { ...table, winners: event.winners, totals: event.totals, payments: event.payments ?? null };
    case "game_closed":
      return { ...table, closed: event.reason };
    case "game_resumed":
      return { ...table, closed: null };
    case "result_entered":
      return result(table, { ...event, confirmed: typeof event.reason === "string", changedSeq: event.seq, was: null });
    case "result_corrected": {
      const was = table.results.find((row) => row.deal === event.deal) ?? null;
      const confirmed = was?.confirmed === true && typeof event.reason === "string";
      const entry = { ...event, confirmed, changedSeq: event.seq, was: was && { ...was, was: null } };
      const after = result(table, entry, event.rescored ?? []);
      return event.winners ? { ...after, winners: event.winners, payments: event.payments ?? null } : after;
    }
    case "taken_back":
      return takenBack(table, event.to, event.seq);
    case "result_confirmed":
      return {
        ...table,
        results: table.results.map((row) => (row.deal === event.deal ? { ...row, confirmed: true } : row)),
      };
    default:
      return laidOut(table, event) ?? said(table, event) ?? table;
  }
}

/** The table after one more event. Unknown events change only `seq`. */
export function reduce(table: Table, event: EventBase): Table {
  const past = pastWith(table, event);
  const next = step(table, event as GameEvent);
  return { ...next, seq: event.seq, past: event.type === "taken_back" ? next.past : past };
}

/** The table after many events. */
export function fold(events: readonly EventBase[], from: Table = EMPTY): Table {
  return events.reduce(reduce, from);
}
