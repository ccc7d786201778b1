"""Pairing systems and their options in the person's language."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.presenters.words.writing_words import Words

SYSTEMS: Final[Words] = {
    "drawn": _("by lot, for each round"),
    "fixed_pairs": _("fixed pairs, opponents by lot"),
    "whist": _("everybody partners everybody once"),
    "round_robin": _("round robin"),
    "swiss": _("Swiss system: neighbours in the ranking meet"),
    "king": _("ladder: winners move up a table, losers down"),
    "knock_out": _("knock-out"),
    "open": _("open: tables as people arrive"),
}
OPTIONS: Final[Words] = {
    "twice": _("Everybody meets everybody twice"),
    "repeats": _("The same opponents can meet again"),
    "first": _("First round"),
    "reasons": _("Explain for each table why nobody nearer meets"),
    "up": _("How many move up"),
    "down": _("How many move down"),
    "seeded": _("The best start ranks meet last"),
    "third": _("A game for place 3"),
    "places": _("Games for all places"),
    "advance": _("How many players of a table advance"),
    "best_of": _("Games of a match at most"),
    "when": _("When rounds are drawn"),
    "mix": _("How many people wait for a better mixture"),
}
UNKEPT: Final[Words] = {
    "never_partner": _(
        "Never partners: this way of drawing ignores it. The page of each round names such people "
        "who are partners anyway."
    ),
    "never_meet": _(
        "Never at one table: this way of drawing cannot respect it, since tables follow from a plan "
        "or from results. The page of each round names such people who meet anyway."
    ),
}
"""Wish → a sentence that the pairing system does not consider it."""
UNKEPT_IN_HEATS: Final[Words] = {
    **UNKEPT,
    "never_partner": _(
        "Never partners: this way of drawing ignores it. The page of each session names such people "
        "who are partners anyway."
    ),
}
"""Wish → a sentence that an open heat does not consider it."""
CHOICES: Final[Words] = {
    "lot": _("by lot"),
    "start_rank": _("by start rank"),
    "each_round": _("each round when the previous one is over"),
    "at_start": _("all rounds at the start, to print before the first card"),
}
