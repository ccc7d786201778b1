"""Row locks, always taken in one order so that no deadlock is possible.

The order is: the championship, then a round or dispute, then streams (of a game, of the round, of the
championship). The locks are NO KEY, so that rows with a foreign key to a locked row can still be added.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.models import Championship, Dispute, Round
from tournaments.permissions import Actor, require


def lock_championship(pk: int) -> Championship:
    """Lock the championship to the end of the transaction.

    Raises TournamentError `championship/gone` if it was deleted.
    """
    found = Championship.objects.select_for_update(no_key=True).filter(pk=pk).first()
    if found is None:
        raise TournamentError("championship/gone", _("This championship was deleted."))
    return found


def lock_writable(pk: int) -> Championship:
    """Lock a championship to change it. Raises TournamentError `championship/archived` if it is read-only."""
    locked = lock_championship(pk)
    if locked.archived_at is not None:
        raise _archived_error()
    return locked


def _archived_error() -> TournamentError:
    return TournamentError(
        "championship/archived",
        _("This championship is archived and read-only: restore it from the archive first."),
    )


def require_official_unlocked(championship: Championship, actor: Actor, action: str) -> str:
    """Check the actor's permission without a lock, for services that write a single row. Return the actor's
    reference.

    Raises NotAllowed, TournamentError `championship/archived`.
    """
    ref = require(actor, action, championship)
    if Championship.objects.filter(pk=championship.pk, archived_at__isnull=False).exists():
        raise _archived_error()
    return ref


def require_official(locked_championship: Championship, actor: Actor, action: str) -> Championship:
    """Lock the championship and check the actor's permission.

    The permission is checked after locking. Therefore a request is refused if the actor is dismissed while it
    waits for the lock. Raises NotAllowed, TournamentError `championship/…`.
    """
    locked = lock_writable(locked_championship.pk)
    require(actor, action, locked)
    return locked


@contextmanager
def locked_for(locked_championship: Championship, actor: Actor, action: str) -> Iterator[Championship]:
    """Lock the championship as `require_official` does, and yield it, in one transaction."""
    with transaction.atomic():
        yield require_official(locked_championship, actor, action)


@contextmanager
def for_official(
    locked_championship: Championship, actor: Actor, action: str
) -> Iterator[tuple[Championship, str]]:
    """Lock the championship as `locked_for` does, and yield it with the actor's reference.

    The permission is also checked before locking, so that an actor without it does not lock anything.
    """
    ref = require(actor, action, locked_championship)
    with locked_for(locked_championship, actor, action) as locked:
        yield locked, ref


def lock_round(pk: int) -> Round:
    """Lock the round to the end of the transaction."""
    return Round.objects.select_for_update(no_key=True).get(pk=pk)


def lock_dispute(pk: int) -> Dispute:
    """Lock the dispute to the end of the transaction. Its table, round and championship are loaded without a
    lock.
    """
    found = Dispute.objects.select_for_update(no_key=True, of=("self",))
    return found.select_related("table__round__championship").get(pk=pk)
