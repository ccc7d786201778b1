"""Presence of entries: the button *All here*, which marks everybody as present, its undoing, and absences
with notice.

All entries marked by one press have the same `arrived_at` to the microsecond, which identifies the press. If
an entry is marked as absent afterwards, undoing the press does not change it.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Case, Count, Value, When
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.appending import record
from tournaments.errors import TournamentError
from tournaments.events import AbsencesExcused
from tournaments.models import Championship, Entry, Round
from tournaments.permissions import Actor
from tournaments.services import locks
from tournaments.services.entries import pairs

EXPECTED: Final = (Entry.Status.REGISTERED, Entry.Status.PAID)


class Press(NamedTuple):
    """One press of *All here*. `at`: its time; `people`: how many of the marked entries are still present."""

    at: datetime
    people: int


def mark_all_present(championship: Championship, *, actor: Actor) -> Press:
    """Mark every absent entry that has not withdrawn as present.

    Raises TournamentError `entries/nobody_missing` if all are present already.
    """
    with locks.for_official(championship, actor, "enter") as (locked, _ref):
        at = timezone.now()
        expected = locked.entries.filter(status__in=EXPECTED)
        marked = expected.update(status=Entry.Status.ARRIVED, arrived_at=at)
        if not marked:
            raise TournamentError("entries/nobody_missing", _("Everybody entered is already here."))
    return Press(at, marked)


def undo_all_present(championship: Championship, at: datetime, *, actor: Actor) -> int:
    """Undo the press of *All here* at this time: mark its entries as absent, and return their number.

    Raises TournamentError `entries/press_gone` if no entry of that press is still present.
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
                "entries/press_gone", _("That press of “All here” is already undone: check the list.")
            )
    return undone


def excuse_absences(entry: Entry, numbers: Collection[int], *, actor: Actor) -> None:
    """Store the rounds that a person misses with notice. For a pair they are stored for both members.

    `numbers`: of all rounds that the person misses; earlier numbers are replaced. A draw still includes
    everybody whom the desk has marked as present. Raises TournamentError `entries/excused_late` for a change
    to a round that is drawn already, `entries/no_round`.
    """
    with locks.for_official(entry.championship, actor, "enter") as (locked, ref):
        entry.refresh_from_db()
        wanted = sorted(set(numbers))
        partner = pairs.find_partner(entry)
        of_both = [one for one in (entry, partner) if one is not None and one.excused_rounds != wanted]
        changed = {number for one in of_both for number in set(one.excused_rounds) ^ set(wanted)}
        statuses = dict(locked.rounds.values_list("number", "status"))
        for number in sorted(changed):
            if number not in statuses:
                raise TournamentError("entries/no_round", _("There is no round %(round)s."), round=number)
            if statuses[number] != Round.Status.PLANNED:
                raise TournamentError(
                    "entries/excused_late",
                    _("Round %(round)s is already drawn: an absence must be excused before the draw."),
                    round=number,
                )
        for one in of_both:
            one.excused_rounds = wanted
            one.save(update_fields=["excused_rounds"])
            event = AbsencesExcused(player=one.player_ref, rounds=tuple(wanted))
            record(locked.stream_id, event, actor=ref)


def last_press(championship: Championship) -> Press | None:
    """Return the last press of *All here* of which at least two people are still present; None if there is
    none, or once a round was opened.

    At most one query.
    """
    if championship.status != Championship.Status.DRAFT:
        return None
    here = championship.entries.filter(status=Entry.Status.ARRIVED).exclude(arrived_at=None).order_by()
    together = here.values("arrived_at").annotate(people=Count("pk")).filter(people__gt=1)
    found = together.order_by("-arrived_at").first()
    if found is None or found["arrived_at"] is None:
        return None
    return Press(found["arrived_at"], found["people"])
