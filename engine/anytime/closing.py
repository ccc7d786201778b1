"""The end of a game: nothing is open any more, and a director may break off before."""

from typing import Final

from engine.commands import Close
from engine.errors import IllegalCommand
from engine.events import Event, GameClosed
from engine.rules import Draft, Phase, Table, Turn

OVER: Final = Phase("over", lambda table: True, lambda table: Turn(None, "over", ()), {})


def close(table: Table, command: Close) -> list[Event]:
    """Break a game off: abandoned, walk-over."""
    state = table.state
    if state.over or state.closed:
        raise IllegalCommand("close/over", "the game is over already")
    draft = Draft(table)
    draft.emit(GameClosed, reason=command.reason)
    return draft.events
