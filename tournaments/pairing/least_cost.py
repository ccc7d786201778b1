"""The least cost of a round of few tables of four, computed exactly. A search that reaches it can stop."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from typing import Final

MAX_SEATED: Final = 16
"""Largest number of players for which the computation is faster than the search."""

PairCost = Callable[[int, int], int]
PARTNERS: Final = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))
"""The three ways in which four players form two pairs."""


def seat_at_least_cost(
    players: tuple[int, ...], partner: PairCost, opponent: PairCost
) -> tuple[int, list[int]]:
    """Return the least cost of seating `players` at tables of four, and the players in the order of their
    seats.

    The number of players must be a multiple of four. Of several seatings of least cost, the first in the
    order of `players` is returned. partner, opponent: functions that return the cost of making two players
    partners, or opponents.
    """

    def cost_pairs(table: tuple[int, ...], pairs: tuple[tuple[int, int], ...]) -> int:
        return sum(partner(table[i], table[j]) - opponent(table[i], table[j]) for i, j in pairs)

    @cache
    def cost_table(table: tuple[int, ...]) -> int:
        meetings = sum(opponent(a, b) for a, b in combinations(table, 2))
        return meetings + min(cost_pairs(table, pairs) for pairs in PARTNERS)

    @cache
    def seat(rest: tuple[int, ...]) -> int:
        if not rest:
            return 0
        return min(cost_table(table) + seat(left) for table, left in _split(rest))

    seats: list[int] = []
    rest = players
    while rest:
        table, left = next(one for one in _split(rest) if cost_table(one[0]) + seat(one[1]) == seat(rest))
        (a, b), (c, d) = min(PARTNERS, key=lambda pairs: cost_pairs(table, pairs))  # called at once
        seats += (table[a], table[c], table[b], table[d])
        rest = left
    return seat(players), seats


def _split(players: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield each table at which the first player can sit, with the remaining players."""
    first, others = players[0], players[1:]
    for three in combinations(others, 3):
        yield (first, *three), tuple(player for player in others if player not in three)
