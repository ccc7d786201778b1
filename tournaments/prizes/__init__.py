"""Winners of prizes, and the order of the prize giving. Pure functions, no Django."""

from tournaments.prizes.awarding import award
from tournaments.prizes.giving import CallUp, order_of_giving, postponed
from tournaments.prizes.plan import (
    Award,
    Candidate,
    Prize,
    PrizePlan,
    PrizesError,
    as_stored,
    decode_plan,
    encode_plan,
)

__all__ = [
    "Award",
    "CallUp",
    "Candidate",
    "Prize",
    "PrizePlan",
    "PrizesError",
    "as_stored",
    "award",
    "decode_plan",
    "encode_plan",
    "order_of_giving",
    "postponed",
]
