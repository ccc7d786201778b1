"""Uniformity test of decks: how often each card lies at each place, and how probable these figures are by
chance.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from games.randomness.dealing import DECK

PLACE = {card: number for number, card in enumerate(DECK)}


class ChiSquare(NamedTuple):
    """The result of a chi-square test: the statistic, its degrees of freedom, and the probability `p` that
    chance alone gives a larger statistic.
    """

    statistic: float
    freedom: int
    p: float


class PlaceCounts:
    """Counts of how often each of 36 cards lay at each of 36 places of the deck."""

    def __init__(self) -> None:
        self.decks = 0
        self._at = [[0] * len(DECK) for _ in DECK]

    def add(self, deck: Sequence[str]) -> None:
        self.decks += 1
        for row, card in zip(self._at, deck, strict=True):
            row[PLACE[card]] += 1

    def by_place(self) -> ChiSquare:
        """Test whether each card is equally often at each place in the deck."""
        return self._tested([[place] for place in range(len(DECK))])

    def by_seat(self) -> ChiSquare:
        """Test whether each of four seats gets each card equally often if decks are dealt three cards at a
        time.
        """
        return self._tested([[at for at in range(len(DECK)) if at // 3 % 4 == seat] for seat in range(4)])

    def _tested(self, groups: list[list[int]]) -> ChiSquare:
        """Test whether each card is equally often in each group of places.

        A card is at one place only, and a place holds one card, so the counts of a deck depend on each other:
        35/36 of Pearson's sum is distributed as chi-square.
        """
        statistic = 0.0
        for group in groups:
            expected = self.decks * len(group) / len(DECK)
            for card in range(len(DECK)):
                observed = sum(self._at[place][card] for place in group)
                statistic += (observed - expected) ** 2 / expected
        cards = len(DECK)
        freedom = (cards - 1) * (len(groups) - 1)
        scaled = statistic * (cards - 1) / cards
        return ChiSquare(scaled, freedom, upper_tail(scaled, freedom))


def upper_tail(statistic: float, freedom: int) -> float:
    """Return P(X > statistic) for a chi-square distribution, by the regularised upper incomplete gamma
    function.
    """
    a, x = freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:  # by the series
        term = total = 1 / a
        n = a
        while term > total * 1e-15:
            n += 1
            term *= x / n
            total += term
        return 1 - total * scale
    b = x + 1 - a  # by the continued fraction
    c, d = 1e300, 1 / b
    fraction = d
    for n in range(1, 10_000):
        factor = -n * (n - a)
        b += 2
        d = 1 / (factor * d + b)
        c = b + factor / c
        fraction *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return fraction * scale


def counted(deal: Callable[[int], Sequence[str]], decks: int) -> PlaceCounts:
    """Count the places of all cards in the decks `deal(1)` to `deal(decks)`."""
    counts = PlaceCounts()
    for number in range(1, decks + 1):
        counts.add(deal(number))
    return counts
