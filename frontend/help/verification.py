"""Help panels of audits, seals and the verification of files."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

VERIFICATION: Final[dict[str, Panel]] = {
    "audits": Panel(
        (
            _("An audit reads everything that is stored and decides every game again."),
            _("*Audit now* before the prizes are given; it takes seconds."),
            _("Every night it happens by itself."),
        ),
    ),
    "audit": Panel(
        (
            _("The data that one audit has read, and the differences."),
            _("A difference names table and deal: look at it before prizes are given."),
            _("*Save the report* keeps it as text."),
        ),
    ),
    "checkpoints": Panel(
        (
            _("Twelve words seal everything recorded so far."),
            _("Hang the printed ranking with its words on the wall: photographs of it are the proof."),
            _("*Download everything* and the words are all anybody needs to check at home."),
        ),
    ),
    "verify": Panel(
        (
            _("Here anybody checks that nothing of a championship was changed afterwards."),
            _("Choose the file and type the twelve words of the printed ranking, then *Verify*."),
            _("Nothing is uploaded; it works without network."),
        ),
        manual="players",
    ),
}
