"""Winners of prizes, and the order of the prize giving. Pure functions, no Django."""

from tournaments.prizes.awarding import award
from tournaments.prizes.giving import CallUp, order_calls, postpone_calls
from tournaments.prizes.plan import (
    Award,
    Candidate,
    Prize,
    PrizePlan,
    PrizesError,
    decode_plan,
    encode_plan,
    stored_plan,
)

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
    "order_calls",
    "postpone_calls",
    "stored_plan",
]
