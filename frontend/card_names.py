"""Card codes in the words of each deck, for labels and screen readers."""

from django.templatetags.static import static
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

SUITS = "DHSC"
RANKS = ("6", "7", "8", "9", "10", "J", "Q", "K", "A")
CODES: tuple[str, ...] = tuple(suit + rank for suit in SUITS for rank in RANKS)

SUIT_NAMES: dict[str, dict[str, str | Promise]] = {
    "fr": {
        "D": gettext_lazy("Diamonds"),
        "H": gettext_lazy("Hearts"),
        "S": gettext_lazy("Spades"),
        "C": gettext_lazy("Clubs"),
    },
    "ch": {
        "D": gettext_lazy("Bells"),
        "H": gettext_lazy("Roses"),
        "S": gettext_lazy("Shields"),
        "C": gettext_lazy("Acorns"),
    },
}
RANK_NAMES: dict[str, dict[str, str | Promise]] = {
    "fr": {
        "J": pgettext_lazy("card", "Jack"),
        "Q": pgettext_lazy("card", "Queen"),
        "K": pgettext_lazy("card", "King"),
        "A": pgettext_lazy("card", "Ace"),
    },
    "ch": {
        "10": pgettext_lazy("card", "Banner"),
        "J": pgettext_lazy("card", "Under"),
        "Q": pgettext_lazy("card", "Ober"),
        "K": pgettext_lazy("card", "King"),
        "A": pgettext_lazy("card", "Ace"),
    },
}


SUITS_OF_CARDS: dict[str, dict[str, str | Promise]] = {
    "fr": {
        "D": pgettext_lazy("suit of a card", "diamonds"),
        "H": pgettext_lazy("suit of a card", "hearts"),
        "S": pgettext_lazy("suit of a card", "spades"),
        "C": pgettext_lazy("suit of a card", "clubs"),
    },
    "ch": {
        "D": pgettext_lazy("suit of a card", "bells"),
        "H": pgettext_lazy("suit of a card", "roses"),
        "S": pgettext_lazy("suit of a card", "shields"),
        "C": pgettext_lazy("suit of a card", "acorns"),
    },
}
"""Names of suits as part of a card's name: "ace of roses", "le 7 de trèfle", "Rosen Ass"."""
_NUMBERS: dict[str, str | Promise] = {
    "6": pgettext_lazy("rank of a card", "six"),
    "7": pgettext_lazy("rank of a card", "seven"),
    "8": pgettext_lazy("rank of a card", "eight"),
    "9": pgettext_lazy("rank of a card", "nine"),
}
RANKS_OF_CARDS: dict[str, dict[str, str | Promise]] = {
    "fr": {
        **_NUMBERS,
        "10": pgettext_lazy("rank of a card", "ten"),
        "J": pgettext_lazy("rank of a card", "jack"),
        "Q": pgettext_lazy("rank of a card", "queen"),
        "K": pgettext_lazy("rank of a card", "king"),
        "A": pgettext_lazy("rank of a card", "ace"),
    },
    "ch": {
        **_NUMBERS,
        "10": pgettext_lazy("rank of a card", "banner"),
        "J": pgettext_lazy("rank of a card", "under"),
        "Q": pgettext_lazy("rank of a card", "ober"),
        "K": pgettext_lazy("rank of a card", "king"),
        "A": pgettext_lazy("rank of a card", "ace"),
    },
}
"""Names of ranks as part of a card's name, in French with the article."""


STOECK_CARDS: dict[str, str | Promise] = {
    "fr": gettext_lazy("king and queen of trumps"),
    "ch": gettext_lazy("king and ober of trumps"),
}
"""The two cards of a Stöck as part of a sentence."""


def card_name(code: str, deck: str) -> str:
    """Name a card in the request's language: `S6` is "six of spades" or "six of shields"."""
    return _("%(rank)s of %(suit)s") % {
        "suit": SUITS_OF_CARDS[deck][code[0]],
        "rank": RANKS_OF_CARDS[deck][code[1:]],
    }


def sprites() -> dict[str, str]:
    """Return deck → URL of its sprite, the file with all its drawings."""
    return {deck: static(f"puur/cards/{deck}.svg") for deck in ("ch", "fr")}
