"""The winners of championships, by the ranking published last, and of series, by the final or the table."""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from django.db.models import Max, Q

from games.recently_used import RecentlyUsed
from tournaments.models import Championship, Entry, StandingsSnapshot
from tournaments.series.document import SeriesError
from tournaments.services.series.loading import LoadedSeries

MAX_SHARED: Final = 4
"""Number of rows at the first place whose people are named. People of further rows are counted."""
MAX_KEPT: Final = 10_000
"""Largest number of rankings whose winners a process keeps."""


class FirstPlace(NamedTuple):
    """The first place of a ranking. `numbers`: of the entries that are named; `further`: number of its other
    entries.
    """

    numbers: frozenset[int]
    further: int


class Winners(NamedTuple):
    """The winners of a championship. `further`: number of winners that are not in `entries`."""

    entries: list[Entry]
    further: int


KEPT: Final = RecentlyUsed[int, FirstPlace](MAX_KEPT)
"""Primary key of a ranking → its first place."""


def load_winners(championships: Collection[Championship]) -> dict[int, Winners]:
    """Return championship → its winners, if it has a published ranking.

    Four queries at most. The winners of a ranking are read once and cached, since it never changes.
    """
    newest = StandingsSnapshot.objects.filter(championship__in=championships).order_by("championship")
    pks: dict[int, int] = dict(newest.values_list("championship").annotate(Max("pk")))
    places = _load_first_places(pks.values())
    firsts = {championship: places[pk] for championship, pk in pks.items()}
    wanted = Q()
    for championship, found in firsts.items():
        wanted |= Q(championship=championship, number__in=sorted(found.numbers))
    won: dict[int, Winners] = {}
    for entry in Entry.objects.filter(wanted).order_by("number") if firsts else ():
        further = firsts[entry.championship_id].further
        won.setdefault(entry.championship_id, Winners([], further)).entries.append(entry)
    return won


def _load_first_places(pks: Collection[int]) -> dict[int, FirstPlace]:
    """Return primary key of each ranking → its first place. All rows are read only of rankings with more
    than MAX_SHARED rows at the first place.
    """
    found = KEPT.find(pks)
    missing = [pk for pk in pks if pk not in found]
    if missing:
        rows = StandingsSnapshot.objects.filter(pk__in=missing)
        many = []
        for pk, *top in rows.values_list("pk", *(f"rows__{at}" for at in range(MAX_SHARED + 1))):
            found[pk] = _find_first_place(top)
            if found[pk].further:
                many.append(pk)
        for pk, every in rows.filter(pk__in=many).values_list("pk", "rows") if many else ():
            found[pk] = _find_first_place(every)
    KEPT.keep(found)
    return found


def _find_first_place(rows: Sequence[Mapping[str, Any] | None]) -> FirstPlace:
    """Return the first place by these rows of the ranking. The row of a pair has two entry numbers."""
    firsts = [row.get("members") or (row["key"],) for row in rows if row is not None and row["place"] == 1]
    named = frozenset(chain.from_iterable(firsts[:MAX_SHARED]))
    return FirstPlace(named, sum(map(len, firsts[MAX_SHARED:])))


def is_over(loaded: LoadedSeries) -> bool:
    """Return whether the series is over: at least one event was held, and none is still to come."""
    states = [event.state for event in loaded.document.events]
    return "held" in states and "planned" not in states


def find_series_winners(loaded: LoadedSeries) -> list[str]:
    """Return the references of the winners of a series: of the final if it was held, otherwise of the table.

    Empty if the series is not over or has no table.
    """
    if not is_over(loaded):
        return []
    final = loaded.final
    event = None if final is None else loaded.document.by_key[final.key]
    if event is not None and event.state == "held":
        return [row.ref for row in event.ranking if row.place == 1]
    try:
        return [row.ref for row in loaded.table.rows if row.place == 1]
    except SeriesError:
        return []
