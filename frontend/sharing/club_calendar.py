"""The calendar of a club or of a series: championships, and planned events that have no championship yet."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Prefetch, Q
from django.urls import reverse
from django.utils.translation import get_language

from frontend.sharing.calendar_file import (
    CalendarEvent,
    calendar_text,
    list_calendar_events,
    revision_number,
    write_calendar,
)
from tournaments.clubs.public import public_series
from tournaments.models import Championship, Club, ClubEvent, ClubSeries, Round
from tournaments.services.current_regulations import with_regulations

PAST: Final = timedelta(days=366)
"""Time for which a past event stays in a club's calendar. Calendars of subscribers lose what the file no
longer contains.
"""
ASKED_AGAIN: Final = "PT6H"
"""Interval at which calendar programs should request the file again, in ISO 8601."""
Address = Callable[[str], str]
"""Function that returns the absolute URL of a page's path."""


def list_club_events(club: Club, now: datetime, absolute: Address) -> list[CalendarEvent]:
    """Return the public events of the last 366 days and of the future: public championships, and planned
    events of public series. Three queries.
    """
    since = now - PAST
    found = Championship.objects.filter(club=club, public=True, archived_at=None)
    dated = found.filter(Q(starts_at=None) | Q(starts_at__gte=since))
    evenings = _load(dated.values_list("pk", flat=True))
    events = ClubEvent.objects.filter(series__in=public_series().filter(club=club))
    listed = list(events.select_related("series").order_by("series", "position", "pk"))
    cancelled = {one.championship_id for one in listed if one.state == ClubEvent.State.CANCELLED}
    calendar = [
        *_championship_events(evenings, cancelled, now, absolute),
        *_planned_events([one for one in listed if one.championship_id is None], now, absolute),
    ]
    return sorted((one for one in calendar if one.begins >= since), key=lambda one: (one.begins, one.uid))


def list_series_events(
    series: ClubSeries, events: Sequence[ClubEvent], now: datetime, absolute: Address
) -> list[CalendarEvent]:
    """Return all events of a series that have a date, also past ones."""
    made = [one.championship_id for one in events if one.championship_id is not None]
    cancelled = {one.championship_id for one in events if one.state == ClubEvent.State.CANCELLED}
    planned = [one for one in events if one.championship_id is None]
    for one in planned:
        one.series = series
    calendar = [
        *_championship_events(_load(made), cancelled, now, absolute),
        *_planned_events(planned, now, absolute),
    ]
    return sorted(calendar, key=lambda one: (one.begins, one.uid))


def write_club_calendar(events: Sequence[CalendarEvent], name: str, now: datetime) -> tuple[bytes, str]:
    """Return the file, and an ETag that changes with the events and not with the time."""
    lasting = [replace(one, revision=0) for one in events]
    etag = hashlib.blake2b(repr((name, get_language(), lasting)).encode(), digest_size=15).hexdigest()
    head = (
        calendar_text("X-WR-CALNAME", name),
        f"REFRESH-INTERVAL;VALUE=DURATION:{ASKED_AGAIN}",
        f"X-PUBLISHED-TTL:{ASKED_AGAIN}",
    )
    return write_calendar(events, now, *head), f'W/"{etag}"'


def _load(pks: Iterable[int]) -> list[Championship]:
    """Return the championships with these primary keys, with their rounds and regulations loaded."""
    found = with_regulations(Championship.objects.filter(pk__in=pks)).order_by("pk")
    return list(found.prefetch_related(Prefetch("rounds", Round.objects.order_by("number"))))


def _championship_events(
    championships: Iterable[Championship], cancelled: set[int | None], now: datetime, absolute: Address
) -> Iterator[CalendarEvent]:
    for made in championships:
        address = absolute(reverse("championship", args=[made.slug]))
        off = made.pk in cancelled and made.status != Championship.Status.FINISHED
        yield from list_calendar_events(made, list(made.rounds.all()), address, now, cancelled=off)


def _planned_events(events: Iterable[ClubEvent], now: datetime, absolute: Address) -> Iterator[CalendarEvent]:
    for one in events:
        if one.starts_at is None or one.state == ClubEvent.State.VOID:
            continue
        yield CalendarEvent(
            uid=f"{_identify(one)}@puur",
            name=one.name if one.name == one.series.name else f"{one.series.name}: {one.name}",
            begins=one.starts_at,
            ends=None,
            place=one.place,
            address=absolute(reverse("series", args=[one.series.slug])),
            revision=revision_number(one.series.created_at, now),
            cancelled=one.state == ClubEvent.State.CANCELLED,
        )


def _identify(event: ClubEvent) -> str:
    """Return an id that no other event of any installation has, and that does not reveal the seed of the
    series.
    """
    label = f"calendar {event.series.seed} {event.key}"
    return hashlib.blake2b(label.encode(), digest_size=16).hexdigest()
