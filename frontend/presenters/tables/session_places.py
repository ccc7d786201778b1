"""The places of people in the open sessions of an open heat: at a table or in the queue."""

from collections.abc import Sequence
from dataclasses import dataclass

from frontend.presenters.tables.tables import seat_mark
from games.models import Game
from tournaments.models import Championship, Entry, QueuePlace, Round, Seating
from tournaments.services.people.entry_persons import load_persons


@dataclass(frozen=True, slots=True)
class SessionPlace:
    """A person's place in an open session: at a running table, else in the queue.

    person: the person's first entry if it was among those searched, else another one; session: number of the
    session, None if the person is in none; mark: label of the chair; start: number of the start that is
    played; waits: number of the person's starts in the queue.
    """

    person: Entry
    session: int | None = None
    table: int | None = None
    mark: str = ""
    start: int = 0
    waits: int = 0


def session_places(championship: Championship, people: Sequence[Entry], *, chips: int) -> list[SessionPlace]:
    """Return one SessionPlace for each of these people, sorted by name. `chips`: see `seat_mark`."""
    if not people:
        return []
    person_of = load_persons(championship.pk)
    entry_of_person: dict[int, Entry] = {}
    for entry in sorted(people, key=lambda one: one.pk != person_of[one.pk]):
        entry_of_person.setdefault(person_of[entry.pk], entry)
    entry_keys = [pk for pk, person in person_of.items() if person in entry_of_person]
    playing = Seating.objects.filter(entry__in=entry_keys, round__status=Round.Status.OPEN)
    seats = {
        person_of[one.entry_id]: one
        for one in playing.exclude(table__game__status__in=Game.OVER).select_related(
            "round", "table", "entry"
        )
    }
    queued = QueuePlace.objects.filter(
        entry__in=entry_keys, round__status=Round.Status.OPEN, entry__status=Entry.Status.ARRIVED
    ).exclude(entry__seatings__isnull=False)
    waits: dict[int, list[int]] = {}
    for entry_id, number in queued.values_list("entry_id", "round__number"):
        waits.setdefault(person_of[entry_id], []).append(number)
    places = []
    for pk, entry in entry_of_person.items():
        seat, queues = seats.get(pk), waits.get(pk, [])
        if seat is not None:
            table, mark = seat.table.number, seat_mark(seat.table.number, seat.seat, chips=chips)
            places.append(SessionPlace(entry, seat.round.number, table, mark, seat.entry.number, len(queues)))
        else:
            places.append(SessionPlace(entry, queues[0] if queues else None, waits=len(queues)))
    return sorted(places, key=lambda one: (one.person.sort_name, one.person.number))
