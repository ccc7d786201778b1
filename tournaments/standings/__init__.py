"""Who stands where, and why. Pure functions, no Django."""

from tournaments.standings.ranking import rank
from tournaments.standings.rows import Entrant, Meeting, RankingRow, RoundScore, ScoredRound, Separation
from tournaments.standings.rules import TIE_BREAKS, Counting, StandingsError

__all__ = [
    "TIE_BREAKS",
    "Counting",
    "Entrant",
    "Meeting",
    "RankingRow",
    "RoundScore",
    "ScoredRound",
    "Separation",
    "StandingsError",
    "rank",
]
