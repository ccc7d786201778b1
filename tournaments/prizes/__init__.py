"""Who gets which prize, and in which order they are given. Pure functions, no Django."""

from tournaments.prizes.awarding import award
from tournaments.prizes.giving import Step, order_of_giving
from tournaments.prizes.plan import Award, Candidate, Prize, PrizePlan, PrizesError, decode_plan, encode_plan

__all__ = [
    "Award",
    "Candidate",
    "Prize",
    "PrizePlan",
    "PrizesError",
    "Step",
    "award",
    "decode_plan",
    "encode_plan",
    "order_of_giving",
]
