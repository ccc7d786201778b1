"""Holding rows while something is done, always in one order, so that nobody waits in a circle:

championship, then round or dispute, then streams (a game's, the round's, the championship's). NO KEY, so
that rows which only point at them can still be added.
"""

from tournaments.models import Championship, Dispute, Round
from tournaments.permissions import Actor, require


def championship(pk: int) -> Championship:
    """The championship, held to the end of the transaction."""
    return Championship.objects.select_for_update(no_key=True).get(pk=pk)


def in_office(held: Championship, actor: Actor, action: str) -> Championship:
    """The championship, held as above, for somebody who may do this in it. Asked when nobody can be dismissed
    any more, so that an office that was taken away counts for what was on its way. Raises NotAllowed.
    """
    locked = championship(held.pk)
    require(actor, action, locked)
    return locked


def round_(pk: int) -> Round:
    """The round, held to the end of the transaction."""
    return Round.objects.select_for_update(no_key=True).get(pk=pk)


def dispute(pk: int) -> Dispute:
    """The dispute with its table, held to the end of the transaction."""
    found = Dispute.objects.select_for_update(no_key=True, of=("self",))
    return found.select_related("table__round__championship").get(pk=pk)
