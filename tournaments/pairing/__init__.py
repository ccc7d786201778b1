"""The draw: who sits where, with whom and against whom. No Django; recomputable from a seed."""

from tournaments.pairing.cost import Cost, cost_of
from tournaments.pairing.drawing import KNOWN, VERSION, Draw, draw
from tournaments.pairing.problem import DrawnRound, PairingError, PairingProblem

__all__ = [
    "KNOWN",
    "VERSION",
    "Cost",
    "Draw",
    "DrawnRound",
    "PairingError",
    "PairingProblem",
    "cost_of",
    "draw",
]
