"""Commands that belong to no phase: claim out, stop, close, resume. Taking back: `engine.taking_back`.

Claim out: in a game to a target, a player may claim at any moment that their side has reached the target. A
right claim wins the game and a wrong claim loses it; only points scored so far count. With the rule
`automatic` the game ends by itself and claims are refused. Source: the club manual ("Estamos afuera").

Stop: in a deal with a bid, a player whose side is certain to win may end the deal at any time, also in the
middle of a trick. The points of an unfinished trick and of unplayed cards count as still to be won. Source:
the two-handed game from Lake Constance.
"""

from typing import Final

from engine.commands import ClaimOut, Close, Resume, Stop
from engine.errors import IllegalCommand
from engine.events import DealStopped, Event, GameClosed, GameResumed, OutClaimed
from engine.infractions.faults import Faults
from engine.phases.sheet import end_where_all_stands
from engine.rules import Draft, GameContext, Phase, Turn, not_open
from engine.scoring.game_end import build_game_ended, finish_deal
from engine.scoring.running_totals import compute_running_totals

OVER: Final = Phase("over", lambda context: True, lambda context: Turn(None, "over", ()), {})
"""The phase of a game that is over or closed. It decides no commands."""


def close_game(context: GameContext, command: Close) -> list[Event]:
    """Return the event that closes a game. Raises IllegalCommand if it is over or closed."""
    state = context.state
    if state.over or state.closed:
        raise IllegalCommand("close/over", "the game is over already")
    draft = Draft(context)
    draft.emit(GameClosed(seq=draft.seq, reason=command.reason))
    return draft.events


def resume_game(context: GameContext, command: Resume) -> list[Event]:
    """Return the events that resume a closed game, and end it if corrections have completed its sheet. Raises
    IllegalCommand for another game.
    """
    if not context.state.closed:
        raise IllegalCommand("resume/not_closed", "this game was not broken off")
    draft = Draft(context)
    draft.emit(GameResumed(seq=draft.seq, reason=command.reason))
    end_where_all_stands(draft)
    return draft.events


def claim_out(context: GameContext, command: ClaimOut) -> list[Event]:
    """Return the events of a claim that a seat's side has reached its target. They end the game. Raises
    IllegalCommand on a sheet, without a target, and with rule `automatic`.
    """
    state = context.state
    play, seat = context.rules.play, command.seat
    if state.over or state.closed or state.deal == 0 or state.mode == "sheet":
        raise IllegalCommand(
            "claim_out/not_now", "a claim is made from the first deal to the end of the game"
        )
    if play.targets is None:
        raise IllegalCommand("claim_out/no_target", "this game is not played to a target")
    if play.automatic:
        raise IllegalCommand("claim_out/automatic", "the game ends by itself when the target is reached")
    sides = context.rules.sides_of(state)
    side = sides[seat]
    now = compute_running_totals(context) if state.dealing else list(state.totals)
    right = now[side] >= play.goals(state)[side]
    winners = [side] if right else sorted({other for other in sides if other != side})
    draft = Draft(context)
    draft.emit(OutClaimed(seq=draft.seq, seat=seat, right=right))
    if state.dealing:
        finish_deal(draft, winners)
    else:
        draft.emit(build_game_ended(context, draft.seq, winners, state.totals))
    return draft.events


def is_certain(taken: int, out: int, bid: int) -> bool:
    """Return whether the bid is decided: the declarer has reached it with the points `taken`, or cannot reach
    it with the points `out` still to be won.
    """
    return taken >= bid or taken + out < bid


def stop_deal(context: GameContext, command: Stop) -> list[Event]:
    """Return the events that end the deal early. A dealt game refuses this if the seat's side could still
    lose.
    """
    state = context.state
    if not state.dealing or state.contract is None or state.bid is None or state.declarer is None:
        raise not_open("stop", "contract_choice" if state.dealing else "dealing")
    taken = state.taken[state.declarer]
    out = context.rules.play.deal_points - sum(state.taken)
    certain = taken >= state.bid if command.seat == state.declarer else taken + out < state.bid
    faults = Faults(state, command.seat)
    faults.check_turn("stop", command.seat)
    if not certain and all(trick.points is not None for trick in state.tricks):
        what = "only who is certain to win the deal stops it"
        faults.add(IllegalCommand("stop/not_certain", what, seat=command.seat))
    draft = Draft(context)
    draft.emit(DealStopped(seq=draft.seq, seat=command.seat))
    faults.emit(draft)
    finish_deal(draft)
    return draft.events
