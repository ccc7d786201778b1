"""Stopping: whoever is certain to win a deal that was bid for may end it at any time, also in the middle of a
trick.

Source: the two-handed game from Lake Constance. An unfinished trick is still out, and so is what was not
played.
"""

from engine.commands import Stop
from engine.errors import IllegalCommand
from engine.events import DealStopped, Event
from engine.rules import Draft, Table, not_open
from engine.scoring.counting import finish_deal
from engine.transcripts.infractions import Faults


def is_certain(taken: int, out: int, bid: int) -> bool:
    """Whether declarer has reached the bid, or cannot reach it any more with all that is still out."""
    return taken >= bid or taken + out < bid


def stop(table: Table, command: Stop) -> list[Event]:
    """End the deal; refused to anybody who could still lose it."""
    state = table.state
    if not state.dealing or state.contract is None or state.bid is None or state.declarer is None:
        raise not_open("stop", "contract_choice" if state.dealing else "dealing")
    taken = state.taken[state.declarer]
    out = table.rules.play.deal_points - sum(state.taken)
    certain = taken >= state.bid if command.seat == state.declarer else taken + out < state.bid
    faults = Faults(state, command.seat)
    faults.turn("stop", command.seat)
    if not certain and all(trick.points is not None for trick in state.tricks):
        what = "only who is certain to win the deal stops it"
        faults.found(IllegalCommand("stop/not_certain", what, seat=command.seat))
    draft = Draft(table)
    draft.take(DealStopped(seq=draft.seq, seat=command.seat))
    faults.mark(draft)
    finish_deal(draft)
    return draft.events
