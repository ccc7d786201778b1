"""The season table: values of events for persons, the choice of events that count, places, and teams.

Values are exact. Sums and comparisons use whole numbers over one common denominator: fractions of 60 events
have no small denominator, and Fraction would reduce each of them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from math import inf, lcm
from typing import Any, Final

import msgspec
from msgspec.structs import replace

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
Classified = tuple[Mapping[str, Points], Mapping[Points, Points], tuple[Points, ...]]
"""Three parts: class of equal results by person, value by class, and one value of each denominator."""
Separations = Mapping[str, Callable[["_Result"], Any]]
"""By tie rule, the function that returns the value by which it separates level results; higher is better."""


class SeasonSeparation(msgspec.Struct, frozen=True):
    """The reason for the order of two rows with the same total.

    rule: of TIE_RULES; against: ref of the neighbouring row; mine, theirs: the compared values, up to the
    first difference; None for a missed event.
    """

    rule: str
    against: str
    mine: tuple[Points | None, ...]
    theirs: tuple[Points | None, ...]


class SeasonRow(msgspec.Struct, frozen=True):
    """One row of the table, of a person or a team.

    place: None with too few events or members. events: weighted value by event, including averages for missed
    events. dropped: the events among them that do not count. members: refs of a team's members that count.
    separation: why this row comes after the previous row, or else before the next row, if their totals are
    equal.
    """

    place: int | None
    ref: str
    total: Points
    events: Mapping[str, Points]
    dropped: tuple[str, ...]
    members: tuple[str, ...] | None = None
    separation: SeasonSeparation | None = None


class SeasonTable(msgspec.Struct, frozen=True):
    """The season table. rows: ranked rows, first place first, rows that share a place by ref; unranked: rows
    without a place, by ref.
    """

    rows: tuple[SeasonRow, ...]
    unranked: tuple[SeasonRow, ...]


class _Worth(msgspec.Struct, frozen=True):
    """The values of one event.

    classes: class of equal results by person. By class: weighted: exact weighted values; scaled: numerators
    of unweighted values over `denominator`; multiplied: `scaled` times `factor`, the weight as a whole
    number. winners: the persons in first place.
    """

    event: SeriesEvent
    weight: Points
    classes: Mapping[str, Points]
    weighted: Mapping[Points, Points]
    scaled: Mapping[Points, int]
    multiplied: Mapping[Points, int]
    factor: int
    denominator: int
    winners: frozenset[str]


class _Plan(msgspec.Struct, frozen=True):
    """The data of the counting that is the same for everybody.

    worths: of the held events, ordered by key; a position of an event is its index in this list. denominator:
    of scaled values; unit: of weighted values. always: positions that are never dropped; best: number of
    other events that count; needed: least number of events that count to be ranked, if the rules state none.
    """

    rules: SeriesRules
    direction: int
    worths: Sequence[_Worth]
    denominator: int
    unit: int
    always: frozenset[int]
    best: int | None
    needed: int

    @property
    def of_everybody(self) -> tuple[object, ...]:
        """Values on which the seasons of all persons depend, besides their own results."""
        weights = [(worth.event.key, worth.weight) for worth in self.worths]
        numbers = (self.direction, self.denominator, self.unit, self.always, self.best, self.needed)
        return replace(self.rules, ties=(), teams=None, qualify=None), weights, numbers


class _Result(msgspec.Struct, frozen=True):
    """The season of a person or team, before places are given.

    worth: the total over the common denominator, rounded and exact (fractions are slow to compare); higher is
    better. ranked: whether there are enough events. held: number of own events; wins: number of first places.
    """

    row: SeasonRow
    worth: tuple[float, Points]
    ranked: bool
    held: int
    wins: int


class SeasonCount:
    """The values of all persons in a series. Tables of persons and of teams are made from them.

    before: an earlier count, whose values are reused as far as they are unchanged.
    """

    def __init__(self, series: Series, before: "SeasonCount | None" = None) -> None:
        """Count all persons. Raises SeriesError if the rules do not fit the events."""
        known = () if before is None else before._plan.worths
        self._plan: _Plan = _build_plan(series, _find_direction(series), known)
        plan = self._plan
        everybody: set[str] = set().union(*(worth.classes for worth in plan.worths))
        self._results: dict[str, _Result] = {}
        if before is not None and before._plan.of_everybody == plan.of_everybody:
            left = before._results.keys() - everybody | _find_changed(before._plan, plan)
            self._results = {ref: one for ref, one in before._results.items() if ref not in left}
        self._results |= _count_persons(plan, everybody - self._results.keys())

    def make_table(self, series: Series, *, teams: TeamRules | None = None) -> SeasonTable:
        """Make the table of persons, or of `teams`, from this count. Raises SeriesError."""
        results: Iterable[_Result] = self._results.values()
        if teams is not None:
            results = _compute_teams(series, teams, results, self._plan.direction)
        return _place(series, results, self._plan.direction)


def compute_table(series: Series) -> SeasonTable:
    """Compute the season table; it is a table of teams if the rules have teams. Raises SeriesError."""
    return SeasonCount(series).make_table(series, teams=series.rules.teams)


def _find_changed(before: _Plan, plan: _Plan) -> set[str]:
    """Return the refs of persons whose result or first place in an event differs between two plans."""
    changed: set[str] = set()
    for was, now in zip(before.worths, plan.worths, strict=True):
        if was is now:
            continue
        changed |= was.winners ^ now.winners
        changed |= was.classes.keys() ^ now.classes.keys()
        changed |= {
            ref
            for ref in was.classes.keys() & now.classes.keys()
            if was.scaled[was.classes[ref]] != now.scaled[now.classes[ref]]
        }
    return changed


def _find_direction(series: Series) -> int:
    """Return the direction of the table: 1 for `places`, otherwise the common direction of all events.

    Raises SeriesError `series/direction`.
    """
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
    """Return the points by place."""
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
    """Return the percentage by total. The mean of the event is 100. Raises SeriesError `series/percent`."""
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
    """Return the least common denominator. Raises SeriesError if it is unusably large."""
    found = 1
    for denominator in {value.denominator for value in values}:
        found = lcm(found, denominator)
        if found.bit_length() > MAX_DENOMINATOR_BITS:
            raise SeriesError("series/unreadable", "the fractions of the rankings have no usable denominator")
    return found


def _simplify(value: Points) -> Points:
    return value.numerator if value.denominator == 1 else value


def _build_plan(series: Series, direction: int, known: Sequence[_Worth] = ()) -> _Plan:
    """Build the plan of the held events. known: worths of an earlier plan; unchanged ones are reused."""
    rules = series.rules
    held_events = sorted(series.held, key=lambda event: event.key)
    weights = [parse_exact(rules.weights.get(event.key, 1)) for event in held_events]
    classified = [_classify_once(event, rules.table) for event in held_events]
    denominator = _find_common_denominator(one for _, _, found in classified for one in found)
    if rules.average_below:
        denominator *= lcm(*range(1, len(held_events) + 1))  # a mean of any number of events is whole
    unit = _find_common_denominator(weights)
    worths, earlier = [], {id(worth.classes): worth for worth in known}
    for event, weight, (classes, values, _found) in zip(held_events, weights, classified, strict=True):
        factor = weight.numerator * (unit // weight.denominator)
        was = earlier.get(id(classes))
        if was is not None and (was.weight, was.factor, was.denominator) == (weight, factor, denominator):
            worths.append(was)
            continue
        scaled = {one: value.numerator * (denominator // value.denominator) for one, value in values.items()}
        worths.append(
            _Worth(
                event,
                weight,
                classes,
                {one: _simplify(value * weight) for one, value in values.items()} if weight != 1 else values,
                scaled,
                {one: value * factor for one, value in scaled.items()},
                factor,
                denominator,
                frozenset(row.ref for row in event.ranking if row.place == 1),
            )
        )
    always = frozenset(at for at, worth in enumerate(worths) if worth.event.key in rules.always)
    best = rules.best
    if best is not None and rules.cancelled == "reduce":
        best = max(best - sum(event.state == "cancelled" for event in series.events), 1)
    complete = min(best or len(held_events), len(held_events) - len(always)) + len(always)
    needed = complete if direction < 0 and rules.total == "sum" else 1
    return _Plan(rules, direction, worths, denominator, denominator * unit, always, best, needed)


def _classify_once(event: SeriesEvent, rules: TableRules) -> Classified:
    """Return the classes, the values, and one value of each denominator. The event caches the last result."""
    known: Classified | None = event.classified.get(rules)
    if known is None:
        classes, values = _classify(event, rules)
        of_each = {value.denominator: value for value in values.values()}
        known = (classes, values, tuple(of_each.values()))
        event.classified.clear()
        event.classified[rules] = known
    return known


def _count_persons(plan: _Plan, refs: Iterable[str]) -> dict[str, _Result]:
    """Return the seasons of these persons by ref. Values are gathered event by event, which suits the
    processor's cache.
    """
    values: dict[str, dict[int, int]] = {ref: {} for ref in refs}
    events: dict[str, dict[str, Points]] = {ref: {} for ref in values}
    wins = Counter(ref for worth in plan.worths for ref in worth.winners)
    for at, worth in enumerate(plan.worths):
        key, classes, multiplied, weighted = worth.event.key, worth.classes, worth.multiplied, worth.weighted
        for ref in values:
            one = classes.get(ref)
            if one is not None:
                values[ref][at] = multiplied[one]
                events[ref][key] = weighted[one]
    return {ref: _count_person(plan, ref, values[ref], events[ref], wins[ref]) for ref in values}


def _count_person(
    plan: _Plan, ref: str, values: dict[int, int], events: dict[str, Points], wins: int
) -> _Result:
    """Choose the events that count, and return the season of a person.

    values: weighted values times `unit`, by position; events: exact values by key; wins: number of first
    places.
    """
    rules, worths, rounds_held = plan.rules, plan.worths, len(values)
    if 0 < len(worths) - rounds_held < rules.average_below:
        mean = (
            sum(worth.scaled[worth.classes[ref]] for worth in worths if ref in worth.classes) // rounds_held
        )
        exact = Fraction(mean, plan.denominator)
        for at, worth in enumerate(worths):
            if at not in values:
                values[at] = mean * worth.factor
                events[worth.event.key] = _simplify(exact * worth.weight)
        events = dict(sorted(events.items()))
    counted = sorted(values.keys() - plan.always)
    counted.sort(key=values.__getitem__, reverse=plan.direction > 0)
    counted = [*counted[: plan.best], *(values.keys() & plan.always)]
    total: Points = sum(map(values.__getitem__, counted))
    if rules.total == "average":
        weight = sum(worths[at].weight for at in counted)
        total = Fraction(total) / weight if weight else 0
    dropped: tuple[str, ...] = ()
    if len(counted) < len(values):
        dropped = tuple(worths[at].event.key for at in sorted(values.keys() - set(counted)))
    exact_total = total if plan.unit == 1 else Fraction(total) / plan.unit
    return _Result(
        SeasonRow(None, ref, _simplify(exact_total), events, dropped),
        _approximate(plan.direction * total),
        len(counted) >= plan.needed if rules.least is None else rounds_held >= rules.least,
        rounds_held,
        wins,
    )


def _compute_teams(
    series: Series, rules: TeamRules, results: Iterable[_Result], direction: int
) -> list[_Result]:
    """Return the season of each team: the sum of its best members. Raises SeriesError `series/team_size`."""
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
        ranked.sort(key=lambda line: line.row.ref)
        ranked.sort(key=lambda line: line.worth, reverse=True)
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
        worth = sum(line.worth[1] for line in counted)
        teams.append(
            _Result(row, _approximate(worth), complete, len(events), sum(line.wins for line in counted))
        )
    return teams


def _place(series: Series, results: Iterable[_Result], direction: int) -> SeasonTable:
    """Give places by total and tie rules. Results that stay level share a place, ordered by ref."""
    separations = _list_separations(series, direction)
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
        rows += _place_level(len(rows) + 1, list(group), separations, direction)
    return SeasonTable(tuple(rows), tuple(unranked))


def _approximate(worth: Points) -> tuple[float, Points]:
    """Return a number as float and exactly."""
    try:
        return float(worth), worth
    except OverflowError:
        return (inf if worth > 0 else -inf), worth


def _separate(level: list[_Result], rules: Sequence[Callable[[_Result], Any]]) -> Iterator[list[_Result]]:
    """Yield the groups of level results that the rules do not separate, best group first."""
    if len(level) == 1 or not rules:
        yield level
        return
    separate, *others = rules
    for _, group in groupby(sorted(level, key=separate, reverse=True), key=separate):
        yield from _separate(list(group), others)


def _place_level(
    first: int, level: list[_Result], separations: Separations, direction: int
) -> Iterator[SeasonRow]:
    """Yield the rows of results with the same total, with places from `first` on and the reasons for their
    order.
    """
    if len(level) == 1:
        yield replace(level[0].row, place=first)
        return
    stands: list[tuple[int, _Result]] = []
    for sharing in _separate(level, list(separations.values())):
        place = first + len(stands)
        stands += [(place, result) for result in sharing]
    for at, (place, result) in enumerate(stands):
        reasons = (
            _find_separation(result, stands[beside][1], separations, direction)
            for beside in (at - 1, at + 1)
            if 0 <= beside < len(stands)
        )
        yield replace(result.row, place=place, separation=next(filter(None, reasons), None))


def _find_separation(
    result: _Result, other: _Result, separations: Separations, direction: int
) -> SeasonSeparation | None:
    """Return the first rule that separates two level results; None if they share a place."""
    for rule, read in separations.items():
        mine, theirs = read(result), read(other)
        if mine == theirs:
            continue
        upto = 1 + next(
            (at for at, (one, two) in enumerate(zip(mine, theirs, strict=False)) if one != two), len(mine)
        )
        values = (_read_values(rule, one[:upto], direction) for one in (mine, theirs))
        return SeasonSeparation(rule, other.row.ref, *values)
    return None


def _read_values(rule: str, values: Sequence[Any], direction: int) -> tuple[Points | None, ...]:
    if rule == "last_event":
        return tuple(direction * value if there else None for there, value in values)
    return tuple(direction * value if rule == "best_event" else value for value in values)


def _list_separations(series: Series, direction: int) -> Separations:
    """Return the tie rules of the series in turn, each with its function."""
    latest = [event.key for event in reversed(series.held)]

    def compare_events(result: _Result) -> list[Points]:
        values = result.row.events.values()
        return sorted(values if direction > 0 else (-value for value in values), reverse=True)

    def compare_last(result: _Result) -> list[tuple[int, Points]]:
        events = result.row.events
        return [(1, direction * events[key]) if key in events else (0, 0) for key in latest]

    known: Separations = {
        "best_event": compare_events,
        "last_event": compare_last,
        "most_events": lambda result: [result.held],
        "wins": lambda result: [result.wins],
    }
    return {rule: known[rule] for rule in series.rules.ties}
