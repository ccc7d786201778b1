"""Value of the end of a deal for a seat: the score of its side less the average score of the other sides."""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from engine import State
from engine.registry import build_game_context, get_rules
from engine.rules.tally import Tally
from games.bots.playouts.world_rollouts import End

Goodness = Callable[[End], float]
BESIDE: Final = 0.004
"""Value of a card point if two sides play and not every point changes the score. It decides between equal
scores.
"""


def build_goodness(state: State, seat: int, *, predictions: Sequence[int] | None = None) -> Goodness:
    """Return a function that rates the end of a deal for a seat: the score of its side less the average score
    of the other sides, negated in games in which fewer points are better. Card points decide between equal
    scores (BESIDE) if two sides play and not every point changes the score.

    `predictions`: predicted points by seat, in place of those in `state`.
    """
    table, rules = build_game_context(state), get_rules(state)
    record = state.record()
    if predictions is not None:
        record = replace(record, variant_state=replace(record.variant_state, predictions=tuple(predictions)))
    sides, count = rules.sides_of(state), rules.sides
    own, better = sides[seat], rules.variant.score_direction
    factor = rules.play.multiplier(record.contract, record.slot)
    sweep = rules.play.sweep_bonus
    whole = [sum(1 << who for who in range(state.seats) if sides[who] == side) for side in range(count)]
    score = rules.score
    by_margin = rules.variant.aim.by_margin
    signed = [sum(p for who, p, _ in state.stoeck if sides[who] == side) for side in range(count)]
    signed = signed if rules.play.stoeck_signed else [0] * count

    def good(end: End) -> float:
        cards = [0] * count
        for who, points in enumerate(end.points):
            cards[sides[who]] += points
        takers = {side for side in range(count) if end.takers & whole[side]}
        counted = [points + more for points, more in zip(cards, signed, strict=True)]
        if sweep and len(takers) == 1:
            counted[next(iter(takers))] += sweep
        scored = score(table, record, Tally(tuple(cards), tuple([factor * p for p in counted]), takers))
        scores = (0,) * count if scored is None else scored.scores
        ours = scores[own] or 0
        theirs = sum([points or 0 for points in scores]) - ours
        difference = better * (ours - theirs / (count - 1))
        if not by_margin:
            difference += BESIDE * (cards[own] if count == 2 else 0)
        return difference

    return good
