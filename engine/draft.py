"""A draft: events being decided, and the state as it is after them."""

from typing import Any

from .events import Event
from .ledger import evolve
from .state import State


class Draft:
    """Collects the consequences of one command on a copy, so that deciding leaves the state as it was."""

    __slots__ = ("events", "state")

    def __init__(self, state: State) -> None:
        self.state = state.copy()
        self.events: list[Event] = []

    def emit(self, event_type: type[Event], **fields: Any) -> None:
        """Add the next event and write it into the copy."""
        self.take(event_type(seq=self.state.seq, **fields))

    def take(self, event: Event) -> None:
        """Add an event that is ready."""
        self.events.append(event)
        evolve(self.state, event)
