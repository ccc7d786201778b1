"""The difference between two tables of a series: before and after a change, or between two published
versions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from frontend.presenters.words.figures import format_figure
from tournaments.models import SeriesSnapshot
from tournaments.series.document import parse_exact
from tournaments.series.series_json import write_rows, write_tickets
from tournaments.services.series.loading import LoadedSeries

LINES_SHOWN: Final = 200
"""Largest number of lines shown. Of a longer table only changed lines are shown."""


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """A person with place and total in both tables; the texts are empty for a table without the person."""

    name: str
    place_before: str
    total_before: str
    place: str
    total: str

    @property
    def changed(self) -> bool:
        return (self.place_before, self.total_before) != (self.place, self.total)


@dataclass(frozen=True, slots=True)
class SeriesDifference:
    """The difference between two tables and two qualifications. changed: number of changed lines; left_out:
    number of lines not shown; qualified, no_longer: names of people who are new among the qualified, or no
    longer among them; first: there was no table before.
    """

    lines: Sequence[DifferenceLine]
    changed: int
    left_out: int
    qualified: Sequence[str]
    no_longer: Sequence[str]
    first: bool

    @property
    def any(self) -> bool:
        return bool(self.changed or self.qualified or self.no_longer)


Rows = Sequence[Mapping[str, Any]]


def compare_loaded(
    before: LoadedSeries | None, after: LoadedSeries | None, names: Mapping[str, str]
) -> SeriesDifference:
    """Return the difference between two states of a series; None stands for an empty table. names: reference
    → name.
    """
    return _compare(_rows_of(before), _rows_of(after), names, _tickets_of(before), _tickets_of(after))


def compare_published(
    before: SeriesSnapshot | None, after: SeriesSnapshot | LoadedSeries, names: Mapping[str, str]
) -> SeriesDifference:
    """Return the difference between a published version (None: an empty table) and either a later version or
    the series as it is now. names: reference → name.
    """
    rows = [] if before is None else before.table
    tickets = [] if before is None else _refs(before.qualification)
    if isinstance(after, SeriesSnapshot):
        return _compare(rows, after.table, names, tickets, _refs(after.qualification))
    return _compare(rows, _rows_of(after), names, tickets, _tickets_of(after))


def full_names_of(*loaded: LoadedSeries | None) -> dict[str, str]:
    """Return reference → full name of the persons in these series. Only keepers may see these names."""
    return {ref: one.names.running for found in loaded if found for ref, one in found.persons.items()}


def _rows_of(loaded: LoadedSeries | None) -> Rows:
    return [] if loaded is None else write_rows(loaded.table)


def _tickets_of(loaded: LoadedSeries | None) -> list[str]:
    qualification = None if loaded is None else loaded.qualification
    return [] if qualification is None else _refs(write_tickets(qualification))


def _refs(qualification: Mapping[str, Any] | None) -> list[str]:
    return [] if qualification is None else [ticket["ref"] for ticket in qualification["qualified"]]


def _compare(
    before: Rows, after: Rows, names: Mapping[str, str], tickets: list[str], later: list[str]
) -> SeriesDifference:
    old = {row["ref"]: row for row in before}
    new = {row["ref"]: row for row in after}
    order = [*new, *(ref for ref in old if ref not in new)]
    lines = [
        DifferenceLine(names.get(ref, "–"), *_cells(old.get(ref)), *_cells(new.get(ref))) for ref in order
    ]
    changed = [line for line in lines if line.changed]
    shown = lines if len(lines) <= LINES_SHOWN else changed[:LINES_SHOWN]
    return SeriesDifference(
        shown,
        len(changed),
        len(lines) - len(shown),
        [names.get(ref, "–") for ref in later if ref not in set(tickets)],
        [names.get(ref, "–") for ref in tickets if ref not in set(later)],
        not before,
    )


def _cells(row: Mapping[str, Any] | None) -> tuple[str, str]:
    if row is None:
        return "", ""
    return "–" if row["place"] is None else f"{row['place']}.", format_figure(parse_exact(row["total"]))
