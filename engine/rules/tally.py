"""What a deal counted, and what it scores for that."""

from collections.abc import Sequence, Set
from typing import Protocol

from msgspec import Struct


class Tally(Struct, frozen=True, gc=False):
    """What counted in a deal in which everything is known: by side the points of cards, and all points with
    their multiplier."""

    cards: tuple[int, ...]
    points: tuple[int, ...]
    takers: Set[int | None]
    """The sides that have taken a trick, also one without points."""
    unknown: Set[int] = frozenset()
    """The sides whose points nobody has written, because they do not count."""


class Scored(Struct, frozen=True, gc=False):
    """The points of a deal per side; None where an unknown card leaves them open."""

    card_points: tuple[int | None, ...]
    scores: tuple[int | None, ...]
    ties: tuple[tuple[int, ...], ...] | None = None


class Counted(Protocol):
    """The points of a deal that is over."""

    @property
    def card_points(self) -> Sequence[int | None]: ...

    @property
    def scores(self) -> Sequence[int | None]: ...
