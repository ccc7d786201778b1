/** Written by `python -m frontend.generated`: change what it is written from. */

import type { Then } from "./types";

/** What a page does when a socket ends with a code: games/close_codes.py. */
export const CLOSINGS: Readonly<Record<number, Then>> = {"1009": "never", "1012": "again", "1013": "again", "4400": "never", "4403": "reload", "4404": "never", "4429": "patiently"};

/** Points of a deal's cards, of the last trick and of a Stöck. */
export const DEAL_POINTS: number = 157;
export const LAST_TRICK: number = 5;
export const STOECK_POINTS: number = 20;

/** Rulings on what a deal counts: engine/scoring/ruling_effects.py. */
export const REMEDIES: readonly string[] = ["annul_deal", "award_from_trick", "card_powerless", "score_change", "short_hand"];

/** What can be taken back in a transcript: engine/ledger/saved_states.py. */
export const ACTS: readonly string[] = ["bid_deferred", "bid_made", "bid_passed", "card_played", "cards_discarded", "contract_set", "deal_accepted", "deal_conceded", "deal_stopped", "extra_exchanged", "extra_kept", "melds_declared", "melds_shown", "out_claimed", "prediction_made", "pushed", "turned_taken"];

/** Events after which nothing before them can be taken back. */
export const FINAL: readonly string[] = ["deal_annulled", "game_closed", "ruling_made"];

/** What may follow within the same command; * for anything. */
export const GOES_WITH: Readonly<Record<string, string>> = {"melds_declared": "card_played", "extra_exchanged": "turned_taken", "extra_kept": "turned_taken", "taken_back": "*"};
