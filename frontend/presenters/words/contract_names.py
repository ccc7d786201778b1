"""Names of contracts: of a trump suit by the deck, and of play without trumps."""

from django.utils.translation import gettext_lazy as _

from frontend.card_names import SUIT_NAMES
from frontend.presenters.words.writing_words import Words

TRUMP_SUITS = {"diamonds": "D", "hearts": "H", "spades": "S", "clubs": "C"}
CONTRACT_NAMES: Words = {
    "none": _("open"),
    "obenabe": _("Top-down"),
    "undenufe": _("Bottom-up"),
    "slalom-obenabe": _("Slalom, top-down first"),
    "slalom-undenufe": _("Slalom, bottom-up first"),
    "guschti-obenabe": _("Guschti, top-down first"),
    "guschti-undenufe": _("Guschti, bottom-up first"),
}
"""Names of the contracts without a trump suit."""


def contract_name(contract: str | None, deck: str) -> str:
    """Return a contract in the words of a deck: "Shields", "Top-down"; "open" for None."""
    if contract in TRUMP_SUITS:
        return str(SUIT_NAMES[deck][TRUMP_SUITS[contract]])
    return str(CONTRACT_NAMES.get(contract or "none", contract or ""))
