"""The queue of a session: which starts wait, in which order, and whose person plays at a table now."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import Game
from tournaments.errors import TournamentError
from tournaments.models import Entry, QueuePlace, Round, Seating
from tournaments.services.persons import load_persons

OVER = (Game.Status.ENDED, Game.Status.CLOSED)


@dataclass(frozen=True, slots=True)
class WaitingStart:
    """A start that waits. person: primary key of the person's first entry; table: where the person plays now.

    A start of a person who plays waits for the end of that table.
    """

    entry: Entry
    person: int
    queued_at: datetime
    table: int | None = None


def list_waiting(round_: Round) -> list[WaitingStart]:
    """List the starts that wait in a session, first come first. Three queries."""
    places = QueuePlace.objects.filter(round=round_, entry__status=Entry.Status.ARRIVED)
    places = places.exclude(entry__seatings__round=round_).select_related("entry")
    found = list(places.order_by("queued_at", "pk"))
    if not found:
        return []
    person_of = load_persons(round_.championship_id)
    playing = {person_of[entry]: table for entry, _round, table in _list_playing(round_.championship_id)}
    return [
        WaitingStart(one.entry, person_of[one.entry_id], one.queued_at, playing.get(person_of[one.entry_id]))
        for one in found
    ]


def require_here(round_: Round, person: Entry) -> None:
    """Refuse a person who is in another session.

    The caller holds the championship's lock. Raises TournamentError `starts/waits_elsewhere`,
    `starts/plays_elsewhere`.
    """
    person_of = load_persons(round_.championship_id)
    own = {pk for pk, first in person_of.items() if first == person_of[person.pk]}
    waiting = QueuePlace.objects.filter(
        entry__in=own, entry__status=Entry.Status.ARRIVED, round__status=Round.Status.OPEN
    ).exclude(round=round_)
    for place in waiting.exclude(entry__seatings__isnull=False).select_related("round"):
        raise TournamentError(
            "starts/waits_elsewhere",
            _("%(name)s waits in session %(round)s: take the start out of the queue there first."),
            name=person.name,
            round=place.round.number,
        )
    for entry, other, table in _list_playing(round_.championship_id):
        if entry in own and other != round_.number:
            raise TournamentError(
                "starts/plays_elsewhere",
                _("%(name)s still plays at table %(table)s of session %(round)s."),
                name=person.name,
                table=table,
                round=other,
            )


def release_queue(round_: Round) -> None:
    """Empty the queue of a session that ends: starts that still wait stay bought, for another session."""
    places = QueuePlace.objects.filter(round=round_).exclude(entry__seatings__round=round_)
    for place in places.select_related("entry"):
        mark_away(place.entry)
    places.delete()


def mark_away(entry: Entry) -> None:
    """Mark a start that waited as bought and not here."""
    if entry.status == Entry.Status.ARRIVED:
        entry.status = Entry.Status.PAID if entry.paid else Entry.Status.REGISTERED
        entry.arrived_at = None
        entry.save(update_fields=["status", "arrived_at"])


def _list_playing(championship: int) -> Iterable[tuple[int, int, int]]:
    """List (entry, number of the session, number of the table) of everybody who plays now. One query."""
    playing = ~Q(table__game__status__in=OVER)
    rows = Seating.objects.filter(playing, round__championship=championship, round__status=Round.Status.OPEN)
    return rows.order_by("table__number").values_list("entry_id", "round__number", "table__number")
