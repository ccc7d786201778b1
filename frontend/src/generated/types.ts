/** Written by `python -m frontend.generated`: change what it is written from. */

export type Card = "C10" | "C6" | "C7" | "C8" | "C9" | "CA" | "CJ" | "CK" | "CQ" | "D10" | "D6" | "D7" | "D8" | "D9" | "DA" | "DJ" | "DK" | "DQ" | "H10" | "H6" | "H7" | "H8" | "H9" | "HA" | "HJ" | "HK" | "HQ" | "S10" | "S6" | "S7" | "S8" | "S9" | "SA" | "SJ" | "SK" | "SQ";
export type Suit = "clubs" | "diamonds" | "hearts" | "spades";
export type Contract = "clubs" | "diamonds" | "guschti-obenabe" | "guschti-undenufe" | "hearts" | "obenabe" | "slalom-obenabe" | "slalom-undenufe" | "spades" | "undenufe";
export type Mode = "dealt" | "sheet" | "transcribed";
export type RulingKind = "annul_deal" | "award_from_trick" | "bar_suit" | "card_powerless" | "penalty" | "score_change" | "short_hand" | "warning";
export type Choice = "annul" | "points";
export type Infraction = "meld_late" | "meld_not_held" | "not_allowed" | "not_in_hand" | "out_of_turn" | "revoke" | "stoeck_late" | "stoeck_not_held" | "undertrump" | "wrong_dealer";
export type Then = "again" | "never" | "patiently" | "reload";

export interface GameStarted {
  type: "game_started";
  seq: number;
  variant: string;
  seats: number;
  options: Record<string, unknown>;
  mode: Mode;
  sides: number;
  rules_version: number;
  won_before?: number | null;
  written_scores?: boolean;
  hand_in?: "deals" | "totals" | null;
  confirmation?: "other_side" | "paper" | "second_typing" | "silence";
  counting?: number;
  sweeps?: boolean;
  view?: string | null;
}

export interface DealStarted {
  type: "deal_started";
  seq: number;
  deal: number;
  dealer: number;
  place?: number | null;
}

export interface HandDealt {
  type: "hand_dealt";
  seq: number;
  seat: number;
  size: number;
  cards: Card[] | null;
  face_down?: boolean;
}

export interface HandTakenUp {
  type: "hand_taken_up";
  seq: number;
  seat: number;
  cards: Card[] | null;
}

export interface TalonDealt {
  type: "talon_dealt";
  seq: number;
  open: (Card | null)[];
  size: number;
  closed: Card[] | null;
}

export interface ExtraDealt {
  type: "extra_dealt";
  seq: number;
  seat: number;
  size: number;
  cards: Card[] | null;
}

export interface TableDealt {
  type: "table_dealt";
  seq: number;
  seat: number;
  open: (Card | null)[];
  size: number;
  closed: (Card | null)[] | null;
}

export interface TrumpTurned {
  type: "trump_turned";
  seq: number;
  card: Card;
  seat?: number | null;
}

export interface Pushed {
  type: "pushed";
  seq: number;
  seat: number;
}

export interface ContractSet {
  type: "contract_set";
  seq: number;
  contract: Contract | null;
  seat?: number | null;
  slot?: string | null;
}

export interface BidMade {
  type: "bid_made";
  seq: number;
  seat: number;
  points: number;
}

export interface BidDeferred {
  type: "bid_deferred";
  seq: number;
  seat: number;
}

export interface BidPassed {
  type: "bid_passed";
  seq: number;
  seat: number;
}

export interface AuctionWon {
  type: "auction_won";
  seq: number;
  seat: number;
  points: number;
}

export interface AuctionFailed {
  type: "auction_failed";
  seq: number;
}

export interface TalonTaken {
  type: "talon_taken";
  seq: number;
  seat: number;
  cards: Card[] | null;
}

export interface CardsDiscarded {
  type: "cards_discarded";
  seq: number;
  seat: number;
  size: number;
  cards: Card[] | null;
}

export interface DealConceded {
  type: "deal_conceded";
  seq: number;
  seat: number;
  points: number;
}

export interface DealAccepted {
  type: "deal_accepted";
  seq: number;
  seat: number;
}

export interface DiscardsCounted {
  type: "discards_counted";
  seq: number;
  seat: number;
  points: number | null;
}

export interface PredictionMade {
  type: "prediction_made";
  seq: number;
  seat: number;
  points: number | null;
  sealed?: boolean;
}

export interface PredictionsRevealed {
  type: "predictions_revealed";
  seq: number;
  points: (number | null)[];
}

export interface ExtraExchanged {
  type: "extra_exchanged";
  seq: number;
  seat: number;
  size: number;
  given: Card[] | null;
  taken: Card[] | null;
}

export interface ExtraKept {
  type: "extra_kept";
  seq: number;
  seat: number;
}

export interface TurnedTaken {
  type: "turned_taken";
  seq: number;
  seat: number;
  six: Card | null;
  card: Card | null;
}

export interface Declared {
  points: number;
  top?: Card | null;
}

export interface MeldsDeclared {
  type: "melds_declared";
  seq: number;
  seat: number;
  declared: Declared[];
  melds: Card[][] | null;
  counts?: boolean;
  apart?: boolean;
}

export interface MeldsShown {
  type: "melds_shown";
  seq: number;
  seat: number;
  melds: Card[][];
}

export interface CardPlayed {
  type: "card_played";
  seq: number;
  seat: number;
  card: Card | null;
}

export interface StoeckDeclared {
  type: "stoeck_declared";
  seq: number;
  seat: number;
  points: number;
  counts?: boolean;
  apart?: boolean;
}

export interface Shown {
  seat: number;
  cards: Card[];
  points: number;
}

export interface MeldsScored {
  type: "melds_scored";
  seq: number;
  side: number | null;
  points: number | null;
  shown: Shown[];
}

export interface TrickTaken {
  type: "trick_taken";
  seq: number;
  seat: number | null;
  points: number | null;
}

export interface TableCardTurned {
  type: "table_card_turned";
  seq: number;
  seat: number;
  card: Card;
}

export interface InfractionFound {
  type: "infraction_found";
  seq: number;
  seat: number;
  trick: number;
  code: Infraction;
  at_seq: number;
  proof_seq?: number | null;
}

export interface OutClaimed {
  type: "out_claimed";
  seq: number;
  seat: number;
  right: boolean;
}

export interface DealStopped {
  type: "deal_stopped";
  seq: number;
  seat: number;
}

export interface DealScored {
  type: "deal_scored";
  seq: number;
  deal: number;
  card_points: (number | null)[];
  scores: (number | null)[];
  totals: number[];
  ties?: number[][] | null;
}

export interface GameEnded {
  type: "game_ended";
  seq: number;
  winners: number[];
  totals: number[];
  payments?: number[] | null;
}

export interface Rescored {
  deal: number;
  scores: number[];
  ties: number[][];
}

export interface RulingMade {
  type: "ruling_made";
  seq: number;
  ruling: number;
  kind: RulingKind;
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
  choice?: Choice | null;
  suit?: Suit | null;
  to?: number | null;
  ties?: number[][] | null;
  winners?: number[] | null;
  stands?: boolean;
  rescored?: Rescored[] | null;
  after?: number | null;
  first?: number | null;
  first_deal?: number | null;
}

export interface DealAnnulled {
  type: "deal_annulled";
  seq: number;
  deal: number;
}

export interface SuitBarred {
  type: "suit_barred";
  seq: number;
  seat: number;
  suit: Suit;
}

export interface GameClosed {
  type: "game_closed";
  seq: number;
  reason: string;
}

export interface GameResumed {
  type: "game_resumed";
  seq: number;
  reason: string;
}

export interface ResultEntered {
  type: "result_entered";
  seq: number;
  seat: number | null;
  side: number | null;
  deal: number;
  card_points: (number | null)[];
  scores: number[];
  totals: number[];
  contract?: Contract | null;
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
  reason?: string | null;
  deals?: number | null;
  sweeps?: number[] | null;
  stoecks?: number[] | null;
  first?: number | null;
  first_deal?: number | null;
  conceded?: boolean | null;
}

export interface ResultCorrected {
  type: "result_corrected";
  seq: number;
  seat: number | null;
  side: number | null;
  deal: number;
  card_points: (number | null)[];
  scores: number[];
  totals: number[];
  contract?: Contract | null;
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
  reason?: string | null;
  deals?: number | null;
  sweeps?: number[] | null;
  stoecks?: number[] | null;
  first?: number | null;
  first_deal?: number | null;
  conceded?: boolean | null;
  replaces: number;
  rescored?: Rescored[] | null;
  winners?: number[] | null;
  payments?: number[] | null;
}

export interface ResultConfirmed {
  type: "result_confirmed";
  seq: number;
  seat: number | null;
  side: number | null;
  deal: number;
  by?: "paper" | "second_typing" | "silence" | null;
  scores?: number[] | null;
}

export interface TakenBack {
  type: "taken_back";
  seq: number;
  to: number;
}

export interface Start {
  cmd: "start";
  variant: string;
  seats: number;
  options?: Record<string, unknown>;
  preset?: string | null;
  mode?: Mode;
  won_before?: number | null;
  written_scores?: boolean;
  hand_in?: "deals" | "totals" | null;
  confirmation?: "other_side" | "paper" | "second_typing" | "silence";
  counting?: 1 | 2;
  sweeps?: boolean;
}

export interface Deal {
  cmd: "deal";
  deck?: (Card | null)[] | null;
  dealer?: number | null;
  cut?: Card | null;
}

export interface Push {
  cmd: "push";
  seat: number;
}

export interface Choose {
  cmd: "choose";
  seat: number;
  contract: Contract | null;
  slot?: string | null;
}

export interface Bid {
  cmd: "bid";
  seat: number;
  points: number;
  won?: boolean;
}

export interface Defer {
  cmd: "defer";
  seat: number;
}

export interface Pass {
  cmd: "pass";
  seat: number;
}

export interface Discard {
  cmd: "discard";
  seat: number;
  cards: (Card | null)[];
}

export interface Concede {
  cmd: "concede";
  seat: number;
  stoeck?: boolean | null;
}

export interface Accept {
  cmd: "accept";
  seat: number;
}

export interface Predict {
  cmd: "predict";
  seat: number;
  points: number | null;
}

export interface Exchange {
  cmd: "exchange";
  seat: number;
  cards: (Card | null)[];
  take_turned?: boolean;
}

export interface Keep {
  cmd: "keep";
  seat: number;
  take_turned?: boolean;
}

export interface TakeTurned {
  cmd: "take_turned";
  seat: number;
}

export interface Play {
  cmd: "play";
  seat: number;
  card: Card | null;
  melds?: Card[][] | null;
  heard?: Declared[] | null;
  stoeck?: boolean | -20 | 20 | null;
}

export interface Declare {
  cmd: "declare";
  seat: number;
  melds?: Card[][] | null;
  heard?: Declared[] | null;
  stoeck?: boolean | -20 | 20 | null;
}

export interface Show {
  cmd: "show";
  seat: number;
  melds: Card[][];
}

export interface ClaimOut {
  cmd: "claim_out";
  seat: number;
}

export interface Stop {
  cmd: "stop";
  seat: number;
}

export interface Rule {
  cmd: "rule";
  kind: RulingKind;
  reason: string;
  deal?: number | null;
  trick?: number | null;
  against?: number | null;
  replaces?: number | null;
  article?: string | null;
  scores?: number[] | null;
  points?: number | null;
  choice?: Choice | null;
  suit?: Suit | null;
  to?: number | null;
  stands?: boolean;
  after?: number | null;
  first?: number | null;
}

export interface Close {
  cmd: "close";
  reason: string;
}

export interface Resume {
  cmd: "resume";
  reason: string;
}

export interface EnterResult {
  cmd: "enter_result";
  deal: number;
  seat?: number | null;
  card_points?: (number | null)[] | null;
  own_points?: number | null;
  contract?: Contract | null;
  slot?: string | null;
  chooser?: number | null;
  bid?: number | null;
  predictions?: number[] | null;
  took_trick?: number[] | null;
  dealer?: number | null;
  sweep?: number | null;
  stoeck?: number | null;
  stoeck_points?: -20 | 20 | null;
  melds?: number[] | null;
  scores?: number[] | null;
  reason?: string | null;
  sweeps?: number[] | null;
  stoecks?: number[] | null;
  first?: number | null;
  conceded?: boolean | null;
}

export interface CorrectResult {
  cmd: "correct_result";
  deal: number;
  seat?: number | null;
  card_points?: (number | null)[] | null;
  own_points?: number | null;
  contract?: Contract | null;
  slot?: string | null;
  chooser?: number | null;
  bid?: number | null;
  predictions?: number[] | null;
  took_trick?: number[] | null;
  dealer?: number | null;
  sweep?: number | null;
  stoeck?: number | null;
  stoeck_points?: -20 | 20 | null;
  melds?: number[] | null;
  scores?: number[] | null;
  reason?: string | null;
  sweeps?: number[] | null;
  stoecks?: number[] | null;
  first?: number | null;
  conceded?: boolean | null;
  seen?: number | null;
}

export interface ConfirmResult {
  cmd: "confirm_result";
  deal: number;
  seat?: number | null;
  seen?: number | null;
  by?: "paper" | "second_typing" | "silence" | null;
  scores?: number[] | null;
}

export interface TakeBack {
  cmd: "take_back";
  to: number;
}

export interface SheetField {
  name: string;
  kind: "contract" | "flag" | "points" | "seat" | "side" | "sides" | "signed" | "slot";
  label: string;
  per?: "deal" | "seat" | "side";
  required?: boolean;
  least?: number | null;
  most?: number | null;
  step?: number;
  sum_least?: number | null;
  sum_most?: number | null;
  choices?: (string | number)[];
  open_to?: string[][];
  worth?: number;
}

export interface TurnShown {
  commands: string[];
  phase: string;
  seat: number | null;
}

export interface Prompt {
  beside?: string[][];
  forms?: SheetField[][];
  legal?: string;
  own_commands?: string[];
  turn?: TurnShown | null;
  why_not?: string;
}

export interface EventsFrame {
  beside?: string[][];
  events: GameEvent[];
  forms?: SheetField[][];
  game: string;
  kind: "events";
  legal?: string;
  own_commands?: string[];
  seq: number;
  turn?: TurnShown | null;
  why_not?: string;
}

export interface AckFrame {
  command_id: string;
  kind: "ack";
  seq: number;
}

export interface ErrorFrame {
  code: string;
  command_id: string | null;
  detail: string;
  kind: "error";
  params: Record<string, unknown>;
}

export interface ResyncFrame {
  game: string;
  kind: "resync";
  seq: number;
}

export interface HeartbeatFrame {
  game: string;
  kind: "heartbeat";
  seq: number;
  watching: number;
}

export type GameEvent = AuctionFailed | AuctionWon | BidDeferred | BidMade | BidPassed | CardPlayed | CardsDiscarded | ContractSet | DealAccepted | DealAnnulled | DealConceded | DealScored | DealStarted | DealStopped | DiscardsCounted | ExtraDealt | ExtraExchanged | ExtraKept | GameClosed | GameEnded | GameResumed | GameStarted | HandDealt | HandTakenUp | InfractionFound | MeldsDeclared | MeldsScored | MeldsShown | OutClaimed | PredictionMade | PredictionsRevealed | Pushed | ResultConfirmed | ResultCorrected | ResultEntered | RulingMade | StoeckDeclared | SuitBarred | TableCardTurned | TableDealt | TakenBack | TalonDealt | TalonTaken | TrickTaken | TrumpTurned | TurnedTaken;

export type Command = Accept | Bid | Choose | ClaimOut | Close | Concede | ConfirmResult | CorrectResult | Deal | Declare | Defer | Discard | EnterResult | Exchange | Keep | Pass | Play | Predict | Push | Resume | Rule | Show | Start | Stop | TakeBack | TakeTurned;

export type Frame = AckFrame | ErrorFrame | EventsFrame | HeartbeatFrame | ResyncFrame;
