"""The ranking of the single starts of an open heat, beside the published one of persons."""

from msgspec.structs import replace

from tournaments.models import Championship
from tournaments.services.scores import ranking
from tournaments.standings import RankingRow


def rank_starts(championship: Championship) -> list[RankingRow]:
    """Rank all starts with a table, each by its own result, closed sessions and open ones alike."""
    basis = ranking.load_basis(championship)
    beside = basis.beside
    alone = replace(beside, starts=tuple((number, number) for _person, number in beside.starts))
    regulations = replace(basis.regulations, counting=replace(basis.regulations.counting, number=1))
    return ranking.rank_basis(replace(basis, beside=alone, held=1, regulations=regulations))
