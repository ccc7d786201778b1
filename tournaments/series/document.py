"""The document of a series: rules and events with their rankings, and its JSON form.

`docs/developers/series.md` describes it. The order of ranking rows never matters. The order of events matters
for some rules: the tie rule `last_event`, the team of a person who changes teams, and `qualify.from` if it is
left out.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from engine import Refused
from tournaments.competition import DocumentPart, Name, Points

TABLE_KINDS: Final = ("points", "places", "percent")
SHARED_PLACES: Final = ("mean", "better")
TOTAL_KINDS: Final = ("sum", "average")
CANCELLED_RULES: Final = ("keep", "reduce")
TIE_RULES: Final = ("best_event", "most_events", "wins", "last_event")
LEVEL_RULES: Final = ("all", "chain", "lot")
STEP_FIELDS: Final[Mapping[str, str | None]] = {
    "holder": None,
    "wild_card": None,
    "first": "count",
    "share": "percent",
    "threshold": "points",
    "best_rest": "fill_to",
    "category": "category",
    "table": "count",
}
"""The field that a qualification step needs, by kind of step; None: no field."""

Number = int | float | str
"""A number of the document: whole, a decimal, or a text "n" or "n/d"."""
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
_FRACTION: Final = re.compile(r"-?[0-9]{1,30}(/[0-9]{1,30})?")
_MAX_WHOLE: Final = 10**30


class SeriesError(Refused):
    """Error of an invalid document, or of rules that do not fit the events."""

    def __init__(self, code: str, detail: str, **params: int | str) -> None:
        super().__init__(detail, code=code, **params)


class RankedPerson(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One row of an event's ranking. Other fields of a published ranking are allowed and not read.

    line: key shared by partners who are ranked as one. They take one place together; its points are not
    divided between them.
    """

    place: Annotated[int, Meta(ge=1)]
    ref: Name
    total: Number
    team: str | None = None
    category: str | tuple[str, ...] | None = None
    line: str | None = None

    @property
    def categories(self) -> tuple[str, ...]:
        return (self.category,) if isinstance(self.category, str) else self.category or ()


class SeriesEvent(DocumentPart, frozen=True, kw_only=True, dict=True):
    """One championship of a series.

    direction: 1 if the most points win, -1 if the fewest do. state: only a `held` event counts; a `void` one
    is treated as absent. feeders: keys of the events whose qualification leads to this one.
    """

    key: Name
    direction: Literal[1, -1] = 1
    state: Literal["planned", "held", "cancelled", "void"] = "held"
    ranking: tuple[RankedPerson, ...] = ()
    feeders: tuple[Name, ...] = msgspec.field(name="from", default=())

    @cached_property
    def totals(self) -> Mapping[str, Points]:
        """Exact totals by ref."""
        return {row.ref: parse_exact(row.total) for row in self.ranking}

    @cached_property
    def classified(self) -> dict[Any, Any]:
        """Cache for season tables: the ranking's values under the last rules. It is empty at first."""
        return {}


class TableRules(DocumentPart, frozen=True, kw_only=True):
    """Rules for the value of a result in an event.

    kind: `points` (the total), `places` (`points` by place, then `rest`), or `percent` (the mean of the event
    is 100). shared: persons who share places get the `mean` of their points, or those of the `better` place.
    direction: None, or the expected direction: 1 for `places`, otherwise that of the events; any other is an
    error.
    """

    kind: str = "points"
    points: tuple[Number, ...] = ()
    rest: Number = 0
    shared: str = "mean"
    direction: Literal[1, -1] | None = None


class TeamRules(DocumentPart, frozen=True, kw_only=True):
    """Rules of a table of teams. size: largest number of members of a team; best: number of members that
    count; None: all.
    """

    size: Annotated[int, Meta(ge=1)]
    best: Annotated[int, Meta(ge=1)] | None = None


class QualifyStep(DocumentPart, frozen=True, kw_only=True):
    """One step of a qualification. `STEP_FIELDS` names the fields that each kind needs.

    of (only kind `first`): `each` takes `count` persons of each event, `all` of all together. lapse: a person
    who already has a ticket uses up a place.
    """

    kind: str
    count: Count | None = None
    of: str = "each"
    percent: Number | None = None
    round: str = "up"
    points: Number | None = None
    fill_to: Count | None = None
    category: str | None = None
    lapse: bool = False


class QualifyRules(DocumentPart, frozen=True, kw_only=True):
    """The rules of a qualification.

    sources: keys of the events, in the order in which the steps `first` and `share` use them; None: the
    events that feed `to`, or if none do, all but `to`. The step `table` makes its table of these events only.
    to: key of the event for which persons qualify. level: who gets a ticket if persons are level at the last
    place of a step.
    """

    sources: tuple[Name, ...] | None = msgspec.field(name="from", default=None)
    to: Name | None = None
    steps: tuple[QualifyStep, ...] = ()
    level: str = "all"


class SeriesRules(DocumentPart, frozen=True, kw_only=True):
    """The rules of a series.

    best: number of a person's events that count; None: all. always: events that count besides the best and
    are never dropped. weights: factor by event. least: a person with fewer events is not ranked; None: 1, or,
    if the smallest sum wins, as many as count, since a missed event would be an advantage. average_below: a
    person who has missed fewer events than this number gets the mean of their own events for each missed one.
    cancelled: a cancelled event leaves `best` as it is (`keep`), or lowers it by one, to 1 at least
    (`reduce`). total: `sum`, or `average` of the events that count. ties: rules applied in turn to level
    totals.
    """

    table: TableRules = TableRules()
    best: Annotated[int, Meta(ge=1)] | None = None
    always: tuple[Name, ...] = ()
    weights: dict[Name, Number] = msgspec.field(default_factory=dict)
    least: Count | None = None
    average_below: Count = 0
    cancelled: str = "keep"
    total: str = "sum"
    ties: tuple[str, ...] = ()
    teams: TeamRules | None = None
    qualify: QualifyRules | None = None


class Series(DocumentPart, frozen=True, kw_only=True, dict=True):
    """The whole document of a series.

    holders, wild_cards: persons with a ticket from the start. declined: persons who do not take their ticket.
    accepted: persons who keep their ticket even after corrections. seed: any text, from which lots are drawn.
    """

    rules: SeriesRules = SeriesRules()
    events: tuple[SeriesEvent, ...] = ()
    holders: tuple[Name, ...] = ()
    wild_cards: tuple[Name, ...] = ()
    declined: tuple[Name, ...] = ()
    accepted: tuple[Name, ...] = ()
    seed: str = ""

    @cached_property
    def by_key(self) -> Mapping[str, SeriesEvent]:
        """Events by key, in the order of the document."""
        return {event.key: event for event in self.events}

    @property
    def held(self) -> list[SeriesEvent]:
        """The events that count, in the order of the document."""
        return [event for event in self.events if event.state == "held"]

    @property
    def sources(self) -> tuple[str, ...]:
        """Keys of the events that the qualification draws from, in order."""
        rules = self.rules.qualify or QualifyRules()
        if rules.sources is not None:
            return tuple(dict.fromkeys(rules.sources))
        feeders = self.by_key[rules.to].feeders if rules.to is not None else ()
        return tuple(dict.fromkeys(feeders)) or tuple(key for key in self.by_key if key != rules.to)

    @property
    def of_sources(self) -> "Series":
        """The series reduced to the events in `sources`, in the order of the document, and without teams.

        The step `table` takes persons from the table of this series.
        """
        sources = set(self.sources)
        rules = replace(self.rules, teams=None, qualify=None)
        return replace(self, rules=rules, events=tuple(one for one in self.events if one.key in sources))

    @property
    def counts_sources_only(self) -> bool:
        """Whether no other event is held or cancelled, so that `of_sources` has the same table of persons."""
        sources = set(self.sources)
        return all(one.key in sources for one in self.events if one.state in ("held", "cancelled"))


def parse_exact(value: Number) -> Points:
    """Return a number of the document exactly: an int if whole, else a Fraction.

    Raises SeriesError `series/unreadable`.
    """
    if isinstance(value, int) and abs(value) < _MAX_WHOLE:
        return value
    if isinstance(value, float) or (isinstance(value, str) and _FRACTION.fullmatch(value)):
        try:
            exact = Fraction(str(value))
        except (ValueError, ZeroDivisionError):
            pass
        else:
            if abs(exact) < _MAX_WHOLE:
                return exact.numerator if exact.denominator == 1 else exact
    raise SeriesError("series/unreadable", "a number is whole, a decimal or a fraction, of at most 30 digits")


def decode_series(data: bytes | str | Mapping[str, Any]) -> Series:
    """Decode and check a document. Raises SeriesError `series/…`."""
    try:
        if isinstance(data, Mapping):
            found = msgspec.convert(data, Series)
        else:
            found = msgspec.json.decode(data, type=Series)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _convert_error(str(error)) from None
    check_series(found)
    return found


def _convert_error(message: str) -> SeriesError:
    """Return the SeriesError for a decoding error. An unknown field of a rule and a malformed step have own
    codes.
    """
    detail = f"the document cannot be read: {message}"
    if "`$.rules" in message and "unknown field" in message:
        return SeriesError("series/unknown_rule", detail)
    if "`$.rules.qualify.steps" in message:
        return SeriesError("series/steps", detail)
    return SeriesError("series/unreadable", detail)


def check_series(series: Series) -> None:
    """Raise SeriesError `series/…` unless the parts of a document fit together."""
    _check_events(series)
    _check_rules(series.rules)
    rules = series.rules.qualify
    if rules is not None:
        _require_known("level", rules.level, LEVEL_RULES)
        for number, step in enumerate(rules.steps, 1):
            _check_step(number, step)
    named: list[str] = [*series.rules.weights, *series.rules.always]
    named += [key for event in series.events for key in event.feeders]
    if rules is not None:
        named += [*(rules.sources or ()), *(() if rules.to is None else (rules.to,))]
    for key in named:
        if key not in series.by_key:
            raise SeriesError("series/unknown_event", f"no event is called {key!r}", event=key)
    _check_cycle(series)


def _check_events(series: Series) -> None:
    if len(series.by_key) < len(series.events):
        key = _find_repeated(event.key for event in series.events)
        raise SeriesError("series/event_twice", f"two events are called {key!r}", event=key)
    for event in series.events:
        if len(event.totals) < len(event.ranking):
            ref = _find_repeated(row.ref for row in event.ranking)
            raise SeriesError(
                "series/person_twice",
                f"{ref!r} is ranked twice in {event.key!r}",
                person=ref,
                event=event.key,
            )


def _find_repeated(names: Iterable[str]) -> str:
    return next(name for name, count in Counter(names).items() if count > 1)


def _check_rules(rules: SeriesRules) -> None:
    _require_known("table", rules.table.kind, TABLE_KINDS)
    _require_known("shared", rules.table.shared, SHARED_PLACES)
    _require_known("cancelled", rules.cancelled, CANCELLED_RULES)
    _require_known("total", rules.total, TOTAL_KINDS)
    for name in rules.ties:
        _require_known("ties", name, TIE_RULES)
    if rules.table.kind == "places" and not rules.table.points:
        raise SeriesError("series/unreadable", "a table by places needs `points`")
    for number in (*rules.table.points, rules.table.rest):
        parse_exact(number)
    for key, weight in rules.weights.items():
        if parse_exact(weight) < 0:
            raise SeriesError("series/unreadable", f"the weight of {key!r} is negative")


def _require_known(rule: str, value: str, known: Iterable[str]) -> None:
    if value not in known:
        raise SeriesError(
            "series/unknown_rule", f"{rule}: {value!r} is none of {', '.join(known)}", rule=rule, value=value
        )


def _check_step(number: int, step: QualifyStep) -> None:
    _require_known("step", step.kind, STEP_FIELDS)
    _require_known("of", step.of, ("each", "all"))
    _require_known("round", step.round, ("up", "down"))
    needed = STEP_FIELDS[step.kind]
    if needed is not None and getattr(step, needed) is None:
        raise SeriesError("series/steps", f"step {number} ({step.kind}) needs {needed!r}", step=number)
    if step.percent is not None and not 0 <= parse_exact(step.percent) <= 100:
        raise SeriesError("series/steps", f"step {number}: a share is 0 to 100 percent", step=number)
    if step.points is not None:
        parse_exact(step.points)


def _check_cycle(series: Series) -> None:
    """Raise SeriesError if an event qualifies for itself, directly or through others."""
    leads_to: dict[str, set[str]] = {event.key: set(event.feeders) for event in series.events}
    rules = series.rules.qualify
    if rules is not None and rules.to is not None:
        leads_to[rules.to].update(series.sources)
    try:
        TopologicalSorter(leads_to).prepare()
    except CycleError as error:
        key = min(error.args[1])
        raise SeriesError("series/cycle", f"event {key!r} qualifies for itself", event=key) from None
