"""Pairs of an older version, which kept them as wishes for the draw: they become entrants, and their streams
say so. A championship that is finished was ranked without them, and stays as it is.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.migrations import Migration

from games.appending import SERVER
from tournaments.models import Championship, SideConstraint
from tournaments.services import locks
from tournaments.services.current_regulations import regulations_of
from tournaments.services.entries import pairs


def adopt(championship: Championship) -> int:
    """Make entrants of the pairs of a championship that is not finished. How many."""
    wishes = championship.side_constraints.filter(kind=SideConstraint.Kind.FIXED_PAIR)
    fixed = regulations_of(championship).play.format == pairs.FORMAT
    if championship.status == Championship.Status.FINISHED or not fixed:
        return 0
    with transaction.atomic():
        locks.championship(championship.pk)
        found = list(wishes.select_related("one", "other").order_by("one__number"))
        for wish in found:
            pairs.form(wish.one, wish.other, ref=SERVER)
        wishes.delete()
    return len(found)


def adopt_after_migrate(plan: Sequence[tuple[Migration, bool]] = (), **_more: Any) -> None:
    """Receiver of post_migrate: once, when the database has learned what an entrant is."""
    if any(step.name.endswith("_entrants") and not backwards for step, backwards in plan):
        of_pairs = SideConstraint.objects.filter(kind=SideConstraint.Kind.FIXED_PAIR)
        for championship in Championship.objects.filter(pk__in=of_pairs.values("championship")):
            adopt(championship)
