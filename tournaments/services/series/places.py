"""Places of entries in the rankings published last, cached in the process. A published ranking never changes.

Decoding a ranking of thousands takes long, and the page of a person needs only one row of each ranking.
"""

from array import array
from collections.abc import Collection
from typing import Final, NamedTuple

import msgspec
from django.db.models import Max, TextField
from django.db.models.functions import Cast

from games.recently_used import RecentlyUsed
from tournaments.competition import Points
from tournaments.models import StandingsSnapshot
from tournaments.standings import RankingRow

MAX_ROWS: Final = 500_000
"""Largest number of ranking rows that a process keeps, some 100 bytes each."""


class PlaceOf(NamedTuple):
    """A row of a ranking. people: number of rows of the ranking; total: None if the row has no result."""

    place: int
    people: int
    total: Points | None


class _Ranking:
    """A ranking stored by columns. The row of an entry is found by the entry's number."""

    def __init__(self, rows: Collection[RankingRow]) -> None:
        self.people = len(rows)
        self._places = array("l")
        self._totals: list[Points] = []
        self._results = bytearray()
        self._at: dict[int, int] = {}
        for at, row in enumerate(rows):
            self._places.append(row.place)
            self._totals.append(row.total)
            self._results.append(row.has_result)
            for number in row.numbers:  # of several rows of a person the best one counts
                self._at.setdefault(number, at)

    def find(self, number: int) -> PlaceOf | None:
        """Return the row of the entry with this number, None without one. Of several rows, the best one is
        returned.
        """
        at = self._at.get(number)
        if at is None:
            return None
        return PlaceOf(self._places[at], self.people, self._totals[at] if self._results[at] else None)


KEPT: Final = RecentlyUsed[int, _Ranking](size=lambda one: one.people, most_size=MAX_ROWS)


def load_places_of(numbers: dict[int, int]) -> dict[int, PlaceOf]:
    """Return championship → row of an entry in its latest published ranking. numbers: championship → entry
    number.

    Championships in which the entry has no row are left out. One query, and one more for rankings that are
    not cached.
    """
    found = StandingsSnapshot.objects.filter(championship__in=numbers).order_by("championship")
    newest: dict[int, int] = dict(found.values_list("championship").annotate(Max("pk")))
    rankings = _load(list(newest.values()))
    rows = {pk: rankings[newest[pk]].find(number) for pk, number in numbers.items() if pk in newest}
    return {pk: row for pk, row in rows.items() if row is not None}


def _load(pks: list[int]) -> dict[int, _Ranking]:
    found = KEPT.find(pks)
    missing = [pk for pk in pks if pk not in found]
    if missing:
        rows = StandingsSnapshot.objects.filter(pk__in=missing)
        for pk, text in rows.values_list("pk", Cast("rows", TextField())).iterator(chunk_size=1):
            found[pk] = _Ranking(msgspec.json.decode(text, type=list[RankingRow]))
    KEPT.keep(found)
    return found
