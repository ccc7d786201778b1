"""Who stands where, and why. Pure functions, no Django."""

from tournaments.standings.ranking import rank
from tournaments.standings.rows import Entrant, Meeting, RoundScore, Row, ScoredRound, Separation
from tournaments.standings.rules import TIE_BREAKS, Counting, StandingsError

__all__ = [
    "TIE_BREAKS",
    "Counting",
    "Entrant",
    "Meeting",
    "RoundScore",
    "Row",
    "ScoredRound",
    "Separation",
    "StandingsError",
    "rank",
]
