"""Types for the counted points and the scores of a deal."""

from collections.abc import Sequence, Set
from typing import Protocol

from msgspec import Struct


class Tally(Struct, frozen=True, gc=False):
    """Points counted in a deal, none of them open. `cards`: card points by side. `points`: all points by
    side, times the multiplier.
    """

    cards: tuple[int, ...]
    points: tuple[int, ...]
    takers: Set[int | None]
    """Sides that took a trick, even one without points."""
    unknown: Set[int] = frozenset()
    """Sides whose points a sheet omits because they do not count."""


class Scored(Struct, frozen=True, gc=False):
    """Points of a deal by side; None if unknown facts leave them open. `ties`: the pairs of tied sides
    after the deal, None in games without ties.
    """

    card_points: tuple[int | None, ...]
    scores: tuple[int | None, ...]
    ties: tuple[tuple[int, ...], ...] | None = None


class Counted(Protocol):
    """Anything with the card points and scores of a finished deal."""

    @property
    def card_points(self) -> Sequence[int | None]: ...

    @property
    def scores(self) -> Sequence[int | None]: ...
