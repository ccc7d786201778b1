"""Help panels of standings, and of one person's championship."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

STANDINGS: Final[dict[str, Panel]] = {
    "standings": Panel(
        (
            _("The ranking, as published last or live while a round is played."),
            _("Level totals are separated as the regulations say; the line says by what."),
            _("*Print* puts it on paper with its seal, *Projector* on the wall."),
        ),
        officials=(
            _("Click a figure to come to the sheet it was counted from, and to correct it."),
            _("Some are level at the end? *Write lots down* takes the lots they have drawn."),
        ),
    ),
    "persons_evening": Panel(
        (
            _("One person's rounds: table, the others there, points, and the place after each."),
            _("A table that is being played leads to it live, one that is over to its replay."),
            _("Every name leads to the page of that person."),
            _("*Tell this phone* has a message sent when the table is ready."),
        ),
        manual="players",
    ),
    "standings_graph": Panel(
        (
            _("How each person's place moved over the rounds."),
            _("Higher is better; the same figures stand in *Standings*."),
            _("It needs two closed rounds."),
        ),
    ),
    "bracket": Panel(
        (
            _("All matches, phase by phase; the winners are in bold type."),
            _("Results stand here when their round is closed."),
            _("The bracket decides the places of the ranking."),
        ),
    ),
    "lots": Panel(
        (
            _("People who are still level at the end draw a lot or a card in the hall."),
            _("Write down what was drawn, then *Write down and publish*."),
            _("Everybody of one place needs a lot, and no two the same."),
        ),
    ),
}
