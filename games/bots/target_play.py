"""Which card to play where more points are not better: who said how many he would take, or wants none."""

from typing import Final

from engine import State
from engine.cards import SUIT_OF, members
from engine.contracts import LAST_TRICK, STRENGTH
from engine.registry import get_rules
from games.bots import playing
from games.bots.playing import Taste
from games.bots.reckoning import expected_points
from games.bots.reckoning.knowledge import Sight

TASTE: Final = Taste(foe=0.65)
"""Where nobody wants every trick, who can take one does not always."""
LOAD: Final = 5.0
"""Points a player who follows brings to the trick of somebody else."""
SHUNNED: Final = 8.0
"""The same for who wants no trick at all."""
DUCKED: Final = 0.75
"""Of what his hand would take, so much may come in spite of that."""


def goal(state: State, sight: Sight) -> float | None:
    """The points that this seat wants: those it has said, or none; None: it takes what it can."""
    aim = get_rules(state).variant.aim
    if aim.points == "fewest":
        return 0.0
    predicted = state.variant_state.predictions[sight.seat] if aim.points == "predicted" else None
    if predicted is None:
        return None
    own = sum(points for who, points, _ in state.stoeck if who == sight.seat)
    return float(predicted - own)


def is_rolled_out(state: State) -> bool:
    """Whether what a trick is good for does not follow from who takes it: where the most and the fewest are
    paid, and where several play for themselves, so that another's trick harms some and helps others."""
    rules = get_rules(state)
    aim = rules.variant.aim
    several = rules.sides > 2 and not aim.chooser_only and aim.points != "predicted"
    return several or aim.points == "either_end"


def taken(state: State, sight: Sight) -> list[int]:
    """Points by seat, with the values as they are now, also of tricks that were taken before."""
    points = [0] * state.seats
    for trick in state.tricks:
        if trick.taker is not None:
            points[trick.taker] += sum(sight.values[card] for card in trick.cards)
    return points


def left(state: State) -> int:
    """Tricks that are not complete."""
    return state.sizes[0] - len(state.tricks)


def points_out(state: State, sight: Sight) -> int:
    """Points that nobody has taken."""
    return expected_points.out(get_rules(state).play.deal_points, sum(taken(state, sight)))


def ratings(state: State, sight: Sight, legal: int, wanted: float) -> dict[int, float]:
    """Each legal card with its rating: how near the points wanted it is likely to bring the seat."""
    need = wanted - taken(state, sight)[sight.seat]
    points, tricks, shun = points_out(state, sight), left(state), not wanted
    return {card: _rate(sight, card, need, points, tricks, shun) for card in members(legal)}


def lacking(state: State, sight: Sight, wanted: float) -> float:
    """How many points the seat is likely to be short of what it wants; negative: how many too many."""
    rest = expected_points.expected(sight, sight.hand, points_out(state, sight), left(state))
    return wanted - taken(state, sight)[sight.seat] - rest


def _rate(sight: Sight, card: int, need: float, points: int, tricks: int, shun: bool) -> float:
    sight = playing.trumped(sight, card)
    lying = sight.lying
    led = SUIT_OF[lying[0] if lying else card]
    strength = STRENGTH[sight.mode][led]
    on_table = (*lying, card)
    best = max(on_table, key=strength.__getitem__)
    mine = best == card
    there = sum(sight.values[c] for c in on_table)
    likely = playing.chance_to_take(sight, best, led, mine, there, TASTE) if mine else 0.0
    stake = there + (SHUNNED if shun else LOAD) * len(sight.later) + (LAST_TRICK if tricks == 1 else 0)
    hand, points = sight.hand & ~(1 << card), max(0, points - int(stake))
    taking = _missed(sight, hand, need - stake, points, tricks - 1, shun) if likely else 0.0
    return -likely * taking - (1 - likely) * _missed(sight, hand, need, points, tricks - 1, shun)


def _missed(sight: Sight, hand: int, need: float, points: int, tricks: int, shun: bool) -> float:
    """How far from the goal the deal is likely to end with this hand for the rest."""
    if shun:
        return DUCKED * expected_points.expected(sight, hand, points, tricks) - need
    if need <= 0:
        return expected_points.burden(sight, hand, points, tricks) - need
    return abs(need - expected_points.expected(sight, hand, points, tricks))
