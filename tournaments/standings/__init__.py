"""Who stands where, and why. Pure functions, no Django."""

from tournaments.standings.ranking import rank
from tournaments.standings.rows import Meeting, RankingRow, RoundScore, ScoredEntrant, ScoredRound, Separation
from tournaments.standings.rules import TIE_BREAKS, Counting, StandingsError

__all__ = [
    "TIE_BREAKS",
    "Counting",
    "Meeting",
    "RankingRow",
    "RoundScore",
    "ScoredEntrant",
    "ScoredRound",
    "Separation",
    "StandingsError",
    "rank",
]
