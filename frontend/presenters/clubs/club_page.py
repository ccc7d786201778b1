"""The public page of a club: next evenings, standings of series, holders of titles, past championships."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, F
from django.urls import reverse

from frontend.presenters.clubs import series as series_presenter
from frontend.presenters.clubs.event_line import stop_date
from frontend.presenters.clubs.series import SeasonLine
from frontend.presenters.standings.ranking_lines import describe_winners, join_winners
from games.models import User
from tournaments.clubs.public import public_series
from tournaments.models import Championship, Club, ClubEvent, ClubSeries, Entry
from tournaments.series.document import SeriesError
from tournaments.series.season_table import SeasonTable
from tournaments.services.people.entry_persons import PERSON
from tournaments.services.series.cached_series import load_several_series
from tournaments.services.series.loading import LoadedSeries, SeriesReading, load_memberships, read_series
from tournaments.services.series.winners import (
    MAX_SHARED,
    Winners,
    find_series_winners,
    is_over,
    load_winners,
)

SERIES_SHOWN: Final = 6
"""Largest number of series on the page, the newest ones. Those that are over only give titles."""
TOP: Final = 5
TITLES: Final = 12
PAST_PER_PAGE: Final = 20
STILL_TO_COME: Final = timedelta(hours=12)
"""Time after its date for which an event without a championship stays among the next evenings."""


@dataclass(frozen=True, slots=True)
class ClubEvening:
    """A championship of the club. people: number of people entered; winner: empty unless it is finished;
    entry_url: the page on which people enter, empty if they cannot.
    """

    championship: Championship
    people: int
    winner: str = ""
    entry_url: str = ""


@dataclass(frozen=True, slots=True)
class PlannedEvening:
    """An event without a championship, planned or cancelled."""

    event: ClubEvent
    series: ClubSeries
    cancelled: bool


@dataclass(frozen=True, slots=True)
class SeriesTop:
    """A series with the first lines of its table. done: number of held events; all: number of events neither
    cancelled nor void; people: number of people in the table; linked: names link to the persons' pages.
    """

    series: ClubSeries
    lines: Sequence[SeasonLine]
    people: int
    done: int
    all: int
    linked: bool


@dataclass(frozen=True, slots=True)
class Title:
    """A title of the club: the event that gives it, and its holders, of whom MAX_SHARED are named."""

    name: str
    url: str
    when: datetime | None
    holder: str


@dataclass(frozen=True, slots=True)
class ClubPage:
    """The data of the public page of a club: next evenings, series, titles, and one page of past
    championships. further: the number of the next page of past championships; None if there is none.
    """

    coming: Sequence[ClubEvening | PlannedEvening]
    series: Sequence[SeriesTop]
    titles: Sequence[Title]
    past: Sequence[ClubEvening]
    further: int | None


def load_club_page(club: Club, reader: User | AnonymousUser, now: datetime, *, page: int = 1) -> ClubPage:
    """Load the page of a club with its public championships that are not archived. page: of past ones, from
    1. The number of queries is limited.
    """
    listed = Championship.objects.filter(club=club, public=True, archived_at=None)
    open_ones = list(listed.exclude(status=Championship.Status.FINISHED))
    first = (page - 1) * PAST_PER_PAGE
    over = listed.filter(status=Championship.Status.FINISHED).order_by(
        F("starts_at").desc(nulls_last=True), "-pk"
    )
    past_and_next = list(over[first : first + PAST_PER_PAGE + 1])
    past = past_and_next[:PAST_PER_PAGE]
    winners, people = load_winners(past), _count_people([*open_ones, *past])
    loaded = load_public_series(club, reader)
    evenings = [_make_evening(one, people, winners) for one in past]
    coming = [_make_evening(one, people, {}) for one in open_ones]
    return ClubPage(
        coming=sorted([*coming, *_list_planned(loaded, now)], key=_when),
        series=[_list_top_rows(one, reading) for one, reading in loaded if not is_over(one)],
        titles=list(_titles(loaded, evenings))[:TITLES],
        past=evenings,
        further=page + 1 if len(past_and_next) > PAST_PER_PAGE else None,
    )


def load_public_series(club: Club, reader: User | AnonymousUser) -> list[tuple[LoadedSeries, SeriesReading]]:
    """Return the series of `list_public_series`, each with what this reader may see of it."""
    return read_several_series(load_several_series(list_public_series(club)), reader)


def read_several_series(
    loaded_series: Sequence[LoadedSeries], reader: User | AnonymousUser
) -> list[tuple[LoadedSeries, SeriesReading]]:
    """Return for each series what this reader may see of it. Two queries for a reader who has signed in."""
    memberships = load_memberships([event for one in loaded_series for event in one.championships], reader)
    return [(one, read_series(one, reader, keeper=False, own=memberships)) for one in loaded_series]


def list_public_series(club: Club) -> list[ClubSeries]:
    """Return the newest SERIES_SHOWN series of the club that everybody may read."""
    newest = list(public_series().filter(club=club).order_by("-created_at", "-pk")[:SERIES_SHOWN])
    for series in newest:
        series.club = club
    return newest


def _count_people(championships: Sequence[Championship]) -> dict[int, int]:
    """Return championship → number of people entered. A person with several starts counts once."""
    there = Entry.objects.filter(championship__in=championships, bot=False)
    rows = there.exclude(status=Entry.Status.WITHDRAWN).order_by("championship").values_list("championship")
    counts, with_starts = {}, []
    for pk, entries, starts in rows.annotate(Count("pk"), Count("start_of")):
        counts[pk] = entries
        if starts:
            with_starts.append(pk)
    if with_starts:  # Only there are entries and people different numbers, and distinct values need a sort.
        counts |= dict(
            rows.filter(championship__in=with_starts).annotate(people=Count(PERSON, distinct=True))
        )
    return counts


def _make_evening(
    championship: Championship, people: Mapping[int, int], winners: Mapping[int, Winners]
) -> ClubEvening:
    entry_url = ""
    if championship.entry_link and championship.status != Championship.Status.FINISHED:
        entry_url = reverse("enter_oneself", args=[championship.slug, championship.entry_link])
    return ClubEvening(
        championship,
        people.get(championship.pk, 0),
        describe_winners(winners.get(championship.pk)),
        entry_url,
    )


def _list_planned(
    loaded: Iterable[tuple[LoadedSeries, SeriesReading]], now: datetime
) -> Iterator[PlannedEvening]:
    """Yield planned and cancelled events until STILL_TO_COME after their date; without a date only planned
    ones.
    """
    for one, _reading in loaded:
        for event in one.events:
            state = one.document.by_key[event.key].state
            if event.championship is not None or state not in ("planned", "cancelled"):
                continue
            if event.starts_at is None and state == "cancelled":
                continue
            if event.starts_at is None or event.starts_at >= now - STILL_TO_COME:
                yield PlannedEvening(event, one.series, state == "cancelled")


def _when(evening: ClubEvening | PlannedEvening) -> tuple[bool, float]:
    """Return a key that sorts by date; evenings without a date come last."""
    at = evening.championship.starts_at if isinstance(evening, ClubEvening) else evening.event.starts_at
    return at is None, at.timestamp() if at is not None else 0.0


def _list_top_rows(loaded: LoadedSeries, reading: SeriesReading) -> SeriesTop:
    """Return the first lines of a series. There are none if the rules do not fit the rankings; the page of
    the series then shows the error.
    """
    try:
        table = loaded.table
    except SeriesError:
        table = SeasonTable((), ())
    states = [event.state for event in loaded.document.events]
    return SeriesTop(
        loaded.series,
        series_presenter.season_lines(loaded, table.rows[:TOP], reading.names),
        len(table.rows) + len(table.unranked),
        states.count("held"),
        len(states) - states.count("cancelled") - states.count("void"),
        reading.full,
    )


def _titles(
    loaded: Iterable[tuple[LoadedSeries, SeriesReading]], past: Sequence[ClubEvening]
) -> Iterator[Title]:
    """Yield the titles of these series that are over, then those of the `past` championships in none of
    them.
    """
    in_series = set()
    for one, reading in loaded:
        in_series |= {event.championship_id for event in one.events}
        holders = sorted(reading.names[ref] for ref in find_series_winners(one))
        if holders:
            dates = filter(None, map(stop_date, series_presenter.event_lines(one)))
            url = reverse("series", args=[one.series.slug])
            named = join_winners(holders[:MAX_SHARED], len(holders) - MAX_SHARED)
            yield Title(one.series.name, url, max(dates, default=None), named)
    for evening in past:
        championship = evening.championship
        if evening.winner and championship.pk not in in_series:
            url = reverse("championship", args=[championship.slug])
            yield Title(championship.name, url, championship.starts_at, evening.winner)
