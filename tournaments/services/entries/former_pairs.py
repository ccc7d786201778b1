"""Migration of fixed pairs from side constraints to entrants, recorded in the streams of the championships.

Finished championships were ranked without entrants and are not changed.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.migrations import Migration

from games.appending import SERVER
from tournaments.models import Championship, SideConstraint
from tournaments.services import locks
from tournaments.services.current_regulations import load_regulations
from tournaments.services.entries import pairs


def convert_pairs(championship: Championship) -> int:
    """Convert the fixed pairs of a championship to entrants; return their number, 0 if it is finished or has
    no fixed pairs.
    """
    wishes = championship.side_constraints.filter(kind=SideConstraint.Kind.FIXED_PAIR)
    fixed = load_regulations(championship).play.format == pairs.FORMAT
    if championship.status == Championship.Status.FINISHED or not fixed:
        return 0
    with transaction.atomic():
        locks.lock_championship(championship.pk)
        found = list(wishes.select_related("one", "other").order_by("one__number"))
        for wish in found:
            pairs.form_pair(wish.one, wish.other, ref=SERVER)
        wishes.delete()
    return len(found)


def convert_after_migrate(plan: Sequence[tuple[Migration, bool]] = (), **_more: Any) -> None:
    """Convert the pairs of all championships once, after the migration that adds entrants.

    Receiver of post_migrate.
    """
    if any(step.name.endswith("_entrants") and not backwards for step, backwards in plan):
        of_pairs = SideConstraint.objects.filter(kind=SideConstraint.Kind.FIXED_PAIR)
        for championship in Championship.objects.filter(pk__in=of_pairs.values("championship")):
            convert_pairs(championship)
