"""What a cheat is, and the ways in which one bends a record."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from tests.verify.record import Body, Event, Record

Bend = Callable[[Record], Any]


class Cheat(NamedTuple):
    """A forgery. `told` is what the Python program says of it, `browser` the browser's key; empty where the
    browser leaves it to the program.

    `forgery`: what is forged, unless `told` names it; `hand`: who does it; `found`: `differs`, `note`,
    `unusable`, `paper` (only the words of the sheet tell) or `unproven` (the report says that it cannot
    tell).
    """

    id: str
    told: str
    bend: Bend
    forgery: str = ""
    browser: str = ""
    hand: str = "platform"
    found: str = "differs"


CHEATS: Final[list[Cheat]] = []


def cheat(
    id: str,
    told: str,
    bend: Bend,
    *,
    forgery: str = "",
    browser: str = "",
    hand: str = "platform",
    found: str = "differs",
) -> None:
    """Add a forgery to the list."""
    CHEATS.append(Cheat(id, told, bend, forgery, browser and f"verify.{browser}", hand, found))


def lose(record: Record, stream: str) -> None:
    """A stream left out, as if it had never been."""
    del record.streams[stream], record.kinds[stream]


def swap(rows: list[Body], column: str) -> None:
    rows[0][column], rows[1][column] = rows[1][column], rows[0][column]


def again(events: list[Event], type_: str, at: int | None = None, **changed: Any) -> None:
    """An event once more, with something else in it; at the end unless told."""
    event = Record.first(events, type_).copy()
    event.body.update(changed)
    events.insert(len(events) if at is None else at, event)


def drop(events: list[Event], type_: str) -> None:
    del events[Record.place(events, type_)]


def move(events: list[Event], type_: str, to: int) -> None:
    events.insert(to, events.pop(Record.place(events, type_)))
