"""A moment on the cloth of a stage that the server draws: who sits where, what lies, which hands are open."""

from dataclasses import dataclass

AROUND = {2: ("bottom", "top"), 3: ("bottom", "right", "left"), 4: ("bottom", "right", "top", "left")}


@dataclass(frozen=True, slots=True)
class Spot:
    """A seat as it is seen from the near edge."""

    at: str
    name: str
    acting: bool = False
    lies: bool = False
    """Whether a card of this seat lies in the middle."""
    card: str | None = None
    """Which; None where nobody knows."""
    marked: bool = False
    hand: tuple[str, ...] = ()
    unknown: range = range(0)
    """As many cards of the hand as nobody knows."""
    side: int | None = None
    """Whose sign stands beside the name."""


def seen_from(seat: int, near: int, seats: int) -> str:
    """Where a seat is seen from another one."""
    around = AROUND.get(seats, AROUND[4])
    return around[(seat - near) % seats % len(around)]
