"""The ranking of the single starts of an open heat, beside the published one of persons."""

from msgspec.structs import replace

from tournaments.models import Championship
from tournaments.services.scores import ranking, results
from tournaments.standings import RankingRow


def rank_starts(championship: Championship) -> list[RankingRow]:
    """Rank all starts with a table, each by its own result, closed sessions and open ones alike."""
    basis = ranking.load_basis(championship)
    beside = basis.beside
    if basis.regulations.play.format == "fixed_pairs":
        pairs = results.load_pair_starts(championship)
        alone = replace(
            beside,
            starts=tuple(sorted((one.number, number) for one in pairs for number in one.numbers)),
            members=tuple(sorted((one.number, person) for one in pairs for person in one.persons)),
        )
    else:
        alone = replace(beside, starts=tuple((number, number) for _person, number in beside.starts))
    regulations = replace(basis.regulations, counting=replace(basis.regulations.counting, number=1))
    return ranking.rank_basis(replace(basis, beside=alone, held=1, regulations=regulations))
