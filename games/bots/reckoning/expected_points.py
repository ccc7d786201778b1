"""Expected points of a hand by itself, card by card: the base of predictions and of play towards them."""

import math
from typing import Final

from engine.card_points import LAST_TRICK
from engine.cards import SUIT_MASK, SUIT_OF, members
from games.bots.reckoning.knowledge import STRONGER, Sight

HIGHEST: Final = 0.95
"""Probability that the highest trump takes a trick."""
BEATEN: Final = 0.72
"""Factor for each higher trump still out."""
RUFF: Final = 0.33
"""Probability that the lowest trump takes a trick."""
MASTER: Final = 0.74
"""Probability that the highest card of a suit takes a trick beside trumps, and without."""
MASTER_PLAIN: Final = 0.93
GUARDED: Final = 0.36
"""Factor for each higher card out, if another card of the suit guards it."""
BARE: Final = 0.12
OWN: Final = 0.55
"""Share of its own value that a card which takes a trick adds to an even share of the points."""
EVEN: Final = 0.78
SURELY: Final = 3.0
"""Exponent that leaves little of uncertain tricks."""


def expected(sight: Sight, hand: int, points: int, tricks: int) -> float:
    """Return the expected points of `hand` out of the points that are left, with `tricks` tricks to come."""
    if not hand or tricks <= 0:
        return 0.0
    even = EVEN * points / tricks
    return sum(takes(sight, hand, card) * (even + OWN * sight.values[card]) for card in members(hand))


def burden(sight: Sight, hand: int, points: int, tricks: int) -> float:
    """Return the points that `hand` will take even if it wants none: sure takers weigh fully, uncertain ones
    can mostly be ducked."""
    if not hand or tricks <= 0:
        return 0.0
    others = points / tricks * (sight.seats - 1) / sight.seats
    return sum(
        math.pow(takes(sight, hand, card), SURELY) * (others + sight.values[card]) for card in members(hand)
    )


def takes(sight: Sight, hand: int, card: int) -> float:
    """Return the probability that a card takes a trick sooner or later."""
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


def out(points: int, taken: int) -> int:
    """Return the card points of the deal that nobody has taken yet; at least the points for the last
    trick.
    """
    return max(LAST_TRICK, points - taken)
