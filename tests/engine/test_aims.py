"""What a game says is played for is what its score pays: tried with deals cut up in every way there is."""

import random
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import pytest

from engine import VARIANTS, State, advance, decode_command, to_act
from engine.cli.playing import random_command
from engine.ledger.state import DealRecord
from engine.registry import build_game_context, get_rules
from engine.rules.aims import Aim
from engine.rules.tally import Tally

TABLES = [(key, seats) for key, game in VARIANTS.items() for seats in game.seats]
FEW = 12
"""Different scores that a deal has at most where only who is ahead is paid."""
BETWEEN = 50
"""Points that are neither most nor fewest when the rest is split as below."""


@dataclass
class Deal:
    """A deal before its first card, with all said that is said before it."""

    state: State
    record: DealRecord

    def scores(self, points: list[int]) -> list[int]:
        """By side, when so many card points fell to each, better being more."""
        rules = get_rules(self.state)
        factor = rules.play.multiplier(self.record.contract, self.record.slot)
        tally = Tally(tuple(points), tuple(factor * n for n in points), set(range(rules.sides)))
        scored = rules.score(build_game_context(self.state), self.record, tally)
        assert scored is not None
        return [rules.variant.score_direction * (score or 0) for score in scored.scores]

    def split(self, side: int, points: int) -> list[int]:
        """So many for one side; of the rest twice as many for the second of the others, and so on."""
        rules = get_rules(self.state)
        rest, others = rules.play.deal_points - points, rules.sides - 1
        shares = [rest * n // (others * (others + 1) // 2) for n in range(1, others)]
        shares.append(rest - sum(shares))
        return [*shares[:side], points, *shares[side:]]

    def ahead(self, side: int) -> list[float]:
        """By how much a side's score passes the mean of the others', by its points from none to all."""
        found = []
        for points in range(get_rules(self.state).play.deal_points + 1):
            scores = self.scores(self.split(side, points))
            own = scores.pop(side)
            found.append(own - sum(scores) / len(scores))
        return found


def deal_of(key: str, seats: int, seed: int) -> Deal:
    state, roll = State(), random.Random(seed)
    advance(state, decode_command({"cmd": "start", "variant": key, "seats": seats}))
    while (turn := to_act(state)) is None or turn.phase != "trick_play":
        advance(state, random_command(state, roll))
    return Deal(state, state.record())


def most(deal: Deal, side: int) -> bool:
    ahead = deal.ahead(side)
    return all(one <= other for one, other in pairwise(ahead)) and ahead[0] < ahead[-1]


def predicted(deal: Deal, side: int) -> bool:
    ahead, said = deal.ahead(side), deal.record.variant_state.predictions[side]
    if said is None:
        return False
    up, down = ahead[: said + 1], ahead[said:]
    rises, falls = all(a <= b for a, b in pairwise(up)), all(a >= b for a, b in pairwise(down))
    return rises and falls and ahead[said] > min(ahead[0], ahead[-1])


def pays(deal: Deal) -> Aim:
    """What the score of a deal pays, found out without asking what is stated."""
    sides = range(get_rules(deal.state).sides)
    curves = [deal.ahead(side) for side in sides]
    points: Literal["most", "fewest", "predicted", "either_end"]
    if all(predicted(deal, side) for side in sides):
        points = "predicted"
    elif all(most(deal, side) for side in sides):
        points = "most"
    elif all(curve[0] > curve[-1] and all(a >= b for a, b in pairwise(curve)) for curve in curves):
        points = "fewest"
    else:
        assert all(curve[BETWEEN] < min(curve[0], curve[-1]) for curve in curves)
        points = "either_end"
    chooser, alone = deal.record.chooser, False
    if chooser is not None:
        named = get_rules(deal.state).sides_of(deal.state)[chooser]
        others = {
            tuple(score for side, score in enumerate(deal.scores(deal.split(named, n))) if side != named)
            for n in range(158)
        }
        alone = len(others) == 1
    return Aim(points, any(len(set(curve)) > FEW for curve in curves), alone)


def test_a_game_states_what_its_score_pays(subtests: pytest.Subtests) -> None:
    for key, seats in TABLES:
        for seed in range(3):
            with subtests.test(key=key, seats=seats, seed=seed):
                deal = deal_of(key, seats, seed)
                assert pays(deal) == VARIANTS[key].aim
