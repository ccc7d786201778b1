"""Loading the document of a club's series from the rankings published last, and the names of its persons.

A person is identified by the club's roll. An entry without a person of the roll is another person in each
event. The number of queries does not depend on the number of events.
"""

import dataclasses
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from sys import intern
from typing import Any, Final, Literal, NamedTuple, cast

import msgspec
from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, F, OuterRef, Subquery, TextField
from django.db.models.functions import Cast, JSONObject
from django.utils.translation import gettext as _
from msgspec.structs import replace

from games.models import User
from tournaments import regulation_checks
from tournaments.clubs import rolls
from tournaments.models import (
    Championship,
    ClubEvent,
    ClubSeries,
    Entry,
    Official,
    OutsideEvent,
    Person,
    Regulations,
    SeriesTicket,
    StandingsSnapshot,
)
from tournaments.names import TwoNames, fold, given_first
from tournaments.names.public_names import (
    CONSENTED,
    FULL,
    INITIALS,
    NUMBERS,
    PublicPerson,
    numbered_name,
    public_names,
)
from tournaments.series.document import RankedPerson, Series, SeriesEvent, check_series
from tournaments.series.qualification import Qualification, qualify
from tournaments.series.season_table import SeasonCount, SeasonTable, compute_table
from tournaments.services.series.editing import decode_series_rules
from tournaments.services.series.stream import refs_of
from tournaments.standings import RankingRow, write_figure

Direction = Literal[1, -1]
State = Literal["planned", "held", "cancelled", "void"]
STRICTNESS: Final = (FULL, CONSENTED, INITIALS, NUMBERS)
"""Kinds of public names, in order of strictness. The strictest one is last."""


class FilePerson(NamedTuple):
    """A person of another installation's file. person: id on the roll; None: the person is not on it."""

    names: TwoNames
    person: int | None


class SeriesPerson(msgspec.Struct, frozen=True, gc=False):
    """A person of the series.

    ref: reference in the document; person: id on the roll, None if not on it; entry: id of the latest entry;
    names, event: names in that entry, and key of its event. Without an entry the names are those of the roll
    or of a file. number: by order of the first event, shown in place of a name that is not public;
    unnamed: the person withdrew the consent to be named.
    """

    ref: str
    person: int | None
    names: TwoNames
    number: int
    event: str
    entry: int | None = None
    unnamed: bool = False


class SeriesResults:
    """The document of a series, and what is computed from it once: tables and qualification.

    before: the results of an earlier document, of which unchanged parts are used again.
    """

    def __init__(self, document: Series, before: "SeriesResults | None" = None) -> None:
        self.document = document
        self._before = before.__dict__.get("_count") if before is not None else None

    @cached_property
    def _count(self) -> SeasonCount:
        count, self._before = SeasonCount(self.document, self._before), None
        return count

    @cached_property
    def table(self) -> SeasonTable:
        """The season table of persons. Raises SeriesError."""
        return self._count.make_table(self.document)

    @cached_property
    def team_table(self) -> SeasonTable | None:
        """The season table of teams; None if the rules have no teams. Raises SeriesError."""
        teams = self.document.rules.teams
        return None if teams is None else self._count.make_table(self.document, teams=teams)

    @cached_property
    def qualification(self) -> Qualification | None:
        """The qualified persons; None if the series has no rules for a qualification. Raises SeriesError."""
        return None if self.document.rules.qualify is None else qualify(self.document, self._make_table)

    def _make_table(self, of_sources: Series) -> SeasonTable:
        """Return the table of these events. It is the table of the series, if no other events count in the
        series.
        """
        return self.table if self.document.counts_sources_only else compute_table(of_sources)


@dataclass(frozen=True, slots=True)
class EventRanking:
    """The ranking of an event as a series counts it.

    mark: digest of the rows that it was made from, empty if it must not be used again. document: the event
    with its ranked persons; entries: for each of these persons, in order, the id of their entry, or the
    person of a file; team_names: as in `LoadedSeries`.
    """

    mark: str
    document: SeriesEvent
    entries: tuple[int | FilePerson, ...]
    team_names: Mapping[str, str]


@dataclass(frozen=True)
class LoadedSeries:
    """A series with everything that its pages show.

    `persons`: by reference; `tickets`: the decisions on tickets; `outside`: id of the event → file of a
    championship on another installation. `team_names`: reference of a team → its name in the latest event.
    `rankings`: id of the event → ranking, if the event counts. `mark`: cache version of the results for cache
    keys; "": no page caches this series.
    """

    series: ClubSeries
    events: Sequence[ClubEvent]
    results: SeriesResults
    persons: Mapping[str, SeriesPerson]
    tickets: Sequence[SeriesTicket]
    outside: Mapping[int, OutsideEvent]
    team_names: Mapping[str, str] = field(default_factory=dict)
    rankings: Mapping[int, EventRanking] = field(default_factory=dict)
    mark: str = ""

    @cached_property
    def championships(self) -> list[Championship]:
        """The championships of the events, in order."""
        return [event.championship for event in self.events if event.championship is not None]

    @property
    def document(self) -> Series:
        """The document from which tables and qualification are computed."""
        return self.results.document

    @property
    def table(self) -> SeasonTable:
        """The season table of persons. Raises SeriesError."""
        return self.results.table

    @property
    def team_table(self) -> SeasonTable | None:
        """The season table of teams; None if the rules have no teams. Raises SeriesError."""
        return self.results.team_table

    @property
    def qualification(self) -> Qualification | None:
        """The qualified persons; None if the series has no rules for a qualification. Raises SeriesError."""
        return self.results.qualification

    @property
    def final(self) -> ClubEvent | None:
        """The event that the qualification leads to; None if the series has no final."""
        rules = self.document.rules.qualify
        return next((event for event in self.events if rules is not None and event.key == rules.to), None)


def load_series(series: ClubSeries) -> LoadedSeries:
    """Load a series with the names of its persons. Raises SeriesError if the rules do not fit the events."""
    events = list(series.events.select_related("championship").order_by("position", "pk"))
    [found] = read_names([load_unnamed_series(series, events)])
    return found


def load_unnamed_series(
    series: ClubSeries,
    events: Sequence[ClubEvent],
    *,
    marks: Mapping[int, str] | None = None,
    before: LoadedSeries | None = None,
) -> LoadedSeries:
    """Load a series. The names of persons with an entry are still missing.

    marks: event → digest of the rows from which its ranking is made. If `before` has the event with the same
    digest, its ranking is not read again. Raises SeriesError if the rules do not fit the events.
    """
    pks = [event.championship_id for event in events if event.championship_id is not None]
    known = _find_known(before, marks or {})
    directions, snapshots = _load_directions(
        pks, [event.championship_id for event in events if event.pk in known]
    )
    outside = load_outside(series)
    states = {event.key: _find_state(event, snapshots, outside) for event in events}
    held_events = [
        event for event in events if states[event.key] == "held" and event.championship_id is not None
    ]
    to_read = [event.championship_id for event in held_events if event.pk not in known]
    texts = _load_snapshots([snapshots[pk] for pk in to_read if pk is not None])
    entries = _load_entries(to_read)
    of_event: dict[int, Direction] = {
        event.pk: directions[event.championship_id] for event in events if event.championship_id in directions
    }
    of_event |= {pk: one.document.direction for pk, one in known.items()}
    of_event |= {pk: 1 if found.direction > 0 else -1 for pk, found in outside.items()}
    usual: Direction = next((of_event[event.pk] for event in events if event.pk in of_event), 1)
    rankings: dict[int, EventRanking] = {}
    documents = []
    for event in events:
        plain = SeriesEvent(key=event.key, direction=of_event.get(event.pk, usual), state=states[event.key])
        if plain.state == "held" and event.championship_id is not None:
            if event.pk in known:
                rankings[event.pk] = _use_again(known[event.pk], plain)
            else:
                rows = msgspec.json.decode(texts[event.championship_id], type=list[RankingRow])
                mark, there = (marks or {}).get(event.pk, ""), entries.get(event.championship_id, {})
                rankings[event.pk] = _rank(plain, rows, there, series.club_id, mark)
        elif plain.state == "held" and event.pk in outside:
            rankings[event.pk] = _rank_outside(plain, outside[event.pk], series.club_id)
        documents.append(rankings[event.pk].document if event.pk in rankings else plain)
    weights = {event.key: _write_weight(event.weight) for event in events if event.weight != 1}
    rules = replace(decode_series_rules(series), weights=weights)
    tickets = list(series.tickets.select_related("person", "entry").order_by("pk"))
    document = Series(
        rules=rules,
        events=tuple(documents),
        seed=series.seed,
        **{name: refs_of(tickets, kind) for kind, name in TICKET_FIELDS.items()},
    )
    check_series(document)
    team_names: dict[str, str] = {}
    for one in rankings.values():
        team_names |= one.team_names
    results = SeriesResults(document, None if before is None else before.results)
    persons = _collect_persons(rankings.values(), tickets)
    return LoadedSeries(series, events, results, persons, tickets, outside, team_names, rankings)


def _find_known(before: LoadedSeries | None, marks: Mapping[int, str]) -> dict[int, EventRanking]:
    """Return id of the event → ranking, for the rankings of `before` that have not changed."""
    rankings = {} if before is None else before.rankings
    return {pk: one for pk, one in rankings.items() if one.mark and one.mark == marks.get(pk)}


def _use_again(known: EventRanking, plain: SeriesEvent) -> EventRanking:
    """Return an unchanged ranking for an event. The document is the same object unless key, direction or
    state differ.
    """
    if (known.document.key, known.document.direction) == (plain.key, plain.direction):
        return known
    return dataclasses.replace(known, document=replace(plain, ranking=known.document.ranking))


TICKET_FIELDS: Final = {
    "holder": "holders",
    "wild_card": "wild_cards",
    "declined": "declined",
    "accepted": "accepted",
}
"""Kind of a `SeriesTicket` → field of the document."""


def load_outside(series: ClubSeries) -> dict[int, OutsideEvent]:
    """Return id of the event → its file of another installation's championship, with the people, for files
    that count.
    """
    found = series.outside.filter(counts=True, event__isnull=False).defer("data", "notes")
    return {one.event_id: one for one in found.prefetch_related("people__person") if one.event_id is not None}


def is_from_elsewhere(ref: str) -> bool:
    """Return whether a reference belongs to a person of another installation's file who is
    not on the roll.
    """
    return ref.startswith("o")


def read_outside_rows(outside: OutsideEvent) -> list[RankingRow]:
    """Decode the stored ranking of another installation's championship."""
    return msgspec.convert(outside.ranking, list[RankingRow])


def _load_directions(
    pks: Sequence[int], known: Container[int | None]
) -> tuple[dict[int, Direction], dict[int, int]]:
    """Return two mappings: championship → direction (left out if in `known`), championship → key of its
    latest ranking.
    """
    current = Regulations.objects.filter(championship__in=pks, version=F("championship__regulations_version"))
    published = StandingsSnapshot.objects.filter(championship=OuterRef("championship")).order_by("-pk")
    directions: dict[int, Direction] = {}
    snapshots: dict[int, int] = {}
    rows = current.annotate(newest=Subquery(published.values("pk")[:1]))
    for pk, data, newest in rows.values_list("championship", "data", "newest"):
        if pk not in known:
            directions[pk] = 1 if regulation_checks.decode_stored(data).directions().total > 0 else -1
        if newest is not None:
            snapshots[pk] = newest
    return directions, snapshots


def _load_snapshots(pks: Sequence[int]) -> dict[int, str]:
    """Return championship → rows of the ranking as JSON, for the rankings with these primary keys."""
    rows = StandingsSnapshot.objects.filter(pk__in=pks)
    return dict(rows.values_list("championship", Cast("rows", TextField())))


def _find_state(event: ClubEvent, snapshots: Container[int], outside: Mapping[int, OutsideEvent]) -> State:
    """Return the state in which an event counts.

    A finished championship with a ranking is held, and so is a championship of a file, whatever state the
    keeper has set, unless the event is cancelled or void.
    """
    if event.state in ClubEvent.WITHDRAWN:
        return cast(State, event.state)
    if event.pk in outside:
        return "held"
    championship = event.championship
    if championship is None or championship.pk not in snapshots:
        return "planned"
    return "held" if championship.status == Championship.Status.FINISHED else cast(State, event.state)


def _write_weight(weight: Decimal) -> int | float:
    return int(weight) if weight == int(weight) else float(weight)


class _Entered(msgspec.Struct, frozen=True):
    """The columns of an entry that a series needs. `club`: the club of the person's roll."""

    pk: int
    person: int | None
    club: int | None
    category: str
    team: str | None


def _load_entries(pks: Sequence[int | None]) -> dict[int, dict[int, _Entered]]:
    """Return championship → entry number → entry."""
    found: dict[int, dict[int, _Entered]] = {}
    rows: Iterable[tuple[Any, ...]] = (
        Entry.objects.filter(championship__in=pks)
        .order_by()
        .values_list("championship", "number", "pk", "person", "person__club", "category", "team__name")
    )
    for championship, number, *columns in rows:
        found.setdefault(championship, {})[number] = _Entered(*columns)
    return found


def _rank(
    plain: SeriesEvent,
    rows: Iterable[RankingRow],
    entries: Mapping[int, _Entered],
    club: int,
    mark: str,
) -> EventRanking:
    """Return the ranking of an event with a row for each person who has a result. Partners have a row each.

    If a person is in several pairs, the best row counts.
    """
    ranked: dict[str, RankedPerson] = {}
    seen: dict[int, int] = {}
    team_names: dict[str, str] = {}
    for row in rows:
        for number in row.numbers if row.has_result else ():
            entry = entries.get(number)
            if entry is None or number in seen:
                continue
            seen[number] = entry.pk
            ref = f"p{entry.person}"
            if not entry.person or entry.club != club or ref in ranked:
                ref = f"e{entry.pk}"  # of its own if the person is not on the roll
            ref = intern(ref)  # one text for all events of a person
            team = None
            if entry.team:
                team = fold(entry.team) or entry.team
                team_names[team] = entry.team
            ranked[ref] = RankedPerson(
                place=row.place,
                ref=ref,
                total=row.total if isinstance(row.total, int) else write_figure(row.total),
                category=entry.category or None,
                team=team,
                line=str(row.key) if len(row.numbers) > 1 else None,
            )
    document = replace(plain, ranking=tuple(ranked.values()))
    return EventRanking(mark, document, tuple(seen.values()), team_names)


def _rank_outside(plain: SeriesEvent, outside: OutsideEvent, club: int) -> EventRanking:
    """Return the ranking of an event that was played on another installation. Partners have a row each."""
    ranked: dict[str, RankedPerson] = {}
    people = []
    lines = {number: row for row in reversed(read_outside_rows(outside)) for number in row.numbers}
    for one in outside.people.all():
        person = one.person
        if person is not None and (person.club_id != club or f"p{person.pk}" in ranked):
            person = None
        ref = f"o{one.pk}" if person is None else f"p{person.pk}"
        given = given_first(one.name or numbered_name(one.number))
        names = given if person is None else TwoNames(person.first_name, person.family_name)
        people.append(FilePerson(names, None if person is None else person.pk))
        line = lines.get(one.number)
        ranked[ref] = RankedPerson(
            place=one.place,
            ref=ref,
            total=one.total,
            category=None if person is None else person.category or None,
            line=str(line.key) if line is not None and len(line.numbers) > 1 else None,
        )
    return EventRanking("", replace(plain, ranking=tuple(ranked.values())), tuple(people), {})


NO_NAMES: Final = TwoNames("", "")
"""The names of a person that are not read yet."""


def _collect_persons(
    rankings: Iterable[EventRanking], tickets: Iterable[SeriesTicket]
) -> dict[str, SeriesPerson]:
    """Return the persons by reference: first the ranked ones by first event, then persons of tickets who are
    not ranked.
    """
    listed = list(rankings)
    latest: dict[str, int] = {}
    for at, one in enumerate(listed):  # whole events at once: a large series has 240,000 rows
        latest |= dict.fromkeys(one.document.totals, at)
    entries: dict[int, dict[str, int | FilePerson]] = {
        at: dict(zip(listed[at].document.totals, listed[at].entries, strict=True))
        for at in set(latest.values())
    }
    found = {}
    for number, (ref, at) in enumerate(latest.items(), 1):
        there, event = entries[at][ref], listed[at].document.key
        if isinstance(there, FilePerson):
            found[ref] = SeriesPerson(ref, there.person, there.names, number, event)
        else:
            person = int(ref[1:]) if ref.startswith("p") else None
            found[ref] = SeriesPerson(ref, person, NO_NAMES, number, event, there)
    for ticket in tickets:
        named = ticket.person or ticket.entry
        if ticket.ref not in found and named is not None:
            names = TwoNames(named.first_name, named.family_name)
            found[ticket.ref] = SeriesPerson(
                ticket.ref, ticket.person_id, names, len(found) + 1, "", ticket.entry_id
            )
    return found


NAMES_PER_QUERY: Final = 10_000


def read_names(listed: Sequence[LoadedSeries]) -> list[LoadedSeries]:
    """Return the series with the present names of their persons, from the latest entry or, without one, from
    the roll.
    """
    everybody = [one for loaded in listed for one in loaded.persons.values()]
    of_entries = _load_names(Entry, [one.entry for one in everybody if one.entry is not None])
    on_roll = _load_names(Person, [one.person for one in everybody if one.entry is None and one.person])

    def named(one: SeriesPerson) -> SeriesPerson:
        found = of_entries.get(one.entry) if one.entry is not None else on_roll.get(one.person or 0)
        if found is None or found == (one.names, one.unnamed):
            return one
        return replace(one, names=found[0], unnamed=found[1])

    return [
        dataclasses.replace(loaded, persons={ref: named(one) for ref, one in loaded.persons.items()})
        for loaded in listed
    ]


def _load_names(model: type[Entry] | type[Person], pks: Sequence[int]) -> dict[int, tuple[TwoNames, bool]]:
    """Return primary key → names, and whether the consent to be named was withdrawn."""
    found: dict[int, tuple[TwoNames, bool]] = {}
    for first in range(0, len(pks), NAMES_PER_QUERY):
        rows = model._base_manager.filter(pk__in=pks[first : first + NAMES_PER_QUERY]).order_by()
        columns = rows.values_list("pk", "first_name", "family_name", "unnamed_since")
        found |= {pk: (TwoNames(*two), since is not None) for pk, *two, since in columns}
    return found


class SeriesReading(msgspec.Struct, frozen=True):
    """The part of a series that a reader may see.

    visible: whether they may see it; names: reference of a person → name in the form for this reader; full:
    whether names are full, except those of persons without consent; team_names: reference of a team → name.
    """

    visible: bool
    names: Mapping[str, str]
    full: bool = True
    team_names: Mapping[str, str] = field(default_factory=dict)


def read_series(
    loaded: LoadedSeries, reader: User | AnonymousUser, *, keeper: bool, own: Container[int] | None = None
) -> SeriesReading:
    """Return what a reader may see of a series. Keepers see everything.

    For other readers, files of other installations count, and championships in which they are neither
    official nor player. Names have the strictest form that one of these prescribes. If one of them is not
    public, the series is not visible. `own`: the result of `load_memberships`, if it was called already.
    """
    everybody = loaded.persons.values()
    full = {one.ref: one.names.running for one in everybody}
    if keeper:
        return SeriesReading(True, full, team_names=loaded.team_names)
    if own is None:
        own = load_memberships(loaded.championships, reader)
    others = [one for one in loaded.championships if one.pk not in own]
    kinds = [one.name_kind for one in others] + [one.names for one in loaded.outside.values()]
    kind = max(kinds, key=STRICTNESS.index, default=FULL)
    visible = all([one.public for one in others] + [one.public for one in loaded.outside.values()])
    if kind == FULL and (others or loaded.outside) and any(one.unnamed for one in everybody):
        kind = CONSENTED
    if kind == FULL:
        return SeriesReading(visible, full, team_names=loaded.team_names)
    shown = public_names(
        (PublicPerson(one.number, one.number, *one.names, unnamed=one.unnamed) for one in everybody), kind
    )
    if kind == CONSENTED:
        consented = {one.ref: shown.get(one.number, full[one.ref]) for one in everybody}
        return SeriesReading(visible, consented, team_names=loaded.team_names)
    names = {one.ref: shown[one.number] for one in everybody}
    teams = {
        ref: name if kind == INITIALS else _("Team %(n)d") % {"n": number}
        for number, (ref, name) in enumerate(loaded.team_names.items(), 1)
    }
    return SeriesReading(visible, names, full=False, team_names=teams)


def load_memberships(championships: Sequence[Championship], reader: User | AnonymousUser) -> set[int]:
    """Return the primary keys of the championships in which the reader is an official or a player."""
    if not reader.is_authenticated:
        return set()
    offices = Official.objects.filter(user=reader.pk, championship__in=championships)
    entries = Entry.objects.filter(user=reader.pk, championship__in=championships)
    return {
        *offices.values_list("championship", flat=True),
        *entries.values_list("championship", flat=True),
    }


def may_edit_series(reader: User | AnonymousUser, series: ClubSeries) -> bool:
    """Return whether the reader keeps the roll of the series' club."""
    return rolls.is_keeper(reader, series.club)


def make_public_series_query() -> Subquery:
    """Return a subquery for a query of championships. It selects slug and name of the newest series that has
    the championship and that everybody may read.
    """
    private = ClubEvent.objects.filter(series=OuterRef("pk"), championship__public=False)
    elsewhere = OutsideEvent.objects.filter(series=OuterRef("pk"), counts=True, public=False)
    found = ClubSeries.objects.filter(events__championship=OuterRef("pk")).exclude(
        Exists(private) | Exists(elsewhere)
    )
    newest = found.order_by("-created_at", "-pk")
    return Subquery(newest.values(link=JSONObject(slug="slug", name="name"))[:1])
