"""How many card points the side that names a contract is likely to take with it."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine import State
from games.bots import naming


class Line(NamedTuple):
    """Points = base + slope × what the hand is worth (games.bots.naming)."""

    base: float
    slope: float


LINES: Final = {
    (4, 9): Line(78.5, 0.5),
    (3, 9): Line(62.0, 0.4),
    (3, 12): Line(50.0, 0.4),
    (2, 18): Line(70.0, 0.3),
}
"""By seats and tricks; least squares over deals that the bots played among themselves."""


def points(state: State, hand: int, contract: str) -> float:
    """Points of the 157, for the side that names the contract. With table cards, those that lie open are part
    of the hand."""
    base, slope = LINES.get((state.seats, state.sizes[0]), LINES[4, 9])
    return base + slope * naming.worth(hand, contract, False)


def best(state: State, hand: int, contracts: Sequence[str]) -> tuple[float, str]:
    """The contract with most points, and how many."""
    return max((points(state, hand, contract), contract) for contract in contracts)


def unmultiplied(state: State, contracts: Sequence[str]) -> bool:
    """Every contract counts the same."""
    factors = naming.multipliers(state)
    return len({factors.get(contract, 1) for contract in contracts}) == 1
