"""The season table: what each event is worth to a person, which events count, places, teams.

Values are exact. Sums and comparisons use whole numbers over one common denominator: fractions of 60 events
have no small one, and Fraction would reduce each of them.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import groupby
from math import lcm
from operator import attrgetter
from typing import Any

import msgspec

from tournaments.competition import Points
from tournaments.series.document import Series, SeriesError, SeriesEvent, TableRules, TeamRules, parse_number


class SeasonRow(msgspec.Struct, frozen=True):
    """One row of the table.

    place: None for who has too few events. events: weighted value by event, averages for missed events
    included. dropped: the events among them that do not count. members: of a team, those that count.
    """

    place: int | None
    ref: str
    total: Points
    events: Mapping[str, Points]
    dropped: tuple[str, ...]
    members: tuple[str, ...] | None = None


class SeasonTable(msgspec.Struct, frozen=True):
    """The table: ranked rows, first place first, level ones by ref; and those with too few events, by ref."""

    rows: tuple[SeasonRow, ...]
    unranked: tuple[SeasonRow, ...]


class _Worth(msgspec.Struct, frozen=True):
    """An event's values: weighted and exact for people, unweighted over the common denominator for sums."""

    event: SeriesEvent
    weight: Points
    weighted: Mapping[str, Points]
    scaled: Mapping[str, int]


class _Result(msgspec.Struct, frozen=True):
    """A person's or team's season before places. wins: first places; held: own events."""

    row: SeasonRow
    ranked: bool
    held: int
    wins: int


def compute_table(series: Series) -> SeasonTable:
    """Compute the season table, of teams where the rules say so. Raises SeriesError."""
    direction = _find_direction(series)
    results = _compute_results(series, direction)
    if series.rules.teams is not None:
        results = _compute_teams(series, series.rules.teams, results, direction)
    return _place(series, results, direction)


def _find_direction(series: Series) -> int:
    """Return the direction of the table: 1 for places, the one of all events otherwise."""
    found = {event.direction for event in series.events if event.state in ("planned", "held")}
    stated = series.rules.table.direction
    if series.rules.table.kind == "places":
        found = {1}
    elif len(found) > 1:
        raise SeriesError("series/direction", "in some events the most points win and in others the fewest")
    direction = found.pop() if found else stated or 1
    if stated not in (None, direction):
        raise SeriesError("series/direction", "the direction of the table is not that of its events")
    return direction


def _value_event(event: SeriesEvent, rules: TableRules) -> Mapping[str, Points]:
    """Return what the event is worth, unweighted, by ref."""
    if rules.kind == "places":
        return _value_places(event, rules)
    if rules.kind == "percent" and event.ranking:
        return _value_percent(event)
    return event.totals


def _value_places(event: SeriesEvent, rules: TableRules) -> Mapping[str, Points]:
    points = [parse_number(number) for number in rules.points]
    rest = parse_number(rules.rest)

    def value(place: int) -> Points:
        return points[place - 1] if place <= len(points) else rest

    values: dict[str, Points] = {}
    for place, sharing in groupby(sorted(event.ranking, key=attrgetter("place")), key=attrgetter("place")):
        refs = [row.ref for row in sharing]
        gained = value(place)
        if len(refs) > 1 and rules.shared == "mean":
            gained = _simplify(Fraction(sum(value(place + at) for at in range(len(refs))), len(refs)))
        values.update(dict.fromkeys(refs, gained))
    return values


def _value_percent(event: SeriesEvent) -> Mapping[str, Points]:
    whole = sum(event.totals.values())
    if not any(event.totals.values()):
        return dict.fromkeys(event.totals, 100)  # everybody is at the mean
    if whole <= 0:
        raise SeriesError(
            "series/percent", f"the mean of {event.key!r} is not positive: no percent of it", event=event.key
        )
    factor = Fraction(100 * len(event.totals)) / whole

    @cache
    def value(total: Points) -> Points:
        return _simplify(total * factor)

    return {ref: value(total) for ref, total in event.totals.items()}


def _simplify(value: Points) -> Points:
    return value.numerator if value.denominator == 1 else value


def _compute_worths(series: Series) -> tuple[list[_Worth], int]:
    """Return the values of the held events, ordered by key, and their common denominator."""
    held = sorted(series.held, key=lambda event: event.key)
    values = {event.key: _value_event(event, series.rules.table) for event in held}
    denominator = lcm(*{value.denominator for found in values.values() for value in found.values()})
    worths = []
    for event in held:
        weight = parse_number(series.rules.weights.get(event.key, 1))
        found = values[event.key]
        distinct = set(found.values())
        weighted = {value: _simplify(value * weight) for value in distinct}
        scaled = {value: value.numerator * (denominator // value.denominator) for value in distinct}
        worths.append(
            _Worth(
                event,
                weight,
                {ref: weighted[value] for ref, value in found.items()},
                {ref: scaled[value] for ref, value in found.items()},
            )
        )
    return worths, denominator


def _compute_results(series: Series, direction: int) -> list[_Result]:
    """Return the season of everybody who is ranked in a held event."""
    rules = series.rules
    worths, denominator = _compute_worths(series)
    parts = lcm(*range(1, len(worths) + 1)) if rules.average_below else 1
    unit = lcm(*(worth.weight.denominator for worth in worths))
    factors = [worth.weight.numerator * (unit // worth.weight.denominator) for worth in worths]
    always = {at for at, worth in enumerate(worths) if worth.event.key in rules.always}
    best = rules.best
    if best is not None and rules.cancelled == "reduce":
        best = max(best - sum(event.state == "cancelled" for event in series.events), 1)
    complete = min(best or len(worths), len(worths) - len(always)) + len(always)
    needed = complete if direction < 0 and rules.total == "sum" else 1  # where `least` is left out
    wins: dict[str, int] = {}
    own: dict[str, list[tuple[int, int]]] = {}  # (position of the event, unweighted value)
    for at, worth in enumerate(worths):
        for ref, value in worth.scaled.items():
            own.setdefault(ref, []).append((at, value * parts))
        for row in worth.event.ranking:
            if row.place == 1:
                wins[row.ref] = wins.get(row.ref, 0) + 1
    results = []
    for ref, found in own.items():
        events = {worths[at].event.key: worths[at].weighted[ref] for at, _ in found}
        values = {at: value * factors[at] for at, value in found}
        if 0 < len(worths) - len(found) < rules.average_below:
            mean = sum(value for _, value in found) // len(found)  # exact: `parts` holds len(found)
            exact = Fraction(mean, denominator * parts)
            for at, worth in enumerate(worths):
                if at not in values:
                    values[at] = mean * factors[at]
                    events[worth.event.key] = _simplify(exact * worth.weight)
        counted = sorted(values.keys() - always, key=lambda at: (-direction * values[at], at))[:best]
        counted += values.keys() & always
        total = Fraction(sum(values[at] for at in counted), denominator * parts * unit)
        if rules.total == "average":
            weight = sum(worths[at].weight for at in counted)
            total = total / weight if weight else Fraction(0)
        dropped = tuple(worths[at].event.key for at in sorted(values.keys() - set(counted)))
        results.append(
            _Result(
                SeasonRow(None, ref, _simplify(total), dict(sorted(events.items())), dropped),
                len(values) >= needed if rules.least is None else len(found) >= rules.least,
                len(found),
                wins.get(ref, 0),
            )
        )
    return results


def _compute_teams(
    series: Series, rules: TeamRules, results: Iterable[_Result], direction: int
) -> list[_Result]:
    """Return the season of each team: the sum of its best members' lines."""
    team_of = {
        row.ref: row.team for event in series.held for row in event.ranking if row.team is not None
    }  # of the last event, for who has changed teams
    lines: dict[str, list[_Result]] = {}
    for result in results:
        if result.row.ref in team_of:
            lines.setdefault(team_of[result.row.ref], []).append(result)
    teams = []
    for team, found in lines.items():
        if len(found) > rules.size:
            raise SeriesError(
                "series/team_size", f"team {team!r} has {len(found)} members: at most {rules.size}", team=team
            )
        ranked = [line for line in found if line.ranked]
        ranked.sort(key=lambda line: (-direction * line.row.total, line.row.ref))
        counted = ranked[: rules.best]
        events: dict[str, Points] = {}
        for line in counted:
            for key, value in line.row.events.items():
                if key not in line.row.dropped:
                    events[key] = events.get(key, 0) + value
        row = SeasonRow(
            None,
            team,
            sum(line.row.total for line in counted),
            dict(sorted(events.items())),
            (),
            tuple(line.row.ref for line in counted),
        )
        # Where the fewest points win, a missing member would be an advantage.
        complete = len(counted) == (rules.best or rules.size) or (direction > 0 and bool(counted))
        teams.append(_Result(row, complete, len(events), sum(line.wins for line in counted)))
    return teams


def _place(series: Series, results: Iterable[_Result], direction: int) -> SeasonTable:
    """Give places by total and tie rules; level results share a place, ordered by ref."""
    separate = _build_separation(series, direction)
    ranked: list[_Result] = []
    unranked: list[SeasonRow] = []
    for result in sorted(results, key=lambda result: result.row.ref):
        if result.ranked:
            ranked.append(result)
        else:
            unranked.append(result.row)
    ranked.sort(key=lambda result: direction * result.row.total, reverse=True)
    rows: list[SeasonRow] = []
    for _, group in groupby(ranked, key=lambda result: result.row.total):
        level = sorted(group, key=separate, reverse=True)
        for _, sharing in groupby(level, key=separate):
            place = len(rows) + 1
            rows += [msgspec.structs.replace(result.row, place=place) for result in sharing]
    return SeasonTable(tuple(rows), tuple(unranked))


def _build_separation(series: Series, direction: int) -> Callable[[_Result], Any]:
    """Return the key that separates level results: the higher one is better."""
    latest = [event.key for event in reversed(series.held)]

    def compare(rule: str, result: _Result) -> Any:
        events = result.row.events
        if rule == "most_events":
            return result.held
        if rule == "wins":
            return result.wins
        if rule == "last_event":
            return [(1, direction * events[key]) if key in events else (0, 0) for key in latest]
        return sorted((direction * value for value in events.values()), reverse=True)

    return lambda result: [compare(rule, result) for rule in series.rules.ties]
