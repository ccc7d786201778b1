"""The end of a game: nothing is open any more. A director may break off before, and go on after that."""

from typing import Final

from engine.commands import Close, Resume
from engine.errors import IllegalCommand
from engine.events import Event, GameClosed, GameResumed
from engine.phases.sheet import end_where_all_stands
from engine.rules import Draft, Phase, Table, Turn

OVER: Final = Phase("over", lambda table: True, lambda table: Turn(None, "over", ()), {})


def close(table: Table, command: Close) -> list[Event]:
    """Break a game off: abandoned, walk-over."""
    state = table.state
    if state.over or state.closed:
        raise IllegalCommand("close/over", "the game is over already")
    draft = Draft(table)
    draft.take(GameClosed(seq=draft.seq, reason=command.reason))
    return draft.events


def resume(table: Table, command: Resume) -> list[Event]:
    """Go on where it was broken off. A sheet that was put right meanwhile may be at its end."""
    if not table.state.closed:
        raise IllegalCommand("resume/not_closed", "this game was not broken off")
    draft = Draft(table)
    draft.take(GameResumed(seq=draft.seq, reason=command.reason))
    end_where_all_stands(draft)
    return draft.events
