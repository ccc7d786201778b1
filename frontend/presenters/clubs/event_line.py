"""The events of a series on a time line. A long line shows only the events around the next one, and the
final.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from frontend.presenters.clubs.series import SeriesEventLine
from tournaments.models import Championship

FOLDED_FROM: Final = 13
"""Number of events from which only the final and those around the next event are in view."""
BEFORE, AFTER = 2, 4
"""Numbers of events in view before and after the next event."""


@dataclass(frozen=True, slots=True)
class EventStop:
    """An event on the line. standing: `done`, `next`, `running`, `planned`, `cancelled` or `void`. final: the
    series leads to this event.
    """

    line: SeriesEventLine
    standing: str
    final: bool

    @property
    def starts_at(self) -> datetime | None:
        """The time when the event begins; None if it is not known."""
        return stop_date(self.line)

    @property
    def place(self) -> str:
        """The place where the event is held."""
        championship = self.line.event.championship
        return self.line.event.place if championship is None else championship.place


@dataclass(frozen=True, slots=True)
class EventTrack:
    """The time line of the events of a series. done: number of held events; all: number of events neither
    cancelled nor void; shown: stops in view; folded: all stops, but empty if all are in view.
    """

    shown: Sequence[EventStop]
    folded: Sequence[EventStop]
    done: int
    all: int


def stop_date(line: SeriesEventLine) -> datetime | None:
    """Return the time when an event begins; None if it is not known."""
    championship = line.event.championship
    return line.event.starts_at if championship is None else championship.starts_at


def build_event_track(lines: Sequence[SeriesEventLine], final: str | None) -> EventTrack:
    """Return the time line of these events. `final`: key of the event to which the series leads, if any."""
    open_ones = [line for line in lines if line.state == "planned"]
    following = min(open_ones, key=_order, default=None)
    stops = [EventStop(line, _find_standing(line, following), line.event.key == final) for line in lines]
    taking_place = [stop for stop in stops if stop.standing not in ("cancelled", "void")]
    done = sum(stop.standing == "done" for stop in stops)
    shown: Sequence[EventStop] = stops
    if len(stops) >= FOLDED_FROM:
        at = next((at for at, stop in enumerate(stops) if stop.line is following), len(stops) - 1)
        first = max(0, min(at - BEFORE, len(stops) - BEFORE - AFTER - 1))
        shown = stops[first : first + BEFORE + AFTER + 1]
        shown = [*shown, *(stop for stop in stops if stop.final and stop not in shown)]
    return EventTrack(shown, stops if len(shown) < len(stops) else (), done, len(taking_place))


def _order(line: SeriesEventLine) -> tuple[bool, int]:
    """Return a sort key: running championships first, then the order of the series."""
    championship = line.event.championship
    return (championship is None or championship.status != Championship.Status.RUNNING, line.number)


def _find_standing(line: SeriesEventLine, following: SeriesEventLine | None) -> str:
    championship = line.event.championship
    if line.state in ("cancelled", "void"):
        return line.state
    if line.state == "held":
        return "done"
    if championship is not None and championship.status == Championship.Status.RUNNING:
        return "running"
    return "next" if line is following else "planned"
