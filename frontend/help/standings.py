"""Help panels of standings, and of one person's championship."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

STANDINGS: Final[dict[str, Panel]] = {
    "standings": Panel(
        (
            _("The ranking: the last published one, or live while a round is played."),
            _("The regulations decide between level totals; the line shows what decided."),
            _("*Print* makes a PDF with its seal, *Projector* shows it on the wall."),
        ),
        officials=(
            _("Click a figure to open its sheet, and to correct it."),
            _("Are people level at the end? Enter the lots that they have drawn with *Enter lots*."),
        ),
    ),
    "persons_evening": Panel(
        (
            _(
                "One person's rounds: the table, the other players, the points, and the place after "
                "each round."
            ),
            _("A running table leads to the live view, a finished one to its replay."),
            _("Every name leads to the page of that person."),
            _("*Notify this phone* sends a message when the table is ready."),
        ),
        manual="players",
    ),
    "standings_graph": Panel(
        (
            _("How each person's place changed from round to round."),
            _("Higher is better; *Standings* has the same figures."),
            _("It needs two closed rounds."),
        ),
    ),
    "bracket": Panel(
        (
            _("All matches, phase by phase; the winners are in bold type."),
            _("Results appear here when their round is closed."),
            _("The bracket decides the places of the ranking."),
        ),
    ),
    "lots": Panel(
        (
            _("People who are still level at the end draw a lot or a card in the hall."),
            _("Enter what was drawn, then press *Write down and publish*."),
            _("Everybody in one place needs a lot, and no two lots are equal."),
        ),
    ),
}
