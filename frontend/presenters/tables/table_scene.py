"""A position on a board that the server draws: seats, cards in the middle, open hands."""

from dataclasses import dataclass

AROUND = {2: ("bottom", "top"), 3: ("bottom", "right", "left"), 4: ("bottom", "right", "top", "left")}


@dataclass(frozen=True, slots=True)
class Spot:
    """A seat on the drawing of a table. `at`: its place, seen from the near edge; `acting`: its turn;
    `marked`: highlight it.
    """

    at: str
    name: str
    acting: bool = False
    lies: bool = False
    """Whether a card of this seat lies in the middle."""
    card: str | None = None
    """The code of the card in the middle; None if it is unknown or there is none."""
    marked: bool = False
    hand: tuple[str, ...] = ()
    unknown: range = range(0)
    """A range with one element for each unknown card of the hand."""
    side: int | None = None
    """Number of the side whose sign stands beside the name; None for no sign."""


def rotate_seat(seat: int, near: int, seats: int) -> str:
    """Return the place of a seat in a drawing that has the seat `near` at its near edge."""
    around = AROUND.get(seats, AROUND[4])
    return around[(seat - near) % seats % len(around)]
