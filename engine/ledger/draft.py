"""A draft: events being decided, and the state as it is after them."""

from typing import Any

from engine.events import Event
from engine.ledger.evolve import evolve
from engine.ledger.state import State


class Draft:
    """Collects the consequences of one command, so that deciding leaves the state as it was. The copy that
    the events are written into is made when somebody first looks at it."""

    __slots__ = ("_after", "_base", "events")

    def __init__(self, state: State) -> None:
        self._base = state
        self._after: State | None = None
        self.events: list[Event] = []

    @property
    def seq(self) -> int:
        """The number of the next event."""
        return self._base.seq + len(self.events)

    @property
    def state(self) -> State:
        """The state after the events so far; the same object from the first look on."""
        if self._after is None:
            self._after = self._base.copy()
            for event in self.events:
                evolve(self._after, event)
        return self._after

    def emit(self, event_type: type[Event], **fields: Any) -> None:
        """Add the next event."""
        self.take(event_type(seq=self.seq, **fields))

    def take(self, event: Event) -> None:
        """Add an event that is ready."""
        self.events.append(event)
        if self._after is not None:
            evolve(self._after, event)
