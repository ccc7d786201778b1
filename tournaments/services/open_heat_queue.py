"""The queue of a session: which starts wait, in which order, and which of their persons
play at a table now.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import Game
from tournaments.errors import TournamentError
from tournaments.models import Entry, QueuePlace, Round, Seating
from tournaments.services.current_regulations import load_regulations
from tournaments.services.people.entry_persons import load_persons

PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class WaitingStart:
    """A waiting start of one person or of a pair.

    entries: the entry of each person, by number; people: primary keys of the persons' first entries; table:
    number of the table where one of them still plays; the start waits for its end.
    """

    entries: tuple[Entry, ...]
    people: tuple[int, ...]
    queued_at: datetime
    table: int | None = None

    @property
    def entry(self) -> Entry:
        """The entry with the lowest number. Its number is the number of the start."""
        return self.entries[0]


def list_waiting(round_: Round) -> list[WaitingStart]:
    """List the starts that wait in a session, in order of arrival. A pair is one start. At
    most four queries.
    """
    places = QueuePlace.objects.filter(round=round_, entry__status=Entry.Status.ARRIVED)
    places = places.exclude(entry__seatings__round=round_).select_related("entry")
    found = list(places.order_by("queued_at", "pk"))
    if not found:
        return []
    person_of = load_persons(round_.championship_id)
    playing = {person_of[entry]: table for entry, _round, table in _list_playing(round_.championship_id)}
    waiting = []
    for places_of_start in _group_places(round_, found):
        entries = tuple(sorted((one.entry for one in places_of_start), key=lambda entry: entry.number))
        people = tuple(person_of[entry.pk] for entry in entries)
        table = next((playing[person] for person in people if person in playing), None)
        waiting.append(WaitingStart(entries, people, places_of_start[0].queued_at, table))
    return waiting


def _group_places(round_: Round, places: list[QueuePlace]) -> list[list[QueuePlace]]:
    """Group the places by start: one place each or, where pairs start, the two places of
    each complete pair.
    """
    if load_regulations(round_.championship).play.format != "fixed_pairs":
        return [[place] for place in places]
    of_pair: dict[int, list[QueuePlace]] = {}
    for place in places:
        if place.entry.entrant_id is not None:
            of_pair.setdefault(place.entry.entrant_id, []).append(place)
    return [both for both in of_pair.values() if len(both) == PAIR]


def require_here(round_: Round, person: Entry) -> None:
    """Refuse a person who waits or plays in another session.

    The caller has locked the championship. Raises TournamentError `starts/waits_elsewhere`,
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
                _("%(name)s is still playing at table %(table)s of session %(round)s."),
                name=person.name,
                table=table,
                round=other,
            )


def release_queue(round_: Round) -> None:
    """Empty the queue of a session that ends. Starts that still wait stay bought, and can be queued in
    another session.
    """
    places = QueuePlace.objects.filter(round=round_).exclude(entry__seatings__round=round_)
    for place in places.select_related("entry"):
        mark_away(place.entry)
    places.delete()


def drop_places(entries: Collection[Entry]) -> None:
    """Remove starts from their queues, pairs with both entries. A partner's entry outside `entries` that has
    had no seat is marked as not present.
    """
    pairs = [entry.entrant_id for entry in entries if entry.entrant_id is not None]
    places = QueuePlace.objects.filter(Q(entry__in=entries) | Q(entry__entrant__in=pairs))
    for place in places.select_related("entry"):
        if place.entry not in entries and not place.entry.seatings.exists():
            mark_away(place.entry)
        place.delete()


def mark_away(entry: Entry) -> None:
    """Mark an entry as not present. It stays entered, and paid if it was."""
    if entry.status == Entry.Status.ARRIVED:
        entry.status = Entry.Status.PAID if entry.paid else Entry.Status.REGISTERED
        entry.arrived_at = None
        entry.save(update_fields=["status", "arrived_at"])


def _list_playing(championship: int) -> Iterable[tuple[int, int, int]]:
    """Return (entry, number of the session, number of the table) of everybody who plays now. One query."""
    playing = ~Q(table__game__status__in=Game.OVER)
    rows = Seating.objects.filter(playing, round__championship=championship, round__status=Round.Status.OPEN)
    return rows.order_by("table__number").values_list("entry_id", "round__number", "table__number")
