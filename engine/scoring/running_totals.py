"""Totals of the running deal and the points that each side still needs to reach its target.

Points count when their event occurs: the Stöck with its second card, melds with the first trick, tricks when
they are taken, then the sweep. In a game with an automatic target the first side at its target wins at once,
also in the middle of a trick, and later points do not count (`engine.scoring.game_end`).
"""

from typing import Final

from engine.card_points import STOECK_POINTS
from engine.rules import GameContext
from engine.scoring.ruling_effects import list_rulings_on_deal, score_deal

MAX_IN_A_TRICK: Final = 61  # Puur, Nell, ace and ten of trumps, an optional point, five for the last trick


def compute_running_totals(context: GameContext) -> list[int]:
    """Return the totals by side, including the points of the running deal so far."""
    state = context.state
    rules = context.rules
    if not state.dealing:
        return list(state.totals)
    if state.variant_state.conceded is not None or (
        state.rulings and list_rulings_on_deal(state, state.deal)
    ):
        scored = score_deal(context, state.record())
        return [total + (points or 0) for total, points in zip(state.totals, scored.scores, strict=True)]
    sides = rules.sides_of(state)
    gained = [0] * rules.sides
    for seat, points in enumerate(state.taken):
        gained[sides[seat]] += points
    for scorer, meld_points in state.melds:
        if scorer is not None:
            gained[scorer] += meld_points or 0
    for seat, points, _ in state.stoeck:
        gained[sides[seat]] += points
    if rules.play.sweep_bonus and len(state.tricks) == state.sizes[0]:
        takers = {trick.taker if trick.taker is None else sides[trick.taker] for trick in state.tricks}
        if len(takers) == 1 and None not in takers:
            gained[takers.pop() or 0] += rules.play.sweep_bonus
    factor = rules.play.multiplier(state.contract, state.slot)
    return [total + factor * points for total, points in zip(state.totals, gained, strict=True)]


def compute_points_to_target(context: GameContext) -> list[int] | None:
    """Return the trick points, before the multiplier, that each side still needs to reach its target.

    They are all zero if a ruling affects the points of this deal. None if no target can end the game in this
    deal.
    """
    state = context.state
    play = context.rules.play
    if play.targets is None or not play.automatic:
        return None
    factor = play.multiplier(state.contract, state.slot)
    most = play.deal_points + play.sweep_bonus + STOECK_POINTS + sum(points or 0 for _, points in state.melds)
    goals = play.goals(state)
    if max(state.totals) + most * factor < min(goals):
        return None
    if state.rulings and list_rulings_on_deal(state, state.deal):
        return [0] * len(goals)
    return [
        -((now - goal) // factor) for now, goal in zip(compute_running_totals(context), goals, strict=True)
    ]


def is_target_near(context: GameContext) -> bool:
    """Return whether the current trick may end the game; if so, its points must count event by event."""
    left = compute_points_to_target(context)
    if left is None:
        return False
    last = len(context.state.tricks) + 1 == context.state.sizes[0]
    return min(left) <= MAX_IN_A_TRICK + (context.rules.play.sweep_bonus if last else 0)


def find_side_at_target(context: GameContext) -> int | None:
    """Return the side that has reached its target (the lowest of several) in a game that a target ends
    automatically; else None.
    """
    play = context.rules.play
    if play.targets is None or not play.automatic:
        return None
    for side, (now, target) in enumerate(
        zip(compute_running_totals(context), play.goals(context.state), strict=True)
    ):
        if now >= target:
            return side
    return None
