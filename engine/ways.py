"""How one trick is played at one table: what may follow, and what each card is worth in it. Made once for
every contract, so that a card costs two look-ups."""

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from .contracts import STRENGTH, VALUES, Values
from .following import Follow, Following
from .state import State
from .tricks import mode_at

POINTS_BITS: Final = 8
POINTS: Final = (1 << POINTS_BITS) - 1
"""What is left of a sum of worths when only points are wanted; no trick has more."""
Worths = tuple[tuple[int, ...], ...]


class Way(NamedTuple):
    """The way of one contract in one mode. `worths[suit led][card]` is the strength of the card, then its
    points: the greatest worth takes the trick, and the worths of a trick add up to its points."""

    follow: Follow
    worths: Worths


class Ways(dict[tuple[str | None, int], tuple[Way, ...]]):
    """The way of each trick of a deal, by contract (None: played without one, until a trump is named) and
    number of tricks; made when first asked for."""

    def __init__(self, following: Following, values: Mapping[str, Values]) -> None:
        super().__init__()
        self._following = following
        self._values = values

    def __missing__(self, key: tuple[str | None, int]) -> tuple[Way, ...]:
        contract, size = key
        values = VALUES["obenabe"] if contract is None else self._values[contract]
        modes = [mode_at(contract, size, done) for done in range(size)]
        found = self[key] = tuple(Way(self._following[mode], _worths(values, mode)) for mode in modes)
        return found


@cache
def _worths(values: Values, mode: int) -> Worths:
    return tuple(
        tuple(_worth(power, points) for power, points in zip(strength, values, strict=True))
        for strength in STRENGTH[mode]
    )


@cache
def _worth(power: int, points: int) -> int:
    """Every number once: the tables then lie close together in memory."""
    return power << POINTS_BITS | points


def ways_of(state: State) -> tuple[Way, ...]:
    """The ways of the tricks of the deal; kept in the state while its contract stands."""
    found = state.ways = state.rules.ways[state.contract, state.sizes[0]]
    return found
