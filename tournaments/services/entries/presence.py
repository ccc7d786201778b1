"""*All here*: marking all entries as present at once, and undoing it.

All entries marked by one press share the same `arrived_at` to the microsecond, which identifies the press.
Entries marked as absent in between stay absent when it is undone.
"""

from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Case, Count, Value, When
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry
from tournaments.permissions import Actor
from tournaments.services import locks

EXPECTED: Final = (Entry.Status.REGISTERED, Entry.Status.PAID)


class Press(NamedTuple):
    """One press of *All here*: its time, and how many of the marked entries are still present."""

    at: datetime
    people: int


def mark_all_present(championship: Championship, *, actor: Actor) -> Press:
    """Mark everyone present who has not withdrawn.

    Raises TournamentError `entries/nobody_missing` if all are.
    """
    with locks.for_official(championship, actor, "enter") as (locked, _ref):
        at = timezone.now()
        expected = locked.entries.filter(status__in=EXPECTED)
        marked = expected.update(status=Entry.Status.ARRIVED, arrived_at=at)
        if not marked:
            raise TournamentError("entries/nobody_missing", _("Everybody who is entered is here already."))
    return Press(at, marked)


def undo_all_present(championship: Championship, at: datetime, *, actor: Actor) -> int:
    """Mark the entries of that press as absent; return their number.

    Raises `entries/press_gone` if none is left.
    """
    with locks.for_official(championship, actor, "enter") as (locked, _ref):
        before = Case(
            When(paid=True, then=Value(Entry.Status.PAID.value)),
            default=Value(Entry.Status.REGISTERED.value),
        )
        marked = locked.entries.filter(status=Entry.Status.ARRIVED, arrived_at=at)
        undone = marked.update(status=before, arrived_at=None)
        if not undone:
            raise TournamentError(
                "entries/press_gone", _("That press of “All here” is undone already: look at the list.")
            )
    return undone


def last_press(championship: Championship) -> Press | None:
    """Return the last press that can be undone, before the championship runs. At most one query."""
    if championship.status != Championship.Status.DRAFT:
        return None
    here = championship.entries.filter(status=Entry.Status.ARRIVED).exclude(arrived_at=None).order_by()
    together = here.values("arrived_at").annotate(people=Count("pk")).filter(people__gt=1)
    found = together.order_by("-arrived_at").first()
    if found is None or found["arrived_at"] is None:
        return None
    return Press(found["arrived_at"], found["people"])
