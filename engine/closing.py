"""The end of a game: nothing is open any more, and a director may break off before."""

from typing import Final

from .commands import Close
from .draft import Draft
from .errors import IllegalCommand
from .events import Event, GameClosed
from .rules import Phase, Turn
from .state import State

OVER: Final = Phase("over", lambda state: True, lambda state: Turn(None, "over", ()), {})


def close(state: State, command: Close) -> list[Event]:
    """Break a game off: abandoned, walk-over."""
    if state.over or state.closed:
        raise IllegalCommand("close/over", "the game is over already")
    draft = Draft(state)
    draft.emit(GameClosed, reason=command.reason)
    return draft.events
