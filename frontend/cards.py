"""Card codes in the words of each deck, for labels and for people who hear the page."""

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


def card_name(code: str, deck: str) -> str:
    """`S6` as "Spades 6" or "Shields 6", in the language of the request."""
    suit, rank = code[0], code[1:]
    return _("%(suit)s %(rank)s") % {
        "suit": SUIT_NAMES[deck][suit],
        "rank": RANK_NAMES[deck].get(rank, rank),
    }


def sprites() -> dict[str, str]:
    """Where the pictures of each deck lie."""
    return {deck: static(f"puur/cards/{deck}.svg") for deck in ("ch", "fr")}
