"""Holding rows while something is done, always in one order, so that nobody waits in a circle:

championship, then round or dispute, then streams (a game's, the round's, the championship's). NO KEY, so
that rows which only point at them can still be added.
"""

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.models import Championship, Dispute, Round
from tournaments.permissions import Actor, require


def championship(pk: int) -> Championship:
    """The championship, held to the end of the transaction. Raises TournamentError `championship/gone` where
    somebody has deleted it meanwhile."""
    found = Championship.objects.select_for_update(no_key=True).filter(pk=pk).first()
    if found is None:
        raise TournamentError("championship/gone", _("This championship was deleted."))
    return found


def writable(pk: int) -> Championship:
    """The same, for whoever changes something in it. Raises TournamentError `championship/archived`."""
    locked = championship(pk)
    if locked.archived_at is not None:
        raise _archived()
    return locked


def _archived() -> TournamentError:
    return TournamentError(
        "championship/archived",
        _("This championship is archived, and read-only: take it out of the archive first."),
    )


def require_official_unlocked(championship: Championship, actor: Actor, action: str) -> str:
    """The reference of somebody who may do this, where one row of the desk's is written and nothing has to be
    held for it. Raises NotAllowed, TournamentError `championship/archived`."""
    ref = require(actor, action, championship)
    if Championship.objects.filter(pk=championship.pk, archived_at__isnull=False).exists():
        raise _archived()
    return ref


def require_official(held: Championship, actor: Actor, action: str) -> Championship:
    """The championship, held as above, for somebody who may do this in it. Asked when nobody can be dismissed
    any more, so that an office that was taken away counts for what was on its way. Raises NotAllowed, and
    TournamentError as above.
    """
    locked = writable(held.pk)
    require(actor, action, locked)
    return locked


def round_(pk: int) -> Round:
    """The round, held to the end of the transaction."""
    return Round.objects.select_for_update(no_key=True).get(pk=pk)


def dispute(pk: int) -> Dispute:
    """The dispute with its table, held to the end of the transaction."""
    found = Dispute.objects.select_for_update(no_key=True, of=("self",))
    return found.select_related("table__round__championship").get(pk=pk)
