"""Names of games and presets, with a sentence about each preset that needs one. Most names are the same in
all languages.
"""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from engine import VARIANTS

Words = dict[str, str | Promise]

GAMES: Final[Words] = {"lake-constance": _("Lake Constance Jass")}
"""Names of games that differ from the labels in the engine."""

PRESETS: Final[Words] = {
    "klubabend": _("Club evening"),
    "santiago": _("Schieber with sweeps and Stöck"),
    "cup": _("Cup of pairs"),
    "cup_best_of_three": _("Cup of pairs, best of three games"),
    "einzelschieber_at_start": _("Einzelschieber, all rounds drawn at the start"),
    "round_robin": _("Pairs, everybody against everybody"),
    "swiss_pairs": _("Pairs by the Swiss system"),
    "sections": _("Section against section"),
    "team_league": _("Team league"),
    "whist": _("Everybody partners everybody"),
    "ladder": _("Ladder of tables"),
    "against_the_field": _("The same cards at all tables"),
    "open_heat": _("Open heat, best start"),
    "open_heat_best_two": _("Open heat, best two of five starts"),
    "open_heat_pairs": _("Open heat of pairs, best start"),
}
"""Names of presets that differ both from their game's name and from their key."""

PRESET_SUMMARIES: Final[Words] = {
    "cup": _("Losers are out; the losers of the semi-finals play for place 3."),
    "einzelschieber_at_start": _("All rounds can be printed before the first card; the best three count."),
    "cup_best_of_three": _("The winner of two games advances; each game is a round."),
    "round_robin": _("Each pair meets each other pair once; for eight pairs."),
    "swiss_pairs": _("Neighbours in the ranking meet, nobody twice."),
    "sections": _("Everybody plays alone for a team of eight; the best six count."),
    "team_league": _("Each team of four meets each other team, at two neighbouring tables."),
    "whist": _("Each person plays once with each other person; for 16 people, or for 8, 9, 12, 13, 17, 20."),
    "against_the_field": _(
        "Each deal compares a pair with the pairs that held the same cards; for 12 pairs."
    ),
    "ladder": _("The best of a table moves up to the next table, the last moves down."),
    "open_heat": _("People play as soon as a table is full, and again with another start."),
    "open_heat_best_two": _("As many as five starts in several sessions; the best two count."),
    "open_heat_pairs": _("Two partners start together any number of times; two pairs fill a table."),
}
"""A sentence about each preset whose name does not tell enough."""

SUMMARIES: Final[Words] = {
    "schieber": _(
        "Two against two; a player who does not want to choose trumps pushes the choice to the partner."
    ),
    "bieter": _("Three at the table: the highest bidder plays the whole game alone against the other two."),
    "differenzler": _("Predict how many points you will take, and pay for every point of difference."),
    "coiffeur": _("Ten contracts, each once for each side, each worth more than the one before."),
    "la-pomme": _("For two, quickly learnt: exchange three cards unseen, and stay above twenty points."),
    "plus-minus": _("The first card that does not follow makes trumps; the highest and the lowest score."),
    "lake-constance": _("For two, with half of the cards on the table: bid, name trumps, avoid the sack."),
}


def game_name(key: str) -> str:
    """Return the name of a game in the language of the request; the key if the installed engine does not know
    the game.
    """
    known = VARIANTS.get(key)
    return str(GAMES.get(key, known.label if known else key))


def preset_name(key: str) -> str:
    """Return the name of a preset in the language of the request."""
    game = key.replace("_", "-")
    called = game_name(game) if game in VARIANTS else key.replace("_", " ").capitalize()
    return str(PRESETS.get(key, called))


def preset_summary(key: str) -> str:
    """Return the sentence about a preset in the language of the request; empty if there is none."""
    return str(PRESET_SUMMARIES.get(key, ""))
