"""Ranking: places and their reasons. Pure functions, no Django."""

from tournaments.standings.kept import KeptRanking, RankedRows
from tournaments.standings.ranking import rank
from tournaments.standings.rows import Meeting, RankingRow, RoundScore, ScoredEntrant, ScoredRound, Separation
from tournaments.standings.rules import COUNTING_VERSION, TIE_BREAKS, Counting, Directions, StandingsError
from tournaments.standings.tables import RankingInputs, TableResult, build_entrants, build_meetings
from tournaments.standings.teams import TeamCounting, TeamMember, TeamRow, rank_teams

__all__ = [
    "COUNTING_VERSION",
    "TIE_BREAKS",
    "Counting",
    "Directions",
    "KeptRanking",
    "Meeting",
    "RankedRows",
    "RankingInputs",
    "RankingRow",
    "RoundScore",
    "ScoredEntrant",
    "ScoredRound",
    "Separation",
    "StandingsError",
    "TableResult",
    "TeamCounting",
    "TeamMember",
    "TeamRow",
    "build_entrants",
    "build_meetings",
    "rank",
    "rank_teams",
]
