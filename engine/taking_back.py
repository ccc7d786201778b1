"""Taking back of clerical errors in a transcribed game.

No event is erased: a new event states from which event on the record does not count. Taking back goes as far
as the start of the last deal, or the last ruling or closing (`engine.ledger.saved_states`). A late command
(`LATE_COMMANDS`) reopens the deal in the same way.
"""

from collections.abc import Iterable

from engine.commands import TakeBack
from engine.errors import IllegalCommand
from engine.events import DealScored, Event, TakenBack
from engine.ledger.state import State
from engine.rules import Draft, GameContext


def take_back(context: GameContext, command: TakeBack) -> list[Event]:
    """Return the event that takes back all events from seq `command.to` on. Raises IllegalCommand if it
    cannot.
    """
    state = context.state
    if state.mode != "transcribed":
        raise IllegalCommand("take_back/not_transcribed", "only what was written down can be taken back")
    if command.to not in {before.seq for before in state.past if before.kind is not DealScored}:
        raise IllegalCommand(
            "take_back/not_here", f"the record cannot be taken back to event {command.to}", to=command.to
        )
    draft = Draft(context)
    draft.emit(TakenBack(seq=draft.seq, to=command.to))
    return draft.events


def can_reopen_deal(state: State) -> bool:
    """Return whether a late command can reopen the last deal. Its last card must be played, and no other
    deal, ruling or closing may follow.
    """
    if not state.past or state.past[-1].kind is not DealScored:
        return False
    before = state.past[-1].state
    return len(before.tricks) == max(before.sizes)


def reopen_deal(context: GameContext) -> Draft:
    """Return a draft in which the scoring of the last deal is taken back."""
    draft = Draft(context)
    draft.emit(TakenBack(seq=draft.seq, to=context.state.past[-1].seq))
    return draft


def drop_taken_back(events: Iterable[Event]) -> list[Event]:
    """Return the events that still count, in order: without events that were taken back, and without
    `taken_back` events.
    """
    left: list[Event] = []
    for event in events:
        if isinstance(event, TakenBack):
            while left and left[-1].seq >= event.to:
                left.pop()
        else:
            left.append(event)
    return left
