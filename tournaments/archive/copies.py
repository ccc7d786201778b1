"""Conditions for a static copy of a championship that needs no server."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.models import Championship, Round
from tournaments.services.current_regulations import load_regulations

RUNNING_STATUSES: Final = (Round.Status.DRAWN, Round.Status.OPEN)


def is_finished(championship: Championship) -> bool:
    """Return whether the championship is over, with at least one closed round and none drawn or open."""
    statuses = set(championship.rounds.values_list("status", flat=True))
    return championship.is_over and Round.Status.CLOSED in statuses and not statuses & set(RUNNING_STATUSES)


def is_publicly_visible(championship: Championship) -> bool:
    """Return whether the championship and its cards are public."""
    return championship.public and load_regulations(championship).visibility != "private"


def require_copyable(championship: Championship) -> None:
    """Raise TournamentError `copies/not_finished` or `copies/not_public` unless the championship may be
    copied.

    A copy contains public data only.
    """
    if not is_finished(championship):
        raise TournamentError(
            "copies/not_finished",
            _("Close the championship first: a running championship is not copied."),
        )
    if not is_publicly_visible(championship):
        raise TournamentError(
            "copies/not_public",
            _(
                "Only participants may see this championship or its cards, but anybody with the "
                "stick can read a copy."
            ),
        )
