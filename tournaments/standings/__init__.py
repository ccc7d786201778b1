"""Who stands where, and why. Pure functions, no Django."""

from tournaments.standings.kept import KeptRanking, RankedRows
from tournaments.standings.ranking import rank
from tournaments.standings.rows import Meeting, RankingRow, RoundScore, ScoredEntrant, ScoredRound, Separation
from tournaments.standings.rules import TIE_BREAKS, Counting, StandingsError
from tournaments.standings.tables import Beside, TableResult, entrants_of, meetings_of

__all__ = [
    "TIE_BREAKS",
    "Beside",
    "Counting",
    "KeptRanking",
    "Meeting",
    "RankedRows",
    "RankingRow",
    "RoundScore",
    "ScoredEntrant",
    "ScoredRound",
    "Separation",
    "StandingsError",
    "TableResult",
    "entrants_of",
    "meetings_of",
    "rank",
]
