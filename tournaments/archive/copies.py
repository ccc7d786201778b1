"""Of which championships there is a copy that needs no server."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.models import Championship, Round
from tournaments.services.current_regulations import regulations_of

PLAYED_ON: Final = (Round.Status.DRAWN, Round.Status.OPEN)


def is_finished(championship: Championship) -> bool:
    """Whether nothing more is played in it: closed, or put into the archive, after a round at least."""
    over = championship.status == Championship.Status.FINISHED or championship.archived_at is not None
    statuses = set(championship.rounds.values_list("status", flat=True))
    return over and Round.Status.CLOSED in statuses and not statuses & set(PLAYED_ON)


def is_for_everybody(championship: Championship) -> bool:
    """Whether a stranger may see it and its cards."""
    return championship.public and regulations_of(championship).visibility != "private"


def refuse_unless_finished(championship: Championship) -> None:
    """Raises TournamentError `copies/not_finished`, or `copies/not_public`: what a stranger may not see is in
    no copy, and nothing would be left.
    """
    if not is_finished(championship):
        raise TournamentError(
            "copies/not_finished",
            _("Close the championship first: what is still being played is not copied."),
        )
    if not is_for_everybody(championship):
        raise TournamentError(
            "copies/not_public",
            _(
                "Only those who take part may see this championship or its cards: "
                "a copy is for everybody who has the stick."
            ),
        )
