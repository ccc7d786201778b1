"""The words for codes of the layers below, one table for each kind.

Cards and suits are in `frontend.card_names`, contracts in `contract_names`, and sentences of scripts in
`script_sentences`.
"""

from django.utils.translation import gettext_lazy as _

from frontend.presenters.words.writing_words import TRANSCRIBE, Words

RULINGS: Words = {
    "award_from_trick": _("The points from that trick on go to the other side"),
    "card_powerless": _("The card cannot take its trick"),
    "annul_deal": _("The deal is annulled"),
    "short_hand": _("A card is missing: the opponents choose"),
    "bar_suit": _("A suit may not be led"),
    "score_change": _("The score of the deal is set by hand"),
    "penalty": _("Points are deducted"),
    "warning": _("A warning"),
}
REMEDIES: Words = {**RULINGS, "short_hand": _("The opponents choose")}
"""Words for rulings as they stand beside the name of an incident."""
RULING_NOTES: Words = {
    "award_from_trick": _("Everything in the deal from the named trick to the last one."),
    "card_powerless": _("The trick goes to the best of the other cards."),
    "annul_deal": _("It counts for nobody; its dealer deals again."),
    "short_hand": _("All card points of the deal to them, or the deal is annulled."),
    "bar_suit": _("The player leads again, in another suit."),
    "score_change": _("For cases that no other remedy fits."),
    "penalty": _("From the side of the player concerned."),
    "warning": _("No points change; it stays on record."),
}
INCIDENTS: Words = {
    "revoke": _("Revoke"),
    "undertrump": _("Undertrumping"),
    "short_hand": _("A card is missing"),
    "misdeal": _("Misdeal"),
    "card_shown": _("Card shown or led out of turn"),
    "hint": _("Hint by word or gesture"),
    "wrong_dealer": _("The wrong player dealt"),
    "no_cut": _("The pack was knocked on, not cut"),
    "late_call": _("Meld or Stöck called late, or not held"),
    "wrong_claim": _("Wrong claim of being out"),
    "wrong_sum": _("The score sheet is wrong"),
}
HAND_INS: Words = {
    "deals": _("the result of each deal"),
    "totals": _("the totals of the round"),
}
START_HAND_INS: Words = {**HAND_INS, "totals": _("the totals of the table")}
CONFIRMATIONS: Words = {
    "other_side": _("the other side, on a phone or with the table's code"),
    "second_typing": _("the other side, or a second typing at the desk"),
    "paper": _("the other side, or both signatures on paper"),
    "silence": _("the other side, or silence for some minutes"),
}
CORRECTING: Words = {
    "officials": _("the director and the referee"),
    "desk": _("the director, the referee and the desk"),
}
"""Words for the officials who correct a confirmed result."""
WRONG_SUMS: Words = {
    "refuse": _("it is not accepted, and is recounted"),
    "split": _("the sides share the difference"),
    "scorer": _("the scorer's side bears the difference"),
}
"""Words for what happens if the sums on a score sheet are wrong."""
DISPUTED: Words = {
    **INCIDENTS,
    "other": _("Something else"),
    "not_in_hand": _("Card not in the hand"),
    "out_of_turn": _("Out of turn"),
    "meld_not_held": _("Meld not held"),
    "stoeck_not_held": _("Stöck not held"),
    "meld_late": _("Meld declared too late"),
    "stoeck_late": _("Stöck declared too late"),
    "not_allowed": _("Said against the rules"),
}
"""Words for the subjects of disputes, and of proofs in a record."""
OBJECTED_LATE: Words = {
    "wrong_dealer": _(
        "It was objected to after the objector's own first card: the deal stands, and the two have exchanged "
        "their turns to deal."
    ),
}
WHY_NOT: Words = {
    "follow_suit": _("must follow suit"),
    "follow_trump": _("must follow trumps"),
    "undertrump": _("undertrumps"),
    "must_trump": _("must trump"),
    "barred_suit": _("suit is barred"),
    "not_your_turn": _("not in turn"),
    "not_now": _("no card now"),
}
"""Words for the rule that makes a card illegal, shown below the card."""
RULES_THAT_FORBID: Words = {
    "follow_suit": _("A player with the suit led plays it, or a trump."),
    "follow_suit_without_trumps": _("A player with the suit led plays it."),
    "follow_trump": _("Trumps are led: a player with a trump plays it. Only the bare Puur may be kept."),
    "undertrump": _("A trump lower than the highest one in the trick is not allowed here."),
    "must_trump": _("A player without the suit led must play a trump here."),
    "barred_suit": _("A referee has barred this suit from being led."),
}
EVIDENCE: Words = {
    "proven": TRANSCRIBE["evidence.proven"],
    "contradictory": TRANSCRIBE["evidence.contradictory"],
    "unknown": _("not known"),
}
CONTRADICTIONS: Words = {
    "card_in_two_places": TRANSCRIBE["evidence.card_in_two_places"],
    "too_many_cards": TRANSCRIBE["evidence.too_many_cards"],
    "wrong_taker": TRANSCRIBE["evidence.wrong_taker"],
    "impossible_meld": TRANSCRIBE["evidence.impossible_meld"],
    "wrong_points": _("The entered points differ from those of the cards."),
}
PARTNERS: Words = {
    "pairs": _("drawn for each round"),
    "fixed_pairs": _("the same all evening"),
}
START_PARTNERS: Words = {
    "pairs": _("drawn for each start"),
    "fixed_pairs": _("the same at each start"),
}
CREDITS: Words = {
    "points": _("the points of one's side, by the rules of the game"),
    "wins": _("a win for each opponent beaten at the table"),
    "field": _("the points of one's side minus the mean of that side at the other tables, deal by deal"),
}
UNPLAYED_WORTHS: Words = {
    "fixed": _("fixed points"),
    "own": _("the average of one's own rounds"),
    "average": _("the average of the round"),
    "win": _("the average of the round's winners"),
    "worst": _("the points of the last of the round"),
}
THREES: Words = {
    "as_is": _("as it is"),
    "scaled": _("scaled to four: points by 4/3, wins by 3/2"),
}
FAVOURED: Words = {
    "three": _("the lowest wins, so tables of three have an advantage"),
    "four": _("with fewer deals there are fewer points, so tables of four have an advantage"),
}
TIE_BREAKS: Words = {
    "highest_round": _("best round"),
    "next_highest": _("next best rounds"),
    "wins": _("tables won"),
    "table_points": _("points at the tables"),
    "sweeps": _("number of sweeps"),
    "direct_encounter": _("direct encounter"),
    "cut": _("cut of a card"),
    "lot": _("lot"),
    "buchholz": _("strength of the opponents (Buchholz)"),
}
START_TIE_BREAKS: Words = {
    **TIE_BREAKS,
    "highest_round": _("best start"),
    "next_highest": _("next best starts"),
}
"""Words for the tie-breaks of an open heat, in which results are starts and not rounds."""
PHASES: Words = {
    "start": _("not started"),
    "dealing": _("cards are dealt"),
    "contract_choice": _("chooses the contract"),
    "auction": _("bids"),
    "discards": _("discards"),
    "concession": _("plays on or concedes"),
    "predictions": _("predicts"),
    "exchange": _("exchanges cards"),
    "trick_play": _("playing"),
    "sheet": _("waiting for the score sheet"),
    "over": _("finished"),
}
MODES: Words = {
    "dealt": _("online: the platform deals, everybody plays on a screen"),
    "transcribed": _("cards on the table, recorded card by card"),
    "sheet": _("cards on the table, only results are recorded"),
}
JOBS: Words = {
    "draw": _("Drawing the round"),
    "open": _("Opening the tables"),
    "close": _("Closing the round"),
    "standings": _("Computing the ranking"),
    "export": _("Writing the file"),
    "file": _("Writing the file"),
    "print": _("Making the PDF"),
    "copy": _("Writing the copy to keep"),
}


def word(words: Words, code: str | None) -> str:
    """Return the translated word for a code. An unknown code is returned with spaces for underscores, None as
    "".
    """
    if not code:
        return ""
    return str(words.get(code, code.replace("_", " ")))
