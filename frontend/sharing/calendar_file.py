"""A championship as an iCalendar file (RFC 5545): the whole event, and each round with a time of its own.

Times are in UTC, which calendars convert. Text lines are escaped and folded as in sections 3.1 and 3.3.11; a
library would do no more here.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _

from tournaments.models import Championship, Round
from tournaments.regulations import Regulations
from tournaments.services.current_regulations import regulations_of

MAX_LINE_BYTES: Final = 75
"""The limit of a line."""
A_DEAL: Final = 5
A_GAME: Final = 60
"""Estimated minutes of a round without a limit in the regulations: for each deal, or for a whole game."""


def minutes_of_round(regulations: Regulations) -> int:
    """Estimate the duration of a round."""
    return regulations.round_minutes or regulations.deals * A_DEAL or A_GAME


def calendar_of(championship: Championship, rounds: Sequence[Round], address: str, now: datetime) -> bytes:
    """Return the file. `address`: the page's URL, empty if other devices cannot reach it.

    The revision only grows, so that calendars accept a later file as newer.
    """
    revision = max(0, int((now - championship.created_at).total_seconds() // 60))
    timed = [one for one in rounds if one.opens_at is not None]
    each = timedelta(minutes=minutes_of_round(regulations_of(championship)))
    ends = _end_of_all(championship, rounds, each)
    lines = [
        *("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Puur//Championships//EN", "METHOD:PUBLISH"),
        f"X-WR-TIMEZONE:{settings.TIME_ZONE}",
    ]
    if championship.starts_at is not None:
        lines += _event(
            championship, "evening", championship.name, championship.starts_at, ends, address, revision, now
        )
    for one in timed:
        name = f"{championship.name}: " + _("Round %(n)s") % {"n": one.number}
        if one.opens_at is not None:
            key = f"round-{one.number}"
            end = one.closes_at or one.opens_at + each
            lines += _event(championship, key, name, one.opens_at, end, address, revision, now)
    lines.append("END:VCALENDAR")
    return b"".join(_folded(line) for line in lines)


def _end_of_all(championship: Championship, rounds: Sequence[Round], each: timedelta) -> datetime | None:
    """Return the end of the championship: after the last round; a round without a time follows the previous
    one.
    """
    now = championship.starts_at
    for one in sorted(rounds, key=lambda one: one.number):
        begins = one.opens_at if one.opens_at is not None else now
        ends = one.closes_at if one.closes_at is not None else begins and begins + each
        now = max(filter(None, (now, ends)), default=None)
    return now


def _event(
    championship: Championship,
    key: str,
    name: str,
    begins: datetime,
    ends: datetime | None,
    address: str,
    revision: int,
    now: datetime,
) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{championship.stream_id}-{key}@puur"
    yield f"SEQUENCE:{revision}"
    yield f"DTSTAMP:{_at(now)}"
    yield f"DTSTART:{_at(begins)}"
    if ends is not None and ends > begins:
        yield f"DTEND:{_at(ends)}"
    yield f"SUMMARY:{_text(name)}"
    if championship.place:
        yield f"LOCATION:{_text(championship.place)}"
    if address:
        yield f"URL:{address}"
    yield "END:VEVENT"


def _at(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(value: str) -> str:
    """Escape text to one line, so that it cannot start another property."""
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in value).split())
    return plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _folded(line: str) -> bytes:
    """Fold a line to at most 75 bytes without splitting a character."""
    pieces: list[bytes] = []
    piece = b""
    for sign in line:
        told = sign.encode()
        if len(piece) + len(told) > MAX_LINE_BYTES - bool(pieces):
            pieces.append(piece)
            piece = b""
        piece += told
    return b"\r\n ".join([*pieces, piece]) + b"\r\n"
