"""Who gets which prize, and in which order they are given. Pure functions, no Django."""

from tournaments.prizes.awarding import award
from tournaments.prizes.giving import CallUp, order_of_giving
from tournaments.prizes.plan import Award, Candidate, Prize, PrizePlan, PrizesError, decode_plan, encode_plan

__all__ = [
    "Award",
    "CallUp",
    "Candidate",
    "Prize",
    "PrizePlan",
    "PrizesError",
    "award",
    "decode_plan",
    "encode_plan",
    "order_of_giving",
]
