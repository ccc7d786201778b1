"""Estimate the card points of the side that names a contract."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine import State
from games.bots import contract_choice


class LinearEstimate(NamedTuple):
    """A line: points = base + slope × value of the hand (`contract_choice.estimate_lead`)."""

    base: float
    slope: float


LINES: Final = {
    (4, 9): LinearEstimate(84.0, 0.41),
    (3, 9): LinearEstimate(74.0, 0.33),
    (3, 12): LinearEstimate(40.0, 0.55),
    (2, 18): LinearEstimate(76.0, 0.33),
}
"""The estimates by (seats, tricks): a least-squares fit over deals that the bots played among themselves."""


def estimate_contract_points(state: State, hand: int, contract: str) -> float:
    """Return the expected points out of 157 for the side that names the contract. `hand` includes open cards
    of the table or talon.
    """
    base, slope = LINES.get((state.seats, state.sizes[0]), LINES[4, 9])
    return base + slope * contract_choice.estimate_lead(hand, contract, False)


def find_best_contract(state: State, hand: int, contracts: Sequence[str]) -> tuple[float, str]:
    """Return (points, contract) of the contract with the most expected card points."""
    return max((estimate_contract_points(state, hand, contract), contract) for contract in contracts)
