"""The end of a game: nothing is open any more, and a director may break off before."""

from typing import Final

from engine.commands import Close
from engine.errors import IllegalCommand
from engine.events import Event, GameClosed
from engine.ledger.draft import Draft
from engine.ledger.state import State
from engine.rules import Phase, Turn

OVER: Final = Phase("over", lambda state: True, lambda state: Turn(None, "over", ()), {})


def close(state: State, command: Close) -> list[Event]:
    """Break a game off: abandoned, walk-over."""
    if state.over or state.closed:
        raise IllegalCommand("close/over", "the game is over already")
    draft = Draft(state)
    draft.emit(GameClosed, reason=command.reason)
    return draft.events
