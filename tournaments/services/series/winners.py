"""Who has won: of championships by the ranking published last, of series by the final or the table."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from django.db.models import OuterRef, Subquery

from tournaments.models import Championship, Entry, StandingsSnapshot
from tournaments.series.document import SeriesError
from tournaments.services.series.loading import LoadedSeries

MAX_SHARED: Final = 4
"""Rows that are read of a ranking; further ones that share the first place are left out."""


def load_winners(championships: Collection[Championship]) -> dict[int, list[Entry]]:
    """Return the entries at the first place of each championship, with the names that the reader may see.

    Two queries; the other rows of the rankings, which can be long, are not read.
    """
    newest = StandingsSnapshot.objects.filter(championship=OuterRef("championship")).order_by("-version")
    firsts = StandingsSnapshot.objects.filter(
        championship__in=championships, version=Subquery(newest.values("version")[:1])
    ).values_list("championship", *(f"rows__{at}" for at in range(MAX_SHARED)))
    numbers = {pk: _find_first_numbers(rows) for pk, *rows in firsts}
    wanted = {number for found in numbers.values() for number in found}
    won: dict[int, list[Entry]] = {}
    for entry in Entry.objects.filter(championship__in=numbers, number__in=wanted).order_by("number"):
        if entry.number in numbers[entry.championship_id]:
            won.setdefault(entry.championship_id, []).append(entry)
    return won


def _find_first_numbers(rows: Sequence[Mapping[str, Any] | None]) -> set[int]:
    """Return the entry numbers of the rows at the first place; pairs have several."""
    return {
        number
        for row in rows
        if row is not None and row["place"] == 1
        for number in row.get("members") or (row["key"],)
    }


def is_over(loaded: LoadedSeries) -> bool:
    """Return whether no event is to come, and one was held."""
    states = [event.state for event in loaded.document.events]
    return "held" in states and "planned" not in states


def find_series_winners(loaded: LoadedSeries) -> list[str]:
    """Return the persons who have won a series that is over: its final if it leads to one, else its table."""
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
