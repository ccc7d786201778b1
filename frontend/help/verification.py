"""Help panels of audits, seals and the verification of files."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

VERIFICATION: Final[dict[str, Panel]] = {
    "audits": Panel(
        (
            _("An audit reads all stored data and replays every game."),
            _("*Audit now* before the prizes are given; it takes seconds."),
            _("It runs automatically every night."),
        ),
    ),
    "audit": Panel(
        (
            _("The data that one audit has read, and the differences."),
            _("A difference names table and deal: check it before prizes are given."),
            _("*Save the report* keeps it as text."),
        ),
    ),
    "checkpoints": Panel(
        (
            _("Twelve words seal everything recorded so far."),
            _("Put the printed ranking with its words on the wall: photos of it are the proof."),
            _("Anybody can check at home with *Download everything* and the words."),
        ),
    ),
    "verify": Panel(
        (
            _("Check here that nothing in a championship was changed afterwards."),
            _("Choose the file and type the twelve words of the printed ranking, then *Verify*."),
            _("Nothing is uploaded; it works without a network."),
        ),
        manual="players",
    ),
}
