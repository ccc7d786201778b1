"""Expected points of a hand, as the sum over its cards. Predictions, and play towards a prediction, are based
on it.
"""

import math
from typing import Final

from engine.card_points import LAST_TRICK
from engine.cards import SUIT_MASK, SUIT_OF, members
from games.bots.reckoning.knowledge import STRONGER, Sight

HIGHEST: Final = 0.95
"""Probability that the highest trump takes a trick."""
BEATEN: Final = 0.72
"""Factor on the probability of a trump for each higher trump that is unseen."""
RUFF: Final = 0.33
"""Probability that the lowest trump takes a trick."""
MASTER: Final = 0.74
"""Probability that the highest card of a suit takes a trick in a game with trumps. MASTER_PLAIN: without
trumps.
"""
MASTER_PLAIN: Final = 0.93
GUARDED: Final = 0.36
"""Factor for each higher unseen card of the suit, if the hand has enough lower cards to guard this card.
BARE: if it has not.
"""
BARE: Final = 0.12
OWN: Final = 0.55
"""Share of its own points that a card brings if it takes a trick, beside an average trick. EVEN: the average
trick, as a share of the points left per trick.
"""
EVEN: Final = 0.78
SURELY: Final = 3.0
"""Exponent on the probability that a card takes a trick: it makes uncertain tricks count little."""


def estimate_points(sight: Sight, hand: int, points: int, tricks: int) -> float:
    """Return the expected points of `hand`. `points`: the points of the deal that are left. `tricks`: the
    tricks to come.
    """
    if not hand or tricks <= 0:
        return 0.0
    even = EVEN * points / tricks
    return sum(
        estimate_chance_of_trick(sight, hand, card) * (even + OWN * sight.values[card])
        for card in members(hand)
    )


def estimate_burden(sight: Sight, hand: int, points: int, tricks: int) -> float:
    """Return the points that `hand` will take even if the seat wants none. Sure tricks count fully; other
    tricks count little, since the seat can mostly avoid them.
    """
    if not hand or tricks <= 0:
        return 0.0
    others = points / tricks * (sight.seats - 1) / sight.seats
    return sum(
        math.pow(estimate_chance_of_trick(sight, hand, card), SURELY) * (others + sight.values[card])
        for card in members(hand)
    )


def estimate_chance_of_trick(sight: Sight, hand: int, card: int) -> float:
    """Return the probability that a card of the hand takes a trick in the rest of the deal."""
    suit = SUIT_OF[card]
    above = (STRONGER[sight.mode][suit][card] & SUIT_MASK[suit] & sight.unseen).bit_count()
    crowd = (sight.seats - 1) / 3
    if suit == sight.trump:
        return float(max(RUFF, HIGHEST * BEATEN ** (above * crowd)))
    master = MASTER_PLAIN if sight.trump is None else MASTER
    if above == 0:
        return master
    covered = (hand & SUIT_MASK[suit]).bit_count() > above
    return float(master * (GUARDED if covered else BARE) ** (above * crowd))


def count_points_out(points: int, taken: int) -> int:
    """Return the card points of the deal less those `taken` by all seats, but at least the points for the
    last trick.
    """
    return max(LAST_TRICK, points - taken)
