"""How one trick is played at one table: what may follow, and what each card is worth in it. Made once for
every contract, so that a card costs two look-ups."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from engine.cards import SUIT_MASK
from engine.contracts import PUUR, STRENGTH, TOP_DOWN, VALUES, Values
from engine.tricks.following import Follow, Following
from engine.tricks.modes import mode_at

POINTS_BITS: Final = 8
POINTS: Final = (1 << POINTS_BITS) - 1
"""What is left of a sum of worths when only points are wanted; no trick has more."""


class Way(NamedTuple):
    """The way of one trick to which a suit was led. Who holds no `special` card plays the suit `asked` for,
    or anything; who does, what `follow` says. `worths[card]` is the strength of the card, then its points:
    the greatest worth takes the trick, and the worths of a trick add up to its points."""

    asked: int
    special: int
    follow: Follow
    worths: tuple[int, ...]


BySuit = tuple[Way, ...]
"""The ways of a trick by the suit led."""


class Ways(dict[tuple[str | None, int], tuple[BySuit, ...]]):
    """The ways of each trick of a deal, by contract (None: played without one, until a trump is named) and
    number of tricks; made when first asked for."""

    def __init__(self, following: Following, values: Mapping[str, Values]) -> None:
        super().__init__()
        self._following = following
        self._values = values

    def __missing__(self, key: tuple[str | None, int]) -> tuple[BySuit, ...]:
        contract, size = key
        values = VALUES["obenabe"] if contract is None else self._values[contract]
        modes = [mode_at(contract, size, done) for done in range(size)]
        found = self[key] = tuple(by_suit(self._following[mode], values, mode) for mode in modes)
        return found


def by_suit(follow: Follow, values: Values, mode: int) -> BySuit:
    """The ways of a trick in one mode. Special are trumps, and the Puur alone where trumps were led."""
    return tuple(
        Way(asked, 0 if mode >= TOP_DOWN else PUUR[mode] if led == mode else SUIT_MASK[mode], follow, worths)
        for led, (asked, worths) in enumerate(zip(SUIT_MASK, _worths(values, mode), strict=True))
    )


def judge(lying: Sequence[int], order: Sequence[int], worths: Sequence[int]) -> tuple[int, int]:
    """Who takes a trick whose cards are all known, and for how many points."""
    best = total = strongest = 0
    for place, card in enumerate(lying):
        worth = worths[card]
        total += worth
        if worth > best:
            best = worth
            strongest = place
    return order[strongest], total & POINTS


@cache
def _worths(values: Values, mode: int) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(_worth(power, points) for power, points in zip(strength, values, strict=True))
        for strength in STRENGTH[mode]
    )


@cache
def _worth(power: int, points: int) -> int:
    """Every number once: the tables then lie close together in memory."""
    return power << POINTS_BITS | points
