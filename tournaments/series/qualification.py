"""Qualification: the steps of a series' rules applied to the rankings of its events.

Steps run in turn, each among the persons without a ticket. Then the first person of the waiting list replaces
each person who has declined; for the place of a category, the first of that category, if there is one. A
person keeps an accepted ticket, even if a correction gives a ticket to somebody else instead.

Two persons are level at the last place of a step if they have the same total, or share a place in an event.
Partners with one line take one place together, and a lot is drawn for their line. The step `table` takes
persons from the season table of the events in `from`; with such a step the waiting list follows that table.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from math import ceil, floor
from typing import Final

import msgspec

from tournaments.competition import Points
from tournaments.pairing.stream import NumberStream
from tournaments.series.document import (
    QualifyRules,
    QualifyStep,
    Series,
    SeriesError,
    SeriesEvent,
    parse_exact,
)
from tournaments.series.season_table import SeasonTable, compute_table

LOT_LABEL: Final = "series/lot/"
LAPSING: Final = ("first", "share", "table")
"""Steps in which a place can lapse, if its winner has a ticket already."""
_LINE: Final = "\0"
"""Prefix of a line's key, so that it differs from every ref of a person."""
REPLACEMENT: Final = "replacement"
ACCEPTED: Final = "accepted"
"""Value of `Ticket.why` for a person who qualifies by no step, but has accepted a ticket."""


class Ticket(msgspec.Struct, frozen=True):
    """The right of one person to play. why: kind of the step, REPLACEMENT or ACCEPTED.

    event, place: where it was won; both are None for holders, wild cards and ACCEPTED. A place without an
    event is a place of the season table.
    """

    ref: str
    event: str | None
    place: int | None
    why: str


class Qualification(msgspec.Struct, frozen=True):
    """The tickets in the order in which they were given, and the refs of the waiting list in order."""

    qualified: tuple[Ticket, ...]
    waiting: tuple[str, ...]


class _Result(msgspec.Struct, frozen=True, gc=False):
    """A person's result in one event, or in the season table (event None).

    worth: exact value, higher is better. line: the person's own line, or the line shared with partners.
    """

    ref: str
    event: str | None
    place: int
    worth: Points
    line: str


def qualify(series: Series, make_table: Callable[[Series], SeasonTable] = compute_table) -> Qualification:
    """Return the qualified persons and the waiting list. Raises SeriesError.

    make_table: function that computes the season table of `Series.of_sources`; called only for the step
    `table`.
    """
    rules = series.rules.qualify
    if rules is None or not rules.steps:
        raise SeriesError("series/steps", "the rules name no step of a qualification")
    table = None
    if any(step.kind == "table" for step in rules.steps):
        table = make_table(series.of_sources)
    return _Draft(series, rules, table).run()


def find_partners(events: Iterable[SeriesEvent]) -> dict[str, str]:
    """Return, by person, a reference that is equal for partners: persons who shared the same lines in the
    same events.

    Persons with a row without a line are left out.
    """
    lines: dict[str, list[tuple[str, str]]] = {}
    alone: set[str] = set()
    for event in events:
        for row in event.ranking:
            if row.line is None:
                alone.add(row.ref)
            else:
                lines.setdefault(row.ref, []).append((event.key, row.line))
    first: dict[tuple[tuple[str, str], ...], str] = {}
    return {ref: first.setdefault(tuple(found), ref) for ref, found in lines.items() if ref not in alone}


class _Draft:
    """A qualification under construction."""

    def __init__(self, series: Series, rules: QualifyRules, table: SeasonTable | None) -> None:
        self._series = series
        self._rules = rules
        self._events = [event for key in series.sources if (event := series.by_key[key]).state == "held"]
        self._one_direction = len({event.direction for event in self._events}) <= 1
        self._lots: dict[str, tuple[int, str]] = {}
        self._tickets: dict[str, Ticket] = {}
        self._lines: dict[tuple[str | None, str], list[str]] = {}  # refs by event and line
        self._line_of: dict[tuple[str | None, str], str] = {}  # line by event and ref
        self._wanted: dict[str, str] = {}  # category of the ticket, by ref
        self._categories: dict[str, set[str]] = {}
        for event in self._events:
            for row in event.ranking:
                if row.categories:
                    self._categories.setdefault(row.ref, set()).update(row.categories)
        self._season = None if table is None else self._read_table(table)

    @cached_property
    def _results(self) -> dict[str, list[_Result]]:
        """The results by event, each list ordered by place."""
        return {event.key: self._read_results(event) for event in self._events}

    @cached_property
    def _overall(self) -> list[_Result]:
        """Each person's best result, best first."""
        return self._order_persons(result for results in self._results.values() for result in results)

    def run(self) -> Qualification:
        for step in self._rules.steps:
            self._apply(step)
        declined = set(self._series.declined)
        waiting = {
            result.ref: result
            for result in (self._overall if self._season is None else self._season)
            if result.ref not in self._tickets and result.ref not in declined
        }
        for ref in [ref for ref in self._tickets if ref in declined]:
            del self._tickets[ref]
            successor = self._find_successor(waiting, self._wanted.get(ref))
            if successor is not None:
                self._give(waiting.pop(successor), REPLACEMENT)
        for ref in self._series.accepted:
            if ref not in declined:
                self._tickets.setdefault(ref, Ticket(ref, None, None, ACCEPTED))
                waiting.pop(ref, None)
        return Qualification(tuple(self._tickets.values()), tuple(waiting))

    def _find_successor(self, waiting: Iterable[str], category: str | None) -> str | None:
        refs = list(waiting)
        fitting = [ref for ref in refs if category in self._categories.get(ref, ())]
        return next(iter(fitting or refs), None)

    def _apply(self, step: QualifyStep) -> None:
        if step.kind in ("holder", "wild_card"):
            for ref in self._series.holders if step.kind == "holder" else self._series.wild_cards:
                self._tickets.setdefault(ref, Ticket(ref, None, None, step.kind))
        elif step.kind == "threshold":
            for result in self._reach(step):
                self._give(result, step.kind)
        elif step.kind == "share" or (step.kind == "first" and step.of == "each"):
            for results in self._results.values():
                lines = {(result.event, result.line) for result in results}
                self._take(results, self._count(step, len(lines)), step)
        elif step.kind == "table":
            self._take(self._season or (), step.count or 0, step)
        else:
            self._take_overall(step)

    def _count(self, step: QualifyStep, ranked: int) -> int:
        if step.percent is None or step.kind != "share":
            return step.count or 0
        share = Fraction(parse_exact(step.percent)) * ranked / 100
        return ceil(share) if step.round == "up" else floor(share)

    def _count_places(self) -> int:
        """Return the number of places in use. Partners who have qualified by one line use one place."""
        lines = {
            (ticket.event, self._line_of[ticket.event, ticket.ref])
            for ticket in self._tickets.values()
            if ticket.place is not None
        }
        return len(lines) + sum(ticket.place is None for ticket in self._tickets.values())

    def _reach(self, step: QualifyStep) -> list[_Result]:
        """Return each person's best result among the results that reach the threshold of their event."""
        points = parse_exact(step.points or 0)
        directions = {event.key: event.direction for event in self._events}
        return self._order_persons(
            result
            for key, results in self._results.items()
            for result in results
            if result.worth >= directions[key] * points
        )

    def _take_overall(self, step: QualifyStep) -> None:
        if not self._one_direction:
            raise SeriesError(
                "series/direction", f"a step {step.kind!r} compares totals of events of both directions"
            )
        if step.kind == "first":
            self._take(self._overall, step.count or 0, step)
        elif step.kind == "best_rest":
            self._take(self._overall, (step.fill_to or 0) - self._count_places(), step)
        else:
            category = step.category or ""
            fitting = [one for one in self._overall if category in self._categories.get(one.ref, ())]
            before = set(self._tickets)
            self._take(fitting, 1 if step.count is None else step.count, step)
            self._wanted.update(dict.fromkeys(self._tickets.keys() - before, category))

    def _take(self, results: Sequence[_Result], count: int, step: QualifyStep) -> None:
        """Give tickets to the first `count` lines."""
        lapses = step.lapse and step.kind in LAPSING
        left = [result for result in results if lapses or result.ref not in self._tickets]
        for result in _cut(left, count, self._rules.level, self._draw_lot):
            self._give(result, step.kind)

    def _give(self, result: _Result, why: str) -> None:
        self._tickets.setdefault(result.ref, Ticket(result.ref, result.event, result.place, why))

    def _read_results(self, event: SeriesEvent) -> list[_Result]:
        """Return the results of an event by place. A lot orders results that share a place."""
        totals = event.totals
        results = [
            _Result(
                row.ref,
                event.key,
                row.place,
                event.direction * totals[row.ref],
                _LINE + row.line if row.line is not None else row.ref,
            )
            for row in event.ranking
        ]
        for result in results:
            self._register(result)
        return self._order(results, lambda result: (result.place,))

    def _register(self, result: _Result) -> None:
        self._line_of[result.event, result.ref] = result.line
        self._lines.setdefault((result.event, result.line), []).append(result.ref)

    def _read_table(self, table: SeasonTable) -> list[_Result]:
        """Return the ranked persons of the season table, best first. Level persons are ordered as in
        `_order_persons`.
        """
        results: list[_Result] = []
        partners = find_partners(self._events)
        for row in table.rows:
            first = not results or table.rows[len(results) - 1].total != row.total
            worth = -len(results) if first else results[-1].worth
            results.append(_Result(row.ref, None, row.place or 0, worth, partners.get(row.ref, row.ref)))
            self._register(results[-1])

        def key(result: _Result) -> tuple[Points, ...]:
            return (-result.worth,) if self._rules.level == "lot" else (-result.worth, result.place)

        return self._order(results, key)

    def _order_persons(self, results: Iterable[_Result]) -> list[_Result]:
        """Return each person's best result, best first.

        Level results are ordered by place, unless the rules always use the lot, and then by lot. If events
        have different directions, totals cannot be compared, and only places count.
        """

        def key(result: _Result) -> tuple[Points, ...]:
            worth = -result.worth if self._one_direction else 0
            return (worth,) if self._rules.level == "lot" else (worth, result.place)

        best: dict[str, _Result] = {}
        keys: dict[str, tuple[Points, ...]] = {}
        for result in results:
            found = (*key(result), result.place)
            if result.ref not in keys or found < keys[result.ref]:
                best[result.ref], keys[result.ref] = result, found
        return self._order(best.values(), key)

    def _order(
        self, results: Iterable[_Result], key: Callable[[_Result], tuple[Points, ...]]
    ) -> list[_Result]:
        ordered: list[_Result] = []
        for _, sharing in groupby(sorted(results, key=key), key=key):
            group = list(sharing)
            ordered += sorted(group, key=self._draw_lot) if len(group) > 1 else group
        return ordered

    def _draw_lot(self, result: _Result) -> tuple[tuple[int, str], tuple[int, str]]:
        """Return the sort key of a lot, the same in all steps: the lowest lot of the line's persons, then the
        person's own.
        """
        members = self._lines[result.event, result.line]
        return min(map(self._draw_own_lot, members)), self._draw_own_lot(result.ref)

    def _draw_own_lot(self, ref: str) -> tuple[int, str]:
        if ref not in self._lots:
            stream = NumberStream(self._series.seed.encode(), LOT_LABEL + ref)
            self._lots[ref] = (stream.below(1 << 32), ref)
        return self._lots[ref]


def _cut(
    results: Sequence[_Result],
    count: int,
    level: str,
    lot: Callable[[_Result], tuple[tuple[int, str], tuple[int, str]]],
) -> list[_Result]:
    """Return the results of the first `count` lines. `level` decides about lines that are level with the last
    one.
    """
    found: dict[tuple[str | None, str], list[_Result]] = {}
    for result in results:
        found.setdefault((result.event, result.line), []).append(result)
    lines = list(found.values())
    return [result for line in _cut_lines(lines, count, level, lot) for result in line]


def _cut_lines(
    lines: Sequence[list[_Result]],
    count: int,
    level: str,
    lot: Callable[[_Result], tuple[tuple[int, str], tuple[int, str]]],
) -> list[list[_Result]]:
    if count <= 0:
        return []
    if count >= len(lines) or not _are_level(lines[count - 1][0], lines[count][0]):
        return list(lines[:count])
    start, end = count - 1, count + 1
    while start > 0 and _are_level(lines[start - 1][0], lines[start][0]):
        start -= 1
    while end < len(lines) and _are_level(lines[end - 1][0], lines[end][0]):
        end += 1
    if level == "all":
        return list(lines[:end])
    if level == "chain":
        return list(lines[:count])
    drawn = sorted(range(start, end), key=lambda at: lot(lines[at][0]))[: count - start]
    return [*lines[:start], *(lines[at] for at in sorted(drawn))]


def _are_level(one: _Result, other: _Result) -> bool:
    return one.worth == other.worth or (one.event == other.event and one.place == other.place)
