"""Precomputed tables of a trick: legal cards, and the worth of each card. They are built once per contract
and number of tricks.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from engine.card_points import VALUES, Values
from engine.cards import SUIT_MASK
from engine.contracts import PUUR, STRENGTH, TOP_DOWN
from engine.tricks.following import Follow, Following
from engine.tricks.modes import mode_at

POINTS_BITS: Final = 8
POINTS: Final = (1 << POINTS_BITS) - 1
"""Mask of the points in a sum of worths; the points of every trick fit into it."""


class TrickTable(NamedTuple):
    """The table of a trick in which one suit is led.

    A hand without `special` cards plays cards of the mask `asked`, or any card if it has none of them. A hand
    with special cards plays what `follow` allows. `worths[card]` has the card's strength in the high bits and
    its points in the low bits: the highest worth takes the trick, and the low bits of the sum of all worths
    are the trick's points.
    """

    asked: int
    special: int
    follow: Follow
    worths: tuple[int, ...]


TablesBySuit = tuple[TrickTable, ...]
"""Tables of a trick, indexed by the suit led."""


class TrickTables(dict[tuple[str | None, int], tuple[TablesBySuit, ...]]):
    """Tables of all tricks of a deal, by (contract, number of tricks in the deal). The contract is None
    before a card names trumps. Entries are built on first access.
    """

    def __init__(self, following: Following, values: Mapping[str, Values]) -> None:
        super().__init__()
        self._following = following
        self._values = values

    def __missing__(self, key: tuple[str | None, int]) -> tuple[TablesBySuit, ...]:
        contract, size = key
        values = VALUES["obenabe"] if contract is None else self._values[contract]
        modes = [mode_at(contract, size, done) for done in range(size)]
        found = self[key] = tuple(build_tables(self._following[mode], values, mode) for mode in modes)
        return found


def build_tables(follow: Follow, values: Values, mode: int) -> TablesBySuit:
    """Return the tables of a trick in one mode, by suit led. Special cards are the trumps or, if trumps are
    led, only the Puur.
    """
    return tuple(
        TrickTable(
            asked, 0 if mode >= TOP_DOWN else PUUR[mode] if led == mode else SUIT_MASK[mode], follow, worths
        )
        for led, (asked, worths) in enumerate(zip(SUIT_MASK, _pack_worths(values, mode), strict=True))
    )


def judge(lying: Sequence[int], order: Sequence[int], worths: Sequence[int]) -> tuple[int, int]:
    """Return the seat that takes a trick, and its card points. All cards must be known. `order`: seats as
    played.
    """
    best = total = strongest = 0
    for place, card in enumerate(lying):
        worth = worths[card]
        total += worth
        if worth > best:
            best = worth
            strongest = place
    return order[strongest], total & POINTS


@cache
def _pack_worths(values: Values, mode: int) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(_pack_worth(power, points) for power, points in zip(strength, values, strict=True))
        for strength in STRENGTH[mode]
    )


@cache
def _pack_worth(power: int, points: int) -> int:
    """Return strength and points packed into one int. The cache shares equal ints, which keeps the tables
    small.
    """
    return power << POINTS_BITS | points
