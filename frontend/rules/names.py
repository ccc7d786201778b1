"""Names of games and presets, and a sentence about each game. Most names are the same everywhere."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from engine import VARIANTS

Words = dict[str, str | Promise]

GAMES: Final[Words] = {"lake-constance": _("Lake Constance Jass")}
"""Games that are not called by the label the engine has for them."""

PRESETS: Final[Words] = {
    "klubabend": _("Club evening"),
    "santiago": _("Schieber with sweeps and Stöck"),
}
"""Presets whose name differs from their game's and from their key."""

SUMMARIES: Final[Words] = {
    "schieber": _("Two against two; who may choose trumps and does not want to pushes the choice across."),
    "bieter": _("Three at the table: the highest bidder plays the whole game alone against the other two."),
    "differenzler": _("Say how many points you will take, and pay for every point you were wrong."),
    "coiffeur": _("Ten ways of playing, each once for each side, each worth more than the one before."),
    "la-pomme": _("For two, quickly learnt: exchange three cards unseen, and stay above twenty points."),
    "plus-minus": _("The first card that does not follow makes trumps; the highest and the lowest score."),
    "lake-constance": _("For two, with half of the cards on the table: bid, name trumps, avoid the sack."),
}


def game_name(key: str) -> str:
    """Return a game in the language of the request; one this engine does not know keeps its key."""
    known = VARIANTS.get(key)
    return str(GAMES.get(key, known.label if known else key))


def preset_name(key: str) -> str:
    """Return a preset in the language of the request."""
    game = key.replace("_", "-")
    called = game_name(game) if game in VARIANTS else key.replace("_", " ").capitalize()
    return str(PRESETS.get(key, called))
