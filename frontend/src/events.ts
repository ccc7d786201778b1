/** What comes over the wire: events (past tense, `seq` without gaps) and frames. The names are the engine's. */

import type { Code } from "./cards";
import type { Field } from "./score-entry";

export interface EventBase {
  seq: number;
  type: string;
}

type Of<T extends string, F> = { seq: number; type: T } & F;

export interface Declared {
  points: number;
  /** null: not said. */
  top: Code | null;
}

export interface Shown {
  seat: number;
  cards: Code[];
  points: number;
}

export interface ResultFields {
  seat: number;
  side: number;
  deal: number;
  card_points: number[];
  scores: number[];
  totals: number[];
  contract?: string | null;
  slot?: string | null;
  chooser?: number | null;
  bid?: number | null;
  predictions?: number[] | null;
  took_trick?: number[] | null;
  dealer?: number | null;
  sweep?: number | null;
  stoeck?: number | null;
  stoeck_points?: number | null;
  melds?: number[] | null;
  ties?: number[][] | null;
  by_hand?: boolean;
}

export interface RulingFields {
  ruling: number;
  kind: string;
  reason: string;
  scores: (number | null)[] | null;
  totals: number[];
  scores_before?: (number | null)[] | null;
  totals_before?: number[] | null;
  deal?: number | null;
  trick?: number | null;
  against?: number | null;
  replaces?: number | null;
  article?: string | null;
  points?: number | null;
  winners?: number[] | null;
}

/** The events this page knows how to show; others are kept and passed over. */
export type GameEvent =
  | Of<"game_started", { variant: string; seats: number; sides: number; options: Record<string, unknown>; mode: string }>
  | Of<"deal_started", { deal: number; dealer: number; place?: number | null }>
  | Of<"hand_dealt", { seat: number; size: number; cards: Code[] | null; face_down?: boolean }>
  | Of<"hand_taken_up", { seat: number; cards: Code[] | null }>
  | Of<"talon_dealt", { open: Code[]; size: number; closed: Code[] | null }>
  | Of<"talon_taken", { seat: number; cards: Code[] | null }>
  | Of<"cards_discarded", { seat: number; size: number; cards: Code[] | null }>
  | Of<"discards_counted", { seat: number; points: number | null }>
  | Of<"extra_dealt", { seat: number; size: number; cards: Code[] | null }>
  | Of<"extra_exchanged", { seat: number; size: number; given: Code[] | null; taken: Code[] | null }>
  | Of<"extra_kept", { seat: number }>
  | Of<"trump_turned", { card: Code; seat?: number | null }>
  | Of<"turned_taken", { seat: number; six: Code; card: Code }>
  | Of<"table_dealt", { seat: number; open: Code[]; size: number; closed: Code[] | null }>
  | Of<"table_card_turned", { seat: number; card: Code }>
  | Of<"bid_made", { seat: number; points: number }>
  | Of<"bid_deferred" | "bid_passed", { seat: number }>
  | Of<"auction_won", { seat: number; points: number }>
  | Of<"auction_failed", object>
  | Of<"deal_conceded", { seat: number; points: number }>
  | Of<"deal_accepted", { seat: number }>
  | Of<"prediction_made", { seat: number; points: number | null; sealed?: boolean }>
  | Of<"predictions_revealed", { points: number[] }>
  | Of<"deal_stopped", { seat: number }>
  | Of<"suit_barred", { seat: number; suit: string }>
  | Of<"pushed", { seat: number }>
  | Of<"contract_set", { contract: string | null; seat?: number | null; slot?: string | null }>
  | Of<"melds_declared", { seat: number; declared: Declared[]; melds: Code[][] | null; counts?: boolean; apart?: boolean }>
  | Of<"melds_shown", { seat: number; melds: Code[][] }>
  | Of<"card_played", { seat: number; card: Code | null }>
  | Of<"stoeck_declared", { seat: number; points: number; counts?: boolean; apart?: boolean }>
  | Of<"melds_scored", { side: number | null; points: number | null; shown: Shown[] }>
  | Of<"trick_taken", { seat: number | null; points: number | null }>
  | Of<"infraction_found", { seat: number; trick: number; code: string; at_seq: number; proof_seq?: number | null }>
  | Of<"out_claimed", { seat: number; right: boolean }>
  | Of<
      "deal_scored",
      { deal: number; card_points: (number | null)[]; scores: (number | null)[]; totals: number[]; ties?: number[][] | null }
    >
  | Of<"game_ended", { winners: number[]; totals: number[]; payments?: number[] | null }>
  | Of<"ruling_made", RulingFields>
  | Of<"deal_annulled", { deal: number }>
  | Of<"game_closed", { reason: string }>
  | Of<"result_entered", ResultFields>
  | Of<"result_corrected", ResultFields & { replaces: number; rescored?: { deal: number; scores: number[]; ties: number[][] }[] | null }>
  | Of<"taken_back", { to: number }>
  | Of<"result_confirmed", { seat: number; side: number; deal: number }>;

export interface Turn {
  seat: number | null;
  phase: string;
  commands: string[];
}

/** What rides along with events: whose turn it is and, for a seat, what it may do. */
export interface Prompt {
  turn?: Turn | null;
  legal?: string;
  /** A digit a card in deck order: why it may not be played; 0 where it may, or is not held. */
  why_not?: string;
  own_commands?: string[];
  /** By seat: what may be said now whoever has the turn; a seat is told of its own. */
  beside?: string[][];
  /** Of a score sheet: the fields of the next two deals. */
  forms?: Field[][];
}

export type Frame =
  | ({ kind: "events"; game: string; seq: number; events: EventBase[] } & Prompt)
  | { kind: "ack"; command_id: string; seq: number }
  | { kind: "error"; command_id: string | null; code: string; detail: string; params?: Record<string, unknown> }
  | { kind: "resync"; seq: number }
  | { kind: "heartbeat"; seq: number };
