"""A championship as an iCalendar file (RFC 5545), with an event for the whole and one for each round that has
a time.

Times are in UTC, which calendars convert. Lines are escaped and folded as in sections 3.1 and 3.3.11, which
is all that a library would do.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from django.conf import settings

from frontend.presenters.rounds.round_names import numbered_round
from tournaments.models import Championship, Round
from tournaments.regulations import Regulations
from tournaments.services.current_regulations import load_regulations

MAX_LINE_BYTES: Final = 75
"""Largest length of a line in bytes."""
A_DEAL: Final = 5
A_GAME: Final = 60
"""Estimated minutes of a round that is a whole game, if the regulations set no limit."""


def estimate_round_minutes(regulations: Regulations) -> int:
    """Return the duration of a round in minutes, estimated if the regulations set no limit."""
    return regulations.round_minutes or regulations.deals * A_DEAL or A_GAME


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """An event in a calendar. uid: identifies it in all versions; revision: its age in seconds, so that
    calendars replace older versions; address: URL of its page, empty if other devices cannot reach it.
    """

    uid: str
    name: str
    begins: datetime
    ends: datetime | None
    place: str
    address: str
    revision: int
    cancelled: bool = False


def render_calendar(
    championship: Championship, rounds: Sequence[Round], address: str, now: datetime
) -> bytes:
    """Return the calendar file of a championship. `address`: URL of its page, empty if other devices cannot
    reach it.
    """
    return write_calendar(list_calendar_events(championship, rounds, address, now), now)


def write_calendar(events: Iterable[CalendarEvent], now: datetime, *more: str) -> bytes:
    """Return a calendar file with these events. `more`: further lines above the events."""
    lines = [
        *("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Puur//Championships//EN", "METHOD:PUBLISH"),
        f"X-WR-TIMEZONE:{settings.TIME_ZONE}",
        *more,
    ]
    for one in events:
        lines += _event(one, now)
    lines.append("END:VCALENDAR")
    return b"".join(_fold_line(line) for line in lines)


def list_calendar_events(
    championship: Championship,
    rounds: Sequence[Round],
    address: str,
    now: datetime,
    *,
    cancelled: bool = False,
) -> Iterator[CalendarEvent]:
    """Yield an event for the championship if it has a time, and one for each round that has one."""
    revision = revision_number(championship.created_at, now)
    place = championship.place

    def event(key: str, name: str, begins: datetime, ends: datetime | None) -> CalendarEvent:
        uid = f"{championship.stream_id}-{key}@puur"
        return CalendarEvent(uid, name, begins, ends, place, address, revision, cancelled)

    each = timedelta(minutes=estimate_round_minutes(load_regulations(championship)))
    if championship.starts_at is not None:
        ends = _end_of_all(championship, rounds, each)
        yield event("evening", championship.name, championship.starts_at, ends)
    for one in rounds:
        if one.opens_at is not None:
            name = f"{championship.name}: " + numbered_round(championship, one.number)
            yield event(f"round-{one.number}", name, one.opens_at, one.closes_at or one.opens_at + each)


def revision_number(since: datetime, now: datetime) -> int:
    """Return the revision of an event created at `since`: its age in whole seconds.

    The number fits the 32 bits of an iCalendar integer for 68 years.
    """
    return max(0, int((now - since).total_seconds()))


def calendar_text(name: str, value: str) -> str:
    """Return the line of the calendar file that gives the property `name` this text."""
    return f"{name}:{_escape_text(value)}"


def _end_of_all(championship: Championship, rounds: Sequence[Round], each: timedelta) -> datetime | None:
    """Return when the last round ends. A round without a time is assumed to follow the round before; None
    without any time.
    """
    now = championship.starts_at
    for one in sorted(rounds, key=lambda one: one.number):
        begins = one.opens_at if one.opens_at is not None else now
        ends = one.closes_at if one.closes_at is not None else begins and begins + each
        now = max(filter(None, (now, ends)), default=None)
    return now


def _event(one: CalendarEvent, now: datetime) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{one.uid}"
    yield f"SEQUENCE:{one.revision}"
    yield f"DTSTAMP:{_format_time(now)}"
    yield f"DTSTART:{_format_time(one.begins)}"
    if one.ends is not None and one.ends > one.begins:
        yield f"DTEND:{_format_time(one.ends)}"
    yield calendar_text("SUMMARY", one.name)
    if one.place:
        yield calendar_text("LOCATION", one.place)
    if one.address:
        yield f"URL:{one.address}"
    if one.cancelled:
        yield "STATUS:CANCELLED"
    yield "END:VEVENT"


def _format_time(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escape_text(value: str) -> str:
    """Escape a text to one line, so that it cannot begin another property."""
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in value).split())
    return plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _fold_line(line: str) -> bytes:
    """Fold a line into parts of at most 75 bytes without splitting a character."""
    pieces: list[bytes] = []
    piece = b""
    for sign in line:
        encoded = sign.encode()
        if len(piece) + len(encoded) > MAX_LINE_BYTES - bool(pieces):
            pieces.append(piece)
            piece = b""
        piece += encoded
    return b"\r\n ".join([*pieces, piece]) + b"\r\n"
