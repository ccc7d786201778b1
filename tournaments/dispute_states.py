"""State machine of disputes: each status with the acts that are possible in it, and the status after each
act.

Other acts are refused with a code. A ruling is never edited. A referee may replace it as long as there is no
appeal. An appeal upholds or replaces it once, finally.
"""

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError


class Status(models.TextChoices):
    """Status of a dispute."""

    OPEN = "open", _("open")
    RULED = "ruled", _("ruled")
    APPEALED = "appealed", _("appealed")
    UPHELD = "upheld", _("upheld on appeal")
    REPLACED = "replaced", _("replaced on appeal")
    WITHDRAWN = "withdrawn", _("withdrawn")


OPEN, RULED, APPEALED, UPHELD, REPLACED, WITHDRAWN = Status

TRANSITIONS: Final[dict[tuple[str, str], Status]] = {
    (OPEN, "rule"): RULED,
    (OPEN, "withdraw"): WITHDRAWN,
    (RULED, "rule"): RULED,
    (RULED, "appeal"): APPEALED,
    (APPEALED, "uphold"): UPHELD,
    (APPEALED, "replace"): REPLACED,
    (APPEALED, "withdraw_appeal"): RULED,
}
RULED_ON: Final = (RULED, APPEALED, UPHELD, REPLACED)
"""Statuses after a ruling, or after an oral settlement."""
WAITING: Final = (OPEN, APPEALED)
"""Statuses in which an official has to decide."""

_REFUSALS: Final[dict[str, tuple[str, str | Promise]]] = {
    "rule": ("disputes/settled", _("This dispute is settled already.")),
    "withdraw": ("disputes/settled", _("This dispute is settled already.")),
    "appeal": ("disputes/not_appealable", _("There is no ruling that can be appealed.")),
    "uphold": ("disputes/not_appealed", _("Nobody has appealed this ruling.")),
    "replace": ("disputes/not_appealed", _("Nobody has appealed this ruling.")),
    "withdraw_appeal": ("disputes/not_appealed", _("Nobody has appealed this ruling.")),
}


def status_after(status: str, act: str) -> Status:
    """Return the status after an act.

    Raises TournamentError `disputes/settled`, `disputes/appealed`, `disputes/not_appealable`,
    `disputes/not_appealed`.
    """
    found = TRANSITIONS.get((status, act))
    if found is not None:
        return found
    if (status, act) == (APPEALED, "rule"):
        raise TournamentError("disputes/appealed", _("The ruling is appealed: decide on the appeal."))
    raise TournamentError(*_REFUSALS[act])


def public_filter() -> Q:
    """Return the filter of public disputes. It hides disputes of tables with delayed display."""
    return Q(table__game__delay_minutes=0)
