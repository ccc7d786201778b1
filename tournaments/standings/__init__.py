"""Rankings: places and the reasons for them. Pure functions, no Django."""

from tournaments.standings.buchholz import index_opponents
from tournaments.standings.counting_rules import COUNTING_VERSION, TIE_BREAKS, Counting, Directions
from tournaments.standings.encounters import merge_encounters
from tournaments.standings.entrants import RankingInputs, build_entrants
from tournaments.standings.errors import StandingsError
from tournaments.standings.incremental_ranking import KeptRanking, RankedRows
from tournaments.standings.ranking import rank
from tournaments.standings.rows import (
    Figure,
    Meeting,
    RankingRow,
    RoundScore,
    ScoredEntrant,
    ScoredRound,
    Separation,
    write_figure,
)
from tournaments.standings.table_results import (
    Crediting,
    TableResult,
    build_meetings,
    count_against_field,
)
from tournaments.standings.teams import TeamCounting, TeamMember, TeamRow, rank_teams
from tournaments.standings.unplayed_points import (
    Averages,
    UnplayedCredits,
    UnplayedPoints,
    compute_unplayed_points,
)

__all__ = [
    "COUNTING_VERSION",
    "TIE_BREAKS",
    "Averages",
    "Counting",
    "Crediting",
    "Directions",
    "Figure",
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
    "UnplayedCredits",
    "UnplayedPoints",
    "build_entrants",
    "build_meetings",
    "compute_unplayed_points",
    "count_against_field",
    "index_opponents",
    "merge_encounters",
    "rank",
    "rank_teams",
    "write_figure",
]
