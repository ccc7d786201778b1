"""Who plays with whom."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from engine.ledger.state import State

Sides = Sequence[int]


class Parties(NamedTuple):
    """Who plays with whom: the side of each seat, and how many sides so many seats make."""

    sides: Callable[[State], Sides]
    count: Callable[[int], int]


ALONE: Final = Parties(lambda state: range(state.seats), lambda seats: seats)
PARTNERS: Final = Parties(
    lambda state: (0, 1, 0, 1) if state.seats == 4 else range(state.seats),
    lambda seats: 2 if seats == 4 else seats,
)
"""Four play in partners, seats 0 and 2 against 1 and 3; fewer play alone."""
DECLARER: Final = Parties(
    lambda state: [0 if seat == state.declarer else 1 for seat in range(state.seats)], lambda seats: 2
)
"""Side 0 is who won the auction, side 1 are all others."""
