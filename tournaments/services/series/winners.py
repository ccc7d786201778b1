"""The winners of championships, by the ranking published last, and of series, by the final or the table."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from django.db.models import Max, Q

from games.recently_used import RecentlyUsed
from tournaments.models import Championship, Entry, StandingsSnapshot
from tournaments.series.document import SeriesError
from tournaments.services.series.loading import LoadedSeries

MAX_SHARED: Final = 4
"""Number of rows that are read of a ranking. If more rows share the first place, the others are left out."""
MAX_KEPT: Final = 10_000
"""Most rankings whose winners a process keeps."""
KEPT: Final = RecentlyUsed[int, frozenset[int]](MAX_KEPT)
"""Primary key of a ranking → entry numbers at the first place."""


def load_winners(championships: Collection[Championship]) -> dict[int, list[Entry]]:
    """Return championship → entries at the first place, with the names that the reader may see.

    Three queries at most. The winners of a ranking are read once and cached, since it never changes.
    """
    newest = StandingsSnapshot.objects.filter(championship__in=championships).order_by("championship")
    pks: dict[int, int] = dict(newest.values_list("championship").annotate(Max("pk")))
    firsts = _load_first_numbers(pks.values())
    numbers = {championship: firsts[pk] for championship, pk in pks.items()}
    wanted = Q()
    for championship, found in numbers.items():
        wanted |= Q(championship=championship, number__in=sorted(found))
    won: dict[int, list[Entry]] = {}
    for entry in Entry.objects.filter(wanted).order_by("number") if numbers else ():
        won.setdefault(entry.championship_id, []).append(entry)
    return won


def _load_first_numbers(pks: Collection[int]) -> dict[int, frozenset[int]]:
    """Return primary key of each ranking → entry numbers at the first place."""
    found = KEPT.find(pks)
    missing = [pk for pk in pks if pk not in found]
    if missing:
        rows = StandingsSnapshot.objects.filter(pk__in=missing)
        for pk, *top in rows.values_list("pk", *(f"rows__{at}" for at in range(MAX_SHARED))):
            found[pk] = _find_first_numbers(top)
    KEPT.keep(found)
    return found


def _find_first_numbers(rows: Sequence[Mapping[str, Any] | None]) -> frozenset[int]:
    """Return the entry numbers of the rows at the first place. The row of a pair has two."""
    return frozenset(
        number
        for row in rows
        if row is not None and row["place"] == 1
        for number in row.get("members") or (row["key"],)
    )


def is_over(loaded: LoadedSeries) -> bool:
    """Return whether the series is over: at least one event was held, and none is still to come."""
    states = [event.state for event in loaded.document.events]
    return "held" in states and "planned" not in states


def find_series_winners(loaded: LoadedSeries) -> list[str]:
    """Return the references of the winners of a series: of the final if there is one, otherwise of the table.

    Empty if the series is not over.
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
