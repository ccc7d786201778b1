"""The document of a club's series, from the rankings published last, and the names in it.

A person is matched by the club's roll. An entry without a person of the roll is matched by nothing: it has a
reference of its own in each event. The number of queries does not depend on the number of events.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any, Final, Literal, cast

import msgspec
from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, F, Max, OuterRef, Subquery, TextField
from django.db.models.functions import Cast, JSONObject
from django.utils.translation import gettext as _
from msgspec.structs import replace

from games.models import User
from tournaments import regulations
from tournaments.clubs import rolls
from tournaments.models import (
    Championship,
    ClubEvent,
    ClubSeries,
    Entry,
    Official,
    OutsideEvent,
    Regulations,
    SeriesTicket,
    StandingsSnapshot,
)
from tournaments.names import TwoNames, fold, given_first
from tournaments.names.public_names import (
    FULL,
    INITIALS,
    NUMBERS,
    PublicPerson,
    numbered_name,
    public_names,
)
from tournaments.series.document import RankedPerson, Series, SeriesEvent, check_series
from tournaments.series.qualification import Qualification, qualify
from tournaments.series.season_table import SeasonTable, compute_table
from tournaments.services.series.editing import rules_of_series
from tournaments.standings import RankingRow, write_figure

Direction = Literal[1, -1]
State = Literal["planned", "held", "cancelled", "void"]
STRICTNESS: Final = (FULL, INITIALS, NUMBERS)
"""Kinds of public names, the strictest one last."""


@dataclass(frozen=True, slots=True)
class SeriesPerson:
    """A person of the series. person: the id on the roll, None for an entry without one; names, event: of the
    latest entry, whose id is `entry`, no event for a person who is not ranked; number: in the order of the
    first events, for names that are not public. Without `entry` the names are those of the roll or of a file.
    """

    ref: str
    person: int | None
    names: TwoNames
    number: int
    event: str
    entry: int | None = None


class SeriesResults:
    """The document of a series with what follows from it, computed once."""

    def __init__(self, document: Series) -> None:
        self.document = document

    @cached_property
    def table(self) -> SeasonTable:
        """The season table of persons. Raises SeriesError."""
        rules = replace(self.document.rules, teams=None)
        return compute_table(replace(self.document, rules=rules))

    @cached_property
    def team_table(self) -> SeasonTable | None:
        """The season table of teams; None where the rules know none. Raises SeriesError."""
        return None if self.document.rules.teams is None else compute_table(self.document)

    @cached_property
    def qualification(self) -> Qualification | None:
        """The qualified persons; None without rules for it. Raises SeriesError."""
        return None if self.document.rules.qualify is None else qualify(self.document)


@dataclass(frozen=True)
class LoadedSeries:
    """A series with everything that its pages show.

    `persons`: by reference; `tickets`: the decisions on tickets; `outside`: the files of events that were
    played on other installations, by the row of the event. `team_names`: the name of a team by its reference,
    as the latest event spells it. `mark`: the edition of the results, as a part of cache keys; "" if no page
    caches this series.
    """

    series: ClubSeries
    events: Sequence[ClubEvent]
    results: SeriesResults
    persons: Mapping[str, SeriesPerson]
    tickets: Sequence[SeriesTicket]
    outside: Mapping[int, OutsideEvent]
    team_names: Mapping[str, str] = field(default_factory=dict)
    mark: str = ""

    @cached_property
    def championships(self) -> list[Championship]:
        """The championships of the events, in order."""
        return [event.championship for event in self.events if event.championship is not None]

    @property
    def document(self) -> Series:
        """The document of the pure functions."""
        return self.results.document

    @property
    def table(self) -> SeasonTable:
        """The season table of persons. Raises SeriesError."""
        return self.results.table

    @property
    def team_table(self) -> SeasonTable | None:
        """The season table of teams; None where the rules know none. Raises SeriesError."""
        return self.results.team_table

    @property
    def qualification(self) -> Qualification | None:
        """The qualified persons; None without rules for it. Raises SeriesError."""
        return self.results.qualification

    @property
    def final(self) -> ClubEvent | None:
        """The event that is qualified for."""
        rules = self.document.rules.qualify
        return next((event for event in self.events if rules is not None and event.key == rules.to), None)


def load_series(series: ClubSeries, events: Sequence[ClubEvent] | None = None) -> LoadedSeries:
    """Load the document. `events`: in order, with their championships, if at hand. Raises SeriesError if the
    rules do not fit the events.
    """
    if events is None:
        events = list(series.events.select_related("championship").order_by("position", "pk"))
    pks = [event.championship_id for event in events if event.championship_id is not None]
    directions = _load_directions(pks)
    snapshots = _load_snapshots(pks)
    outside = load_outside(series)
    states = {event.key: _find_state(event, snapshots, outside) for event in events}
    held = [event for event in events if states[event.key] == "held"]
    entries = _load_entries([event.championship_id for event in held])
    builder = _Persons(series.club_id)
    of_event: dict[int, Direction] = {
        event.pk: directions[event.championship_id] for event in events if event.championship_id in directions
    } | {pk: 1 if found.direction > 0 else -1 for pk, found in outside.items()}
    usual: Direction = next((of_event[event.pk] for event in events if event.pk in of_event), 1)
    documents = []
    for event in events:
        rows: tuple[RankedPerson, ...] = ()
        if states[event.key] == "held" and event.championship_id is not None:
            found = msgspec.json.decode(snapshots[event.championship_id], type=list[RankingRow])
            rows = builder.rank(event, found, entries.get(event.championship_id, {}))
        elif states[event.key] == "held" and event.pk in outside:
            rows = builder.rank_outside(event, outside[event.pk])
        documents.append(
            SeriesEvent(
                key=event.key,
                direction=of_event.get(event.pk, usual),
                state=states[event.key],
                ranking=rows,
            )
        )
    weights = {event.key: _write_weight(event.weight) for event in events if event.weight != 1}
    rules = replace(rules_of_series(series), weights=weights)
    tickets = list(series.tickets.select_related("person", "entry").order_by("pk"))
    builder.add_tickets(tickets)
    document = Series(
        rules=rules,
        events=tuple(documents),
        seed=series.seed,
        **{name: refs_of(tickets, kind) for kind, name in TICKET_FIELDS.items()},
    )
    check_series(document)
    return LoadedSeries(
        series, events, SeriesResults(document), builder.found, tickets, outside, builder.team_names
    )


TICKET_FIELDS: Final = {
    "holder": "holders",
    "wild_card": "wild_cards",
    "declined": "declined",
    "accepted": "accepted",
}
"""The field of the document for each kind of `SeriesTicket`."""


def refs_of(tickets: Iterable[SeriesTicket], kind: str) -> tuple[str, ...]:
    """Return the references of the persons with tickets of this kind, in order."""
    return tuple(ticket.ref for ticket in tickets if ticket.kind == kind)


def load_outside(series: ClubSeries) -> dict[int, OutsideEvent]:
    """Return the championships from elsewhere that count, by event, with their people."""
    found = series.outside.filter(counts=True, event__isnull=False).defer("data", "notes")
    return {one.event_id: one for one in found.prefetch_related("people__person") if one.event_id is not None}


def is_from_elsewhere(ref: str) -> bool:
    """Return whether a reference is of a person ranked elsewhere who is not on the roll."""
    return ref.startswith("o")


def read_outside_rows(outside: OutsideEvent) -> list[RankingRow]:
    """Decode the stored ranking."""
    return msgspec.convert(outside.ranking, list[RankingRow])


def _load_directions(pks: Sequence[int]) -> dict[int, Direction]:
    current = Regulations.objects.filter(championship__in=pks, version=F("championship__regulations_version"))
    return {
        pk: 1 if regulations.decode_stored(data).directions().total > 0 else -1
        for pk, data in current.values_list("championship", "data")
    }


def _load_snapshots(pks: Sequence[int]) -> dict[int, str]:
    """Return the ranking published last of each championship, as JSON."""
    newest = (
        StandingsSnapshot.objects.filter(championship__in=pks)
        .order_by()
        .values("championship")
        .annotate(newest=Max("pk"))
        .values("newest")
    )
    rows = StandingsSnapshot.objects.filter(pk__in=newest)
    return dict(rows.values_list("championship", Cast("rows", TextField())))


def _find_state(event: ClubEvent, snapshots: Container[int], outside: Mapping[int, OutsideEvent]) -> State:
    """Return the state that counts: a finished championship with a ranking is held by itself, and so is one
    from elsewhere.
    """
    if event.state in (ClubEvent.State.CANCELLED, ClubEvent.State.VOID):
        return cast(State, event.state)
    if event.pk in outside:
        return "held"
    made = event.championship
    if made is None or made.pk not in snapshots:
        return "planned"
    return "held" if made.status == Championship.Status.FINISHED else cast(State, event.state)


def _write_weight(weight: Decimal) -> int | float:
    return int(weight) if weight == int(weight) else float(weight)


class _Entered(msgspec.Struct, frozen=True):
    """The columns of an entry that a series needs. Names as stored, for no reader yet."""

    pk: int
    person: int | None
    club: int | None
    first: str
    family: str
    category: str
    team: str | None


def _load_entries(pks: Sequence[int | None]) -> dict[int, dict[int, _Entered]]:
    """Return championship → entry number → entry."""
    found: dict[int, dict[int, _Entered]] = {}
    rows: Iterable[tuple[Any, ...]] = Entry.objects.filter(championship__in=pks).values_list(
        "championship",
        "number",
        "pk",
        "person",
        "person__club",
        "first_name",
        "family_name",
        "category",
        "team__name",
    )
    for championship, number, *columns in rows:
        found.setdefault(championship, {})[number] = _Entered(*columns)
    return found


class _Persons:
    """The persons of a series, collected event by event."""

    def __init__(self, club: int) -> None:
        self._club = club
        self.found: dict[str, SeriesPerson] = {}
        self.team_names: dict[str, str] = {}

    def rank(
        self, event: ClubEvent, rows: Iterable[RankingRow], entries: Mapping[int, _Entered]
    ) -> tuple[RankedPerson, ...]:
        """Return the rows of an event, one for each person with a result; partners have a row each.

        Of a person in several pairs the best row counts.
        """
        ranked: dict[str, RankedPerson] = {}
        seen: set[int] = set()
        for row in rows:
            for number in row.numbers if row.has_result else ():
                entry = entries.get(number)
                if entry is None or number in seen:
                    continue
                seen.add(number)
                ref = self._refer(entry, ranked)
                known = self.found.get(ref)
                self.found[ref] = SeriesPerson(
                    ref,
                    entry.person if ref.startswith("p") else None,
                    TwoNames(entry.first, entry.family),
                    known.number if known is not None else len(self.found) + 1,
                    event.key,
                    entry.pk,
                )
                ranked[ref] = RankedPerson(
                    place=row.place,
                    ref=ref,
                    total=row.total if isinstance(row.total, int) else write_figure(row.total),
                    category=entry.category or None,
                    team=self._refer_to_team(entry),
                    line=str(row.key) if len(row.numbers) > 1 else None,
                )
        return tuple(ranked.values())

    def _refer_to_team(self, entry: _Entered) -> str | None:
        """Return the reference of an entry's team: its name, however it is spelt; None without one."""
        if not entry.team:
            return None
        ref = fold(entry.team) or entry.team
        self.team_names[ref] = entry.team
        return ref

    def rank_outside(self, event: ClubEvent, outside: OutsideEvent) -> tuple[RankedPerson, ...]:
        """Return the rows of an event that was played elsewhere; partners have a row each."""
        ranked: dict[str, RankedPerson] = {}
        lines = {number: row for row in reversed(read_outside_rows(outside)) for number in row.numbers}
        for one in outside.people.all():
            person = one.person
            on_roll = person is not None and person.club_id == self._club and f"p{person.pk}" not in ranked
            ref = f"p{one.person_id}" if on_roll else f"o{one.pk}"
            known = self.found.get(ref)
            self.found[ref] = SeriesPerson(
                ref,
                one.person_id if on_roll else None,
                TwoNames(person.first_name, person.family_name)
                if person is not None and on_roll
                else given_first(one.name or numbered_name(one.number)),
                known.number if known is not None else len(self.found) + 1,
                event.key,
            )
            line = lines.get(one.number)
            ranked[ref] = RankedPerson(
                place=one.place,
                ref=ref,
                total=one.total,
                category=(person.category or None) if person is not None and on_roll else None,
                line=str(line.key) if line is not None and len(line.numbers) > 1 else None,
            )
        return tuple(ranked.values())

    def add_tickets(self, tickets: Iterable[SeriesTicket]) -> None:
        """Add the persons of tickets who are ranked in no event."""
        for ticket in tickets:
            named = ticket.person or ticket.entry
            if ticket.ref not in self.found and named is not None:
                names = TwoNames(named.first_name, named.family_name)
                self.found[ticket.ref] = SeriesPerson(
                    ticket.ref, ticket.person_id, names, len(self.found) + 1, "", ticket.entry_id
                )

    def _refer(self, entry: _Entered, ranked: Mapping[str, RankedPerson]) -> str:
        """Return the reference of an entry; of its own if the person is not on the roll."""
        ref = f"p{entry.person}"
        return ref if entry.person and entry.club == self._club and ref not in ranked else f"e{entry.pk}"


class SeriesReading(msgspec.Struct, frozen=True):
    """A reader's view of a series: whether it is visible, the name of each person, whether these are
    the full names, and the names of teams.
    """

    visible: bool
    names: Mapping[str, str]
    full: bool = True
    team_names: Mapping[str, str] = field(default_factory=dict)


def read_series(
    loaded: LoadedSeries, reader: User | AnonymousUser, *, keeper: bool, own: Container[int] | None = None
) -> SeriesReading:
    """Return what a reader may see: keepers everything; others the names by the strictest rule of those
    championships of which they are neither official nor player, and nothing if one of these is not public.
    `own`: `load_memberships`, if at hand.
    """
    everybody = loaded.persons.values()
    full = {one.ref: one.names.running for one in everybody}
    if keeper:
        return SeriesReading(True, full, team_names=loaded.team_names)
    if own is None:
        own = load_memberships(loaded.championships, reader)
    others = [one for one in loaded.championships if one.pk not in own]
    kinds = [one.public_names for one in others] + [one.names for one in loaded.outside.values()]
    kind = max(kinds, key=STRICTNESS.index, default=FULL)
    visible = all([one.public for one in others] + [one.public for one in loaded.outside.values()])
    if kind == FULL:
        return SeriesReading(visible, full, team_names=loaded.team_names)
    shown = public_names(
        (PublicPerson(one.number, one.number, one.names.first, one.names.family) for one in everybody), kind
    )
    names = {one.ref: shown[one.number] for one in everybody}
    teams = {
        ref: name if kind == INITIALS else _("Team %(n)d") % {"n": number}
        for number, (ref, name) in enumerate(loaded.team_names.items(), 1)
    }
    return SeriesReading(visible, names, full=False, team_names=teams)


def load_memberships(championships: Sequence[Championship], reader: User | AnonymousUser) -> set[int]:
    """Return the championships in which the reader is an official or a player."""
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


def subquery_public_series() -> Subquery:
    """Return the slug and name of the newest series that counts a championship, for the championship's query.

    Series that not everybody may read are left out.
    """
    private = ClubEvent.objects.filter(series=OuterRef("pk"), championship__public=False)
    elsewhere = OutsideEvent.objects.filter(series=OuterRef("pk"), counts=True, public=False)
    found = ClubSeries.objects.filter(events__championship=OuterRef("pk")).exclude(
        Exists(private) | Exists(elsewhere)
    )
    newest = found.order_by("-created_at", "-pk")
    return Subquery(newest.values(link=JSONObject(slug="slug", name="name"))[:1])
