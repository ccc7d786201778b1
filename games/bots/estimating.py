"""How many card points the side that names a contract is likely to take with it."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine import State
from games.bots import naming


class LinearEstimate(NamedTuple):
    """Points = base + slope × what the hand is worth (games.bots.naming)."""

    base: float
    slope: float


LINES: Final = {
    (4, 9): LinearEstimate(84.0, 0.41),
    (3, 9): LinearEstimate(74.0, 0.33),
    (3, 12): LinearEstimate(40.0, 0.55),
    (2, 18): LinearEstimate(76.0, 0.33),
}
"""By seats and tricks; least squares over deals that the bots played among themselves."""


def estimated_points(state: State, hand: int, contract: str) -> float:
    """Points of the 157, for the side that names the contract. With table cards, those that lie open are part
    of the hand."""
    base, slope = LINES.get((state.seats, state.sizes[0]), LINES[4, 9])
    return base + slope * naming.worth(hand, contract, False)


def best(state: State, hand: int, contracts: Sequence[str]) -> tuple[float, str]:
    """The contract with most points, and how many."""
    return max((estimated_points(state, hand, contract), contract) for contract in contracts)
