"""Taking back: a slip of the pen in a transcribed game. Nothing is erased; a new event says from where on the
record does not count, and the table is again as it was before.

Taken back is the deal being written down, or the last one while no other has begun, as far as no referee has
ruled since. In the same bounds a deal is opened again, when something is told of it after its last card: then
what closed it is taken back.
"""

from engine.commands import TakeBack
from engine.errors import IllegalCommand
from engine.events import DealScored, Event, TakenBack
from engine.ledger.state import State
from engine.rules import Draft, Table


def take_back(table: Table, command: TakeBack) -> list[Event]:
    """Go back to what was before the event `to`, which must be the first of a command."""
    state = table.state
    if state.mode != "transcribed":
        raise IllegalCommand("take_back/not_transcribed", "only what was written down can be taken back")
    if command.to not in {before.seq for before in state.past if before.kind is not DealScored}:
        raise IllegalCommand(
            "take_back/not_here", f"the record cannot be taken back to event {command.to}", to=command.to
        )
    draft = Draft(table)
    draft.take(TakenBack(seq=draft.seq, to=command.to))
    return draft.events


def may_open_again(state: State) -> bool:
    """Whether the last deal was played to its last card, and can be opened again."""
    if not state.past or state.past[-1].kind is not DealScored:
        return False
    before = state.past[-1].state
    return len(before.tricks) == max(before.sizes)


def opened_again(table: Table) -> Draft:
    """The last deal as it was before it was closed."""
    draft = Draft(table)
    draft.take(TakenBack(seq=draft.seq, to=table.state.past[-1].seq))
    return draft
