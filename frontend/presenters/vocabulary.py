"""The words for the codes of the layers below. One table a kind; an unknown code is shown as it is."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from frontend.cards import SUIT_NAMES
from frontend.presenters.words import TABLE

Words = Mapping[str, str | Promise]

RULINGS: Words = {
    "award_from_trick": _("The points from that trick on go to the other side"),
    "card_powerless": _("The card cannot take its trick"),
    "annul_deal": _("The deal is annulled"),
    "short_hand": _("A card is missing: the opponents choose"),
    "bar_suit": _("A suit may not be led"),
    "score_change": _("The score of the deal is set by hand"),
    "penalty": _("Points are taken off"),
    "warning": _("A warning"),
}
RULING_NOTES: Words = {
    "award_from_trick": _("Everything in the deal from the named trick to the last one."),
    "card_powerless": _("The trick goes to the best of the other cards."),
    "annul_deal": _("It counts for nobody; the same dealer deals again."),
    "short_hand": _("All card points of the deal to them, or the deal is annulled."),
    "bar_suit": _("The player leads again, in another suit."),
    "score_change": _("For what no other remedy fits."),
    "penalty": _("From the side of the player concerned."),
    "warning": _("No points move; it stays on record."),
}
INCIDENTS: Words = {
    "revoke": _("Revoke"),
    "undertrump": _("Undertrumping"),
    "short_hand": _("A card is missing"),
    "misdeal": _("Misdeal"),
    "card_shown": _("Card shown or led out of turn"),
    "hint": _("Hint by word or gesture"),
}
TIE_BREAKS: Words = {
    "highest_round": _("highest round"),
    "next_highest": _("next highest rounds"),
    "sweeps": _("number of sweeps"),
    "direct_encounter": _("direct encounter"),
    "cut": _("cut of a card"),
    "lot": _("lot"),
}
PHASES: Words = {
    "start": _("not begun"),
    "dealing": _("cards are dealt"),
    "contract_choice": _("chooses the contract"),
    "auction": _("bids"),
    "discards": _("discards"),
    "concession": _("plays on or concedes"),
    "predictions": _("predicts"),
    "exchange": _("exchanges cards"),
    "trick_play": _("to play"),
    "sheet": _("the score sheet"),
    "over": _("finished"),
}
MODES: Words = {
    "dealt": _("online: the server deals, everyone plays on a screen"),
    "transcribed": _("cards on the table, written down card by card"),
    "sheet": _("cards on the table, only the results are written down"),
}
JOBS: Words = {
    "draw": _("Drawing the round"),
    "open": _("Opening the tables"),
    "close": _("Closing the round"),
    "standings": _("Working out the ranking"),
    "export": _("Writing the file"),
}
SUITS = {"diamonds": "D", "hearts": "H", "spades": "S", "clubs": "C"}


def word(words: Words, code: str | None) -> str:
    """The translated word."""
    if not code:
        return ""
    return str(words.get(code, code.replace("_", " ")))


def contract_word(contract: str | None, deck: str) -> str:
    """A contract in the words of a deck: "Shields", "Top-down"."""
    if contract in SUITS:
        return str(SUIT_NAMES[deck][SUITS[contract]])
    return str(TABLE.get(f"contract.{contract or 'none'}", contract or ""))
