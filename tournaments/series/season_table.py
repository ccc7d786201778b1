"""The season table: what each event is worth to a person, which events count, places, teams.

Values are exact. Sums and comparisons use whole numbers over one common denominator: fractions of 60 events
have no small one, and Fraction would reduce each of them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from math import lcm
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
    """An event's values by class of equal results: weighted, and unweighted over the common denominator."""

    event: SeriesEvent
    weight: Points
    classes: Mapping[str, Points]
    weighted: Mapping[Points, Points]
    scaled: Mapping[Points, int]


class _Result(msgspec.Struct, frozen=True):
    """A person's or team's season before places.

    worth: the total over the common denominator, the higher one is better; held: own events; wins: first
    places.
    """

    row: SeasonRow
    worth: Points
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


def _classify(event: SeriesEvent, rules: TableRules) -> tuple[Mapping[str, Points], Mapping[Points, Points]]:
    """Return the class of equal results of each person, by ref, and the unweighted value of each class."""
    if rules.kind == "places":
        return {row.ref: row.place for row in event.ranking}, _value_places(event, rules)
    distinct = set(event.totals.values())
    if rules.kind == "percent":
        return event.totals, _value_percent(event, distinct)
    return event.totals, {total: total for total in distinct}


def _value_places(event: SeriesEvent, rules: TableRules) -> Mapping[Points, Points]:
    """Return the points of each place."""
    points = [parse_number(number) for number in rules.points]
    rest = parse_number(rules.rest)

    def value(place: int) -> Points:
        return points[place - 1] if place <= len(points) else rest

    values: dict[Points, Points] = {}
    for place, sharing in Counter(row.place for row in event.ranking).items():
        values[place] = value(place)
        if sharing > 1 and rules.shared == "mean":
            values[place] = _simplify(Fraction(sum(value(place + at) for at in range(sharing)), sharing))
    return values


def _value_percent(event: SeriesEvent, distinct: Iterable[Points]) -> Mapping[Points, Points]:
    """Return the percent of each total: the mean of the event is 100."""
    whole = sum(event.totals.values())
    if not any(event.totals.values()):
        return dict.fromkeys(distinct, 100)  # everybody is at the mean
    if whole <= 0:
        raise SeriesError(
            "series/percent", f"the mean of {event.key!r} is not positive: no percent of it", event=event.key
        )
    factor = Fraction(100 * len(event.totals)) / whole
    return {total: _simplify(Fraction(total * factor.numerator, factor.denominator)) for total in distinct}


def _simplify(value: Points) -> Points:
    return value.numerator if value.denominator == 1 else value


def _compute_worths(series: Series) -> tuple[list[_Worth], int]:
    """Return the values of the held events, ordered by key, and their common denominator."""
    held = sorted(series.held, key=lambda event: event.key)
    classified = [_classify(event, series.rules.table) for event in held]
    denominator = lcm(*{value.denominator for _, values in classified for value in values.values()})
    worths = []
    for event, (classes, values) in zip(held, classified, strict=True):
        weight = parse_number(series.rules.weights.get(event.key, 1))
        weighted = (
            values if weight == 1 else {one: _simplify(value * weight) for one, value in values.items()}
        )
        scaled = {one: value.numerator * (denominator // value.denominator) for one, value in values.items()}
        worths.append(_Worth(event, weight, classes, weighted, scaled))
    return worths, denominator


def _compute_results(series: Series, direction: int) -> list[_Result]:
    """Return the season of everybody who is ranked in a held event."""
    rules = series.rules
    worths, denominator = _compute_worths(series)
    parts = lcm(*range(1, len(worths) + 1)) if rules.average_below else 1
    unit = lcm(*(worth.weight.denominator for worth in worths))
    whole = denominator * parts * unit
    factors = [worth.weight.numerator * (unit // worth.weight.denominator) for worth in worths]
    always = {at for at, worth in enumerate(worths) if worth.event.key in rules.always}
    best = rules.best
    if best is not None and rules.cancelled == "reduce":
        best = max(best - sum(event.state == "cancelled" for event in series.events), 1)
    complete = min(best or len(worths), len(worths) - len(always)) + len(always)
    needed = complete if direction < 0 and rules.total == "sum" else 1  # where `least` is left out
    wins = Counter(row.ref for worth in worths for row in worth.event.ranking if row.place == 1)
    values_of, events_of = _collect(worths, [factor * parts for factor in factors])
    results = []
    for ref, values in values_of.items():
        held, events = len(values), events_of[ref]
        if 0 < len(worths) - held < rules.average_below:
            own = sum(worth.scaled[worth.classes[ref]] for worth in worths if ref in worth.classes)
            mean = own * parts // held  # exact: `parts` is a multiple of `held`
            exact = Fraction(mean, denominator * parts)
            for at, worth in enumerate(worths):
                if at not in values:
                    values[at] = mean * factors[at]
                    events[worth.event.key] = _simplify(exact * worth.weight)
            events = dict(sorted(events.items()))
        counted = sorted(values.keys() - always, key=lambda at: (-direction * values[at], at))[:best]
        counted += values.keys() & always
        total: Points = sum(values[at] for at in counted)
        if rules.total == "average":
            weight = sum(worths[at].weight for at in counted)
            total = Fraction(total) / weight if weight else 0
        dropped = values.keys() - set(counted)
        results.append(
            _Result(
                SeasonRow(
                    None,
                    ref,
                    _simplify(Fraction(total) / whole),
                    events,
                    tuple(worths[at].event.key for at in sorted(dropped)),
                ),
                direction * total,
                len(values) >= needed if rules.least is None else held >= rules.least,
                held,
                wins[ref],
            )
        )
    return results


def _collect(
    worths: Sequence[_Worth], factors: Sequence[int]
) -> tuple[dict[str, dict[int, int]], dict[str, dict[str, Points]]]:
    """Return the weighted values by ref: multiplied by position of the event, and exact by its key."""
    values: dict[str, dict[int, int]] = {}
    events: dict[str, dict[str, Points]] = {}
    for at, worth in enumerate(worths):
        key, weighted = worth.event.key, worth.weighted
        scaled = {one: value * factors[at] for one, value in worth.scaled.items()}
        for ref, one in worth.classes.items():
            if ref not in values:
                values[ref], events[ref] = {}, {}
            values[ref][at] = scaled[one]
            events[ref][key] = weighted[one]
    return values, events


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
        ranked.sort(key=lambda line: (-line.worth, line.row.ref))
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
        worth = sum(line.worth for line in counted)
        teams.append(_Result(row, worth, complete, len(events), sum(line.wins for line in counted)))
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
    ranked.sort(key=lambda result: result.worth, reverse=True)
    rows: list[SeasonRow] = []
    for _, group in groupby(ranked, key=lambda result: result.worth):
        level = list(group)
        if len(level) == 1 or not series.rules.ties:
            rows += _share_place(len(rows) + 1, level)
            continue
        for _, sharing in groupby(sorted(level, key=separate, reverse=True), key=separate):
            rows += _share_place(len(rows) + 1, sharing)
    return SeasonTable(tuple(rows), tuple(unranked))


def _share_place(place: int, results: Iterable[_Result]) -> list[SeasonRow]:
    return [msgspec.structs.replace(result.row, place=place) for result in results]


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
