"""A position on a server-rendered board: seats, cards in the middle, open hands."""

from dataclasses import dataclass

AROUND = {2: ("bottom", "top"), 3: ("bottom", "right", "left"), 4: ("bottom", "right", "top", "left")}


@dataclass(frozen=True, slots=True)
class Spot:
    """A seat in the picture of a table, as seen from the near edge."""

    at: str
    name: str
    acting: bool = False
    lies: bool = False
    """Whether a card of this seat is in the middle."""
    card: str | None = None
    """The card in the middle; None if unknown."""
    marked: bool = False
    hand: tuple[str, ...] = ()
    unknown: range = range(0)
    """One element per unknown card of the hand."""
    side: int | None = None
    """The side whose sign is beside the name."""


def seen_from(seat: int, near: int, seats: int) -> str:
    """Return the place of a seat as seen from another one."""
    around = AROUND.get(seats, AROUND[4])
    return around[(seat - near) % seats % len(around)]
