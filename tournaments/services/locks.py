"""Holding rows while something is done, always in one order, so that nobody waits in a circle:

championship, then round or dispute, then streams (a game's, the round's, the championship's). NO KEY, so
that rows which only point at them can still be added.
"""

from tournaments.models import Championship, Dispute, Round


def championship(pk: int) -> Championship:
    """The championship, held to the end of the transaction."""
    return Championship.objects.select_for_update(no_key=True).get(pk=pk)


def round_(pk: int) -> Round:
    """The round, held to the end of the transaction."""
    return Round.objects.select_for_update(no_key=True).get(pk=pk)


def dispute(pk: int) -> Dispute:
    """The dispute with its table, held to the end of the transaction."""
    found = Dispute.objects.select_for_update(no_key=True, of=("self",))
    return found.select_related("table__round__championship").get(pk=pk)
