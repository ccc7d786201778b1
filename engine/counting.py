"""What counts, and when: Stöck with its second card, melds with the first trick, tricks as they fall, then the sweep.

Points count at the moment their event falls; the side that reaches its target first in that order has won, also in the
middle of a trick, and nothing later counts.
"""

from .draft import Draft
from .events import DealScored, GameEnded
from .remedies import concerned, score_of
from .state import State


def running(state: State) -> list[int]:
    """Totals with what this deal has brought so far, per side; without the sweep."""
    rules = state.rules
    if state.rulings and concerned(state, state.deal):
        scored = score_of(state, state.record())
        return [total + (points or 0) for total, points in zip(state.totals, scored.scores, strict=True)]
    sides = rules.variant.sides(state)
    gained = [0] * rules.sides
    for seat, points in enumerate(state.taken):
        gained[sides[seat]] += points
    for side, points in state.melds:
        gained[side] += points
    for seat, points, _ in state.stoeck:
        gained[sides[seat]] += points
    factor = rules.play.multiplier(state.contract, state.slot)
    return [total + factor * points for total, points in zip(state.totals, gained, strict=True)]


def target_near(state: State) -> bool:
    """Whether this deal could still end the game, so that a trick must be counted with care."""
    play = state.rules.play
    if play.targets is None or not play.automatic:
        return False
    most = play.deal_points + play.sweep_bonus + 20 + sum(points for _, points in state.melds)
    return max(state.totals) + most * play.multiplier(state.contract, state.slot) >= min(play.targets)


def finish_deal(draft: Draft, winners: list[int] | None = None) -> None:
    """Score the deal; end the game where it is over, or where `winners` are known already."""
    state = draft.state
    rules = state.rules
    scored = score_of(state, state.record())
    totals = [t + (s or 0) for t, s in zip(state.totals, scored.scores, strict=True)]
    draft.emit(
        DealScored,
        deal=state.deal,
        card_points=list(scored.card_points),
        scores=list(scored.scores),
        totals=totals,
        ties=None if scored.ties is None else [list(tie) for tie in scored.ties],
    )
    if winners is None:
        winners = rules.variant.winner(state)
    if winners is not None:
        draft.emit(GameEnded, winners=winners, totals=list(state.totals))


def reached(state: State) -> int | None:
    """The side that stands at its target, where that ends the game by itself."""
    play = state.rules.play
    if play.targets is None or not play.automatic:
        return None
    for side, (now, target) in enumerate(zip(running(state), play.targets, strict=True)):
        if now >= target:
            return side
    return None


def has_ended(draft: Draft) -> bool:
    """End the game if a side has reached its target with what was just counted."""
    side = reached(draft.state)
    if side is None:
        return False
    finish_deal(draft, [side])
    return True
