"""The season table: what each event is worth to a person, which events count, places, teams.

Values are exact. Sums and comparisons use whole numbers over one common denominator: fractions of 60 events
have no small one, and Fraction would reduce each of them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from math import lcm
from typing import Any, Final

import msgspec

from tournaments.competition import Points
from tournaments.series.document import (
    Series,
    SeriesError,
    SeriesEvent,
    SeriesRules,
    TableRules,
    TeamRules,
    parse_exact,
)

MAX_DENOMINATOR_BITS: Final = 6_000


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
    """An event's values by class of equal results.

    weighted: exact; scaled: unweighted, over the common denominator; factor: of these for the weighted ones.
    """

    event: SeriesEvent
    weight: Points
    classes: Mapping[str, Points]
    weighted: Mapping[Points, Points]
    scaled: Mapping[Points, int]
    factor: int


class _Plan(msgspec.Struct, frozen=True):
    """The counting of a season, the same for everybody.

    worths: of the held events, ordered by key; an event's position is its index here. denominator, unit: of
    scaled values, and of these times `factor`. always: positions never dropped; best: so many others count;
    needed: events without which nobody is ranked, where the rules name no least number.
    """

    rules: SeriesRules
    direction: int
    worths: Sequence[_Worth]
    denominator: int
    unit: int
    always: frozenset[int]
    best: int | None
    needed: int


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
    results = _compute_results(_build_plan(series, direction))
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
    points = [parse_exact(number) for number in rules.points]
    rest = parse_exact(rules.rest)

    def value(place: int) -> Points:
        return points[place - 1] if place <= len(points) else rest

    values: dict[Points, Points] = {}
    lines = {(row.place, row.ref if row.line is None else ("", row.line)) for row in event.ranking}
    for place, sharing in Counter(place for place, _ in lines).items():
        values[place] = value(place)
        if sharing > 1 and rules.shared == "mean":
            values[place] = _simplify(Fraction(sum(value(place + at) for at in range(sharing)), sharing))
    return values


def _value_percent(event: SeriesEvent, distinct: Iterable[Points]) -> Mapping[Points, Points]:
    """Return the percent of each total: the mean of the event is 100."""
    denominator = _find_common_denominator(event.totals.values())
    whole = Fraction(
        sum(total.numerator * (denominator // total.denominator) for total in event.totals.values()),
        denominator,
    )
    if not any(event.totals.values()):
        return dict.fromkeys(distinct, 100)  # everybody is at the mean
    if whole <= 0:
        raise SeriesError(
            "series/percent", f"the mean of {event.key!r} is not positive: no percent of it", event=event.key
        )
    factor = 100 * len(event.totals) / whole
    return {total: _simplify(Fraction(total * factor.numerator, factor.denominator)) for total in distinct}


def _find_common_denominator(values: Iterable[Points]) -> int:
    """Return the least common denominator. Raises SeriesError for one that could not be written."""
    found = 1
    for denominator in {value.denominator for value in values}:
        found = lcm(found, denominator)
        if found.bit_length() > MAX_DENOMINATOR_BITS:
            raise SeriesError("series/unreadable", "the fractions of the rankings have no usable denominator")
    return found


def _simplify(value: Points) -> Points:
    return value.numerator if value.denominator == 1 else value


def _build_plan(series: Series, direction: int) -> _Plan:
    rules = series.rules
    held = sorted(series.held, key=lambda event: event.key)
    weights = [parse_exact(rules.weights.get(event.key, 1)) for event in held]
    classified = [_classify(event, rules.table) for event in held]
    denominator = _find_common_denominator(value for _, values in classified for value in values.values())
    if rules.average_below:
        denominator *= lcm(*range(1, len(held) + 1))  # a mean of any number of events is whole
    unit = _find_common_denominator(weights)
    worths = []
    for event, weight, (classes, values) in zip(held, weights, classified, strict=True):
        weighted = values
        if weight != 1:
            weighted = {one: _simplify(value * weight) for one, value in values.items()}
        scaled = {one: value.numerator * (denominator // value.denominator) for one, value in values.items()}
        factor = weight.numerator * (unit // weight.denominator)
        worths.append(_Worth(event, weight, classes, weighted, scaled, factor))
    always = frozenset(at for at, worth in enumerate(worths) if worth.event.key in rules.always)
    best = rules.best
    if best is not None and rules.cancelled == "reduce":
        best = max(best - sum(event.state == "cancelled" for event in series.events), 1)
    complete = min(best or len(held), len(held) - len(always)) + len(always)
    needed = complete if direction < 0 and rules.total == "sum" else 1
    return _Plan(rules, direction, worths, denominator, denominator * unit, always, best, needed)


def _compute_results(plan: _Plan) -> list[_Result]:
    """Return the season of everybody who is ranked in a held event."""
    wins = Counter(row.ref for worth in plan.worths for row in worth.event.ranking if row.place == 1)
    values: dict[str, dict[int, int]] = {}
    events: dict[str, dict[str, Points]] = {}
    for at, worth in enumerate(plan.worths):
        key, weighted = worth.event.key, worth.weighted
        multiplied = {one: value * worth.factor for one, value in worth.scaled.items()}
        for ref, one in worth.classes.items():
            if ref not in values:
                values[ref], events[ref] = {}, {}
            values[ref][at] = multiplied[one]
            events[ref][key] = weighted[one]
    return [_count_person(plan, ref, values[ref], events[ref], wins[ref]) for ref in values]


def _count_person(
    plan: _Plan, ref: str, values: dict[int, int], events: dict[str, Points], wins: int
) -> _Result:
    """Choose the events that count. values: weighted, times `unit`, by position; events: exact, by key."""
    rules, worths = plan.rules, plan.worths
    held = len(values)
    if 0 < len(worths) - held < rules.average_below:
        mean = sum(worth.scaled[worth.classes[ref]] for worth in worths if ref in worth.classes) // held
        exact = Fraction(mean, plan.denominator)
        for at, worth in enumerate(worths):
            if at not in values:
                values[at] = mean * worth.factor
                events[worth.event.key] = _simplify(exact * worth.weight)
        events = dict(sorted(events.items()))
    counted = sorted(values.keys() - plan.always, key=lambda at: (-plan.direction * values[at], at))
    counted = [*counted[: plan.best], *(values.keys() & plan.always)]
    total: Points = sum(values[at] for at in counted)
    if rules.total == "average":
        weight = sum(worths[at].weight for at in counted)
        total = Fraction(total) / weight if weight else 0
    dropped = tuple(worths[at].event.key for at in sorted(values.keys() - set(counted)))
    return _Result(
        SeasonRow(None, ref, _simplify(Fraction(total) / plan.unit), events, dropped),
        plan.direction * total,
        len(values) >= plan.needed if rules.least is None else held >= rules.least,
        held,
        wins,
    )


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
