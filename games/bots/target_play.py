"""Choice of a card if more points are not always better: the seat has predicted its points, or wants none."""

from typing import Final

from engine import State
from engine.card_points import LAST_TRICK
from engine.cards import SUIT_OF, members
from engine.contracts import STRENGTH
from engine.registry import get_rules
from games.bots import card_choice
from games.bots.card_choice import Taste
from games.bots.reckoning import expected_points
from games.bots.reckoning.knowledge import Sight

TASTE: Final = Taste(foe=0.65)
"""Weights for games in which no seat wants every trick: an opponent who can take a trick takes it less
often.
"""
LOAD: Final = 5.0
"""Points that each later player is expected to add to the trick."""
SHUNNED: Final = 8.0
"""Points that each later player is expected to add to the trick if fewest points win."""
DUCKED: Final = 0.75
"""Share of its expected points that a hand takes even if it tries to avoid them."""


def find_wanted_points(state: State, sight: Sight) -> float | None:
    """Return the points that this seat wants from tricks: 0 if fewest points win, or its prediction less its
    Stöck; None if it predicts nothing.
    """
    aim = get_rules(state).variant.aim
    if aim.points == "fewest":
        return 0.0
    predicted = state.variant_state.predictions[sight.seat] if aim.points == "predicted" else None
    if predicted is None:
        return None
    own = sum(points for who, points, _ in state.stoeck if who == sight.seat)
    return float(predicted - own)


def is_rolled_out(state: State) -> bool:
    """Return whether cards are rated by rollouts, because the taker does not decide the value of a trick:
    both most and fewest points are paid, or more than two sides can score and none predicts.
    """
    rules = get_rules(state)
    aim = rules.variant.aim
    several = rules.sides > 2 and not aim.chooser_only and aim.points != "predicted"
    return several or aim.points == "either_end"


def count_taken_points(state: State, sight: Sight) -> list[int]:
    """Return the points of the completed tricks by seat, with the card values of the current contract."""
    points = [0] * state.seats
    for trick in state.tricks:
        if trick.taker is not None:
            points[trick.taker] += sum(sight.values[card] for card in trick.cards)
    return points


def count_tricks_left(state: State) -> int:
    """Return the number of tricks that are not complete."""
    return state.sizes[0] - len(state.tricks)


def count_points_left(state: State, sight: Sight) -> int:
    """Return the points of the deal that no seat has taken (`expected_points.count_points_out`)."""
    return expected_points.count_points_out(
        get_rules(state).play.deal_points, sum(count_taken_points(state, sight))
    )


def rate_by_distance(state: State, sight: Sight, legal: int, wanted: float) -> dict[int, float]:
    """Return the rating of each legal card, by number: minus the expected distance from `wanted` points."""
    need = wanted - count_taken_points(state, sight)[sight.seat]
    points, tricks, shun = count_points_left(state, sight), count_tricks_left(state), not wanted
    return {card: _rate(sight, card, need, points, tricks, shun) for card in members(legal)}


def estimate_lacking_points(state: State, sight: Sight, wanted: float) -> float:
    """Return the `wanted` points less those that the seat has or expects; negative if it expects too many."""
    rest = expected_points.estimate_points(
        sight, sight.hand, count_points_left(state, sight), count_tricks_left(state)
    )
    return wanted - count_taken_points(state, sight)[sight.seat] - rest


def _rate(sight: Sight, card: int, need: float, points: int, tricks: int, shun: bool) -> float:
    sight = card_choice.get_sight_after_trumps(sight, card)
    lying = sight.lying
    led = SUIT_OF[lying[0] if lying else card]
    strength = STRENGTH[sight.mode][led]
    on_table = (*lying, card)
    best = max(on_table, key=strength.__getitem__)
    mine = best == card
    there = sum(sight.values[c] for c in on_table)
    likely = card_choice.chance_to_take(sight, best, led, mine, there, TASTE) if mine else 0.0
    stake = there + (SHUNNED if shun else LOAD) * len(sight.later) + (LAST_TRICK if tricks == 1 else 0)
    hand, points = sight.hand & ~(1 << card), max(0, points - int(stake))
    taking = _missed(sight, hand, need - stake, points, tricks - 1, shun) if likely else 0.0
    return -likely * taking - (1 - likely) * _missed(sight, hand, need, points, tricks - 1, shun)


def _missed(sight: Sight, hand: int, need: float, points: int, tricks: int, shun: bool) -> float:
    """Return the expected distance from the goal at the end of the deal. `hand`: the cards for the rest of
    it.
    """
    if shun:
        return DUCKED * expected_points.estimate_points(sight, hand, points, tricks) - need
    if need <= 0:
        return expected_points.estimate_burden(sight, hand, points, tricks) - need
    return abs(need - expected_points.estimate_points(sight, hand, points, tricks))
