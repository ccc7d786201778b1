"""Series for pages. Table and qualification are computed once for each state of its rows, and kept in the
process.

Their mark is a digest of all rows that the document is made of: the series, the rows that refer to it, its
events with their championships, the newest rankings, regulations, and the person of each entry. Files of
other installations are included. After a change only the rankings of changed championships are read again,
and only persons with another result are counted again. Names are read for each page (ADR 14).
"""

import hashlib
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, Final

from django.db.models import (
    BigIntegerField,
    BinaryField,
    Count,
    ExpressionWrapper,
    F,
    JSONField,
    Max,
    Model,
    QuerySet,
    Sum,
    TextField,
    Value,
)
from django.db.models.functions import Cast, NullIf

from games.recently_used import RecentlyUsed
from tournaments.models import (
    ClubEvent,
    ClubSeries,
    Entry,
    OutsidePerson,
    Regulations,
    SeriesSnapshot,
    StandingsSnapshot,
    Team,
)
from tournaments.series.document import SeriesError
from tournaments.services import cache_versions
from tournaments.services.cache_versions import JoinedText
from tournaments.services.series.loading import LoadedSeries, load_unnamed_series, read_names

MAX_ROWS: Final = 500_000
"""Largest number of ranking rows in a process. A series of 240,000 takes some 100 MB with its table."""
_NOT_IN_THE_DOCUMENT: Final = (ClubEvent, SeriesSnapshot)
"""Models that refer to a series but are not read as related rows. Events are read with their championships,
and published tables are no part of the document.
"""
_UNREAD: Final = (BinaryField, JSONField)
"""Types of large columns that are not read. The ranking of another installation has its digest in another
column.
"""


@dataclass
class _Kept:
    """A series as it was computed last.

    `making`: lock of the thread that computes, while others wait. `mark`: that of `found`. `digest`: of
    the related rows, read at the monotonic time `at`; `marks`: event → digest of its championship, read at
    that time. `before`: the last series that could be computed, whose unchanged events are used again.
    """

    making: threading.Lock = field(default_factory=threading.Lock)
    mark: str = ""
    found: LoadedSeries | None = None
    digest: str = ""
    marks: Mapping[int, str] = field(default_factory=dict)
    before: LoadedSeries | None = None
    at: float = float("-inf")

    @property
    def rows(self) -> int:
        """The number of rows in all rankings, which is the size of this item in the cache."""
        found = self.found or self.before  # another thread may be computing it anew
        return 0 if found is None else sum(len(event.ranking) for event in found.document.events)


KEPT: Final = RecentlyUsed[int, _Kept](size=lambda kept: kept.rows, most_size=MAX_ROWS)


def load_shared_series(series: ClubSeries) -> LoadedSeries:
    """Load a series as `load_series` does. The result is at most a second old.

    Raises SeriesError if the rules do not fit the events.
    """
    events = _load_events([series])
    _read_marks([series], events)
    return read_names([_compute(series, events[series.pk])])[0]


def load_several_series(listed: Sequence[ClubSeries], *, names: bool = True) -> list[LoadedSeries]:
    """Load several series. Series whose rules do not fit their events are left out.

    `names`: load the persons' names too. As long as nothing has changed, the number of queries does not
    depend on the number of series.
    """
    events = _load_events(listed)
    _read_marks(listed, events)
    found = []
    for series in listed:
        with suppress(SeriesError):
            found.append(_compute(series, events[series.pk]))
    return read_names(found) if names else found


def _load_events(listed: Sequence[ClubSeries]) -> dict[int, list[ClubEvent]]:
    found: dict[int, list[ClubEvent]] = {series.pk: [] for series in listed}
    rows = ClubEvent.objects.filter(series__in=listed).select_related("championship")
    for event in rows.order_by("position", "pk"):
        found[event.series_id].append(event)
    return found


def _compute(series: ClubSeries, events: Sequence[ClubEvent]) -> LoadedSeries:
    """Return the present series, from the cache or computed now."""
    slot = KEPT.get_or_add(series.pk, _Kept)
    with slot.making:
        here = [(_columns(event), _columns(event.championship)) for event in events]
        mark = _digest([_columns(series), slot.digest, here])
        if slot.found is None or slot.mark != mark:
            before, slot.found, slot.mark = slot.found or slot.before, None, ""
            slot.before = before
            loaded = load_unnamed_series(series, events, marks=slot.marks, before=before)
            with suppress(SeriesError):  # the page says what is wrong
                _ = loaded.table, loaded.qualification
            slot.found, slot.mark, slot.before = loaded, mark, None
            KEPT.drop_oldest()
        return replace(slot.found, series=series, events=events, mark=mark)


def _read_marks(listed: Sequence[ClubSeries], events: Mapping[int, Sequence[ClubEvent]]) -> None:
    """Read the digests of all series whose digests are outdated. The number of queries is fixed."""
    now = monotonic()
    slots = {one.pk: KEPT.get_or_add(one.pk, _Kept) for one in listed}
    outdated = [one for one in listed if slots[one.pk].at <= now - cache_versions.CACHE_SECONDS]
    if not outdated:
        return
    pks = [e.championship_id for one in outdated for e in events[one.pk] if e.championship_id is not None]
    beside = _read_related_rows(outdated)
    championships = _read_championships(pks)
    for series in outdated:
        read = {
            event.pk: _digest([event.championship_id, championships.get(event.championship_id or 0)])
            for event in events[series.pk]
        }
        one = slots[series.pk]
        one.digest, one.marks, one.at = _digest([beside[series.pk], read]), read, now


def _read_related_rows(listed: Sequence[ClubSeries]) -> dict[int, list[Any]]:
    """Return series → values of all rows that refer to it or to its events."""
    found: dict[int, list[Any]] = {series.pk: [] for series in listed}
    seen: set[type[Model]] = set(_NOT_IN_THE_DOCUMENT)
    for model, path in ((ClubSeries, ""), (ClubEvent, "__series")):
        for related in model._meta.related_objects:
            held: type[Model] = related.related_model
            if held in seen:
                continue
            seen.add(held)
            way = f"{related.field.name}{path}"
            columns = [f.attname for f in held._meta.concrete_fields if not isinstance(f, _UNREAD)]
            rows = held._base_manager.filter(**{f"{way}__in": [one.pk for one in listed]}).order_by("pk")
            for pk, *values in rows.values_list(way, *columns):
                found[pk].append(values)
    people = OutsidePerson.objects.filter(outside__series__in=listed, outside__counts=True).order_by("pk")
    for pk, *values in people.values_list("outside__series", "pk", "person", "person__category", "name"):
        found[pk].append(values)
    return found


def _read_championships(pks: Collection[int]) -> dict[int, list[Any]]:
    """Return championship → values that identify its current regulations, newest ranking,
    persons and teams.
    """
    found: dict[int, list[Any]] = {pk: [] for pk in pks}
    current = Regulations.objects.filter(championship__in=pks, version=F("championship__regulations_version"))
    newest = StandingsSnapshot.objects.filter(championship__in=pks).order_by("championship")
    persons = Entry.objects.filter(championship__in=pks).order_by("championship").values_list("championship")
    teams = Team.objects.filter(championship__in=pks).order_by("championship")
    rows: Iterable[QuerySet[Any, Any]] = (
        current.order_by("pk").values_list("championship", Cast("data", TextField())),
        newest.values_list("championship").annotate(Max("pk")),
        persons.annotate(
            Count("pk"),
            persons=Sum(ExpressionWrapper(F("person") * F("number"), BigIntegerField())),
            categories=JoinedText(NullIf("category", Value(""))),
            teams=Sum(ExpressionWrapper(F("team") * F("number"), BigIntegerField())),
        ),
        teams.values_list("championship").annotate(names=JoinedText("name", table="tournaments_team")),
    )
    for each in rows:
        for pk, *values in each:
            found[pk].append(values)
    return found


def _columns(row: Model | None) -> list[Any]:
    return [] if row is None else [getattr(row, one.attname) for one in row._meta.concrete_fields]


def _digest(what: Sequence[Any]) -> str:
    return hashlib.blake2b(repr(what).encode(), digest_size=16).hexdigest()
