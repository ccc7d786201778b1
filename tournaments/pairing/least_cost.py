"""The least cost of a round of few tables of four, computed exactly: a search that reaches it can stop."""

from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Final

MAX_SEATED: Final = 16
"""Players up to which the computation takes less time than the search that it spares."""

PairCost = Callable[[int, int], int]
PARTNERS: Final = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))
"""The three ways in which four players form two pairs."""


def compute_least_cost(players: tuple[int, ...], partner: PairCost, opponent: PairCost) -> int:
    """Return the least cost of seating `players`, whose number is a multiple of four, at tables of four.

    partner, opponent: the cost of making two players partners, or opponents.
    """

    @cache
    def cost_table(table: tuple[int, ...]) -> int:
        meetings = sum(opponent(a, b) for a, b in combinations(table, 2))
        return meetings + min(
            sum(partner(table[i], table[j]) - opponent(table[i], table[j]) for i, j in pairs)
            for pairs in PARTNERS
        )

    @cache
    def seat(rest: tuple[int, ...]) -> int:
        if not rest:
            return 0
        first, others = rest[0], rest[1:]
        return min(
            cost_table((first, *three)) + seat(tuple(player for player in others if player not in three))
            for three in combinations(others, 3)
        )

    return seat(players)
