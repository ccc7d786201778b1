"""The draw of seats, partners and opponents, recomputable from a seed; no Django."""

from tournaments.pairing.cost import Cost, compute_cost, list_avoided
from tournaments.pairing.problem import DrawnRound, PairingError, PairingProblem
from tournaments.pairing.solving import AVOIDING_VERSION, KNOWN_VERSIONS, VERSION, Draw, draw

__all__ = [
    "AVOIDING_VERSION",
    "KNOWN_VERSIONS",
    "VERSION",
    "Cost",
    "Draw",
    "DrawnRound",
    "PairingError",
    "PairingProblem",
    "compute_cost",
    "draw",
    "list_avoided",
]
