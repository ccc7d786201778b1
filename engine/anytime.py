"""Commands that no phase takes, open at any turn: claim out, stop, close, resume, take back.

Claiming out: at any moment of a game to a target a player may say that his side has reached it. Right wins,
wrong loses; only what is scored so far counts. With the option `automatic` the game ends by itself and nobody
claims. Source: the club manual ("Estamos afuera").

Stopping: a player who is certain to win a deal that was bid for may end it at any time, also in the middle
of a trick. An unfinished trick is still out, and so is what was not played. Source: the two-handed game from
Lake Constance.

Taking back: a slip of the pen in a transcribed game. Nothing is erased; a new event says from where on the
record does not count, and the table is again as it was before. Taken back is the deal being written down,
or the last one while no other has begun, as far as no referee has ruled since. In the same bounds a deal is
opened again, when something is told of it after its last card: then what closed it is taken back.
"""

from typing import Final

from engine.commands import ClaimOut, Close, Resume, Stop, TakeBack
from engine.errors import IllegalCommand
from engine.events import (
    DealScored,
    DealStopped,
    Event,
    GameClosed,
    GameResumed,
    OutClaimed,
    TakenBack,
)
from engine.infractions.faults import Faults
from engine.ledger.state import State
from engine.phases.sheet import end_where_all_stands
from engine.rules import Draft, Phase, Table, Turn, not_open
from engine.scoring.counting import finish_deal, game_ended, running

OVER: Final = Phase("over", lambda table: True, lambda table: Turn(None, "over", ()), {})
"""The end of a game: nothing is open any more."""


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


def claim_out(table: Table, command: ClaimOut) -> list[Event]:
    """Claim, in a game to a target whose end must be claimed."""
    state = table.state
    play, seat = table.rules.play, command.seat
    if state.over or state.closed or state.deal == 0 or state.mode == "sheet":
        raise IllegalCommand(
            "claim_out/not_now", "a claim is made from the first deal to the end of the game"
        )
    if play.targets is None:
        raise IllegalCommand("claim_out/no_target", "this game is not played to a target")
    if play.automatic:
        raise IllegalCommand("claim_out/automatic", "the game ends by itself when the target is reached")
    sides = table.rules.sides_of(state)
    side = sides[seat]
    now = running(table) if state.dealing else list(state.totals)
    right = now[side] >= play.goals(state)[side]
    winners = [side] if right else sorted({other for other in sides if other != side})
    draft = Draft(table)
    draft.take(OutClaimed(seq=draft.seq, seat=seat, right=right))
    if state.dealing:
        finish_deal(draft, winners)
    else:
        draft.take(game_ended(table, draft.seq, winners, state.totals))
    return draft.events


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
