"""Inputs of a championship's ranking, read from its rounds, and the ranking computed from them."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from games.randomness import round_seed
from tournaments.models import Championship, Round
from tournaments.regulations import Regulations
from tournaments.services.current_regulations import load_regulations
from tournaments.services.people.team_members import load_team_numbers
from tournaments.services.scores import results
from tournaments.services.scores.bracket import load_places
from tournaments.services.scores.stored_credits import compute_points_by_rule, credit_unplayed
from tournaments.standings import (
    RankingInputs,
    RankingRow,
    TableResult,
    TeamRow,
    build_entrants,
    build_meetings,
    count_against_field,
    index_opponents,
    rank,
    rank_teams,
)

STANDING: tuple[Round.Status, ...] = (Round.Status.OPEN, Round.Status.CLOSED)


class RankingBasis(msgspec.Struct, frozen=True):
    """All inputs of a ranking, read once, so that hypothetical results can be ranked too.

    `held`: as `count_held` returns it; `tables`: results; `inputs`: inputs other than tables; `sealed`: the
    sealed number, None if unknown or not used.
    """

    regulations: Regulations
    held: int
    tables: tuple[TableResult, ...]
    inputs: RankingInputs
    sealed: int | None
    team_of: Mapping[int, int]
    """Number of an entry → number of its team. Empty without teams."""
    closed: tuple[int, ...] = ()
    """Numbers of the closed rounds."""


def live_ranking(championship: Championship) -> list[RankingRow]:
    """Compute the live ranking. It includes the results of open rounds that the public knows."""
    return rank_basis(load_basis(championship, STANDING))


def load_basis(
    championship: Championship, statuses: tuple[Round.Status, ...] = STANDING, *, upto: int | None = None
) -> RankingBasis:
    """Load the inputs of the ranking of the rounds with these statuses. `upto`: number of the last round to
    include.

    The number of queries is constant.
    """
    regulations = load_regulations(championship)
    found = championship.rounds.filter(status__in=statuses)
    rounds = list(found if upto is None else found.filter(number__lte=upto))
    return RankingBasis(
        regulations,
        count_held(regulations, rounds),
        tuple(results.load_results(rounds, regulations=regulations)),
        load_inputs(championship, rounds, regulations),
        sealed_number(championship, regulations, rounds),
        {} if regulations.teams is msgspec.UNSET else load_team_numbers(championship),
        list_closed(rounds),
    )


def list_closed(rounds: Iterable[Round]) -> tuple[int, ...]:
    """Return the numbers of the closed rounds, in order."""
    return tuple(sorted(one.number for one in rounds if one.status == Round.Status.CLOSED))


def count_held(regulations: Regulations, rounds: Sequence[Round]) -> int:
    """Return the number of `rounds`; in an open heat, the number of a person's starts that count."""
    return regulations.counting.number if regulations.has_queue else len(rounds)


def load_inputs(championship: Championship, rounds: list[Round], regulations: Regulations) -> RankingInputs:
    """Load the inputs of the ranking of these rounds except the results of tables. They include places of a
    bracket.
    """
    inputs = results.load_ranking_inputs(championship, rounds, regulations)
    return replace(inputs, reached=load_places(rounds, regulations))


def replace_result(basis: RankingBasis, at: int, table: TableResult) -> RankingBasis:
    """Return the inputs with the result `table` in place of the one at index `at`.

    The points of byes in its round are computed again, and so are the results that are compared with it.
    """
    tables = (*basis.tables[:at], table, *basis.tables[at + 1 :])
    if basis.regulations.counts_against_field:
        tables = tuple(count_against_field(tables))
    of_round = results.merge_tables(
        [one for one in tables if one.round == table.round], basis.inputs.counted_for, basis.regulations
    )
    bye_points = compute_points_by_rule(basis.regulations.byes, basis.regulations, of_round)
    byes = tuple(
        (number, round_, bye_points if round_ == table.round else points)
        for number, round_, points in basis.inputs.byes
        if round_ != table.round or bye_points is not None
    )
    return replace(basis, tables=tables, inputs=replace(basis.inputs, byes=byes))


def rank_basis(basis: RankingBasis) -> list[RankingRow]:
    """Compute the ranking from its inputs. No queries."""
    counted_for = basis.inputs.counted_for
    tables = results.merge_tables(basis.tables, counted_for, basis.regulations)
    inputs = credit_unplayed(basis.inputs, basis.regulations, basis.closed, tables)
    entrants = build_entrants(inputs, tables, basis.regulations.crediting())
    return rank(
        entrants,
        basis.regulations.counting,
        rounds_held=basis.held,
        directions=basis.regulations.directions(),
        meetings=build_meetings(tables, counted_for),
        sealed=basis.sealed,
        opponents=index_opponents(tables, counted_for),
    )


def rank_basis_teams(basis: RankingBasis, rows: Iterable[RankingRow]) -> list[TeamRow] | None:
    """Rank the teams, given the inputs and the ranking `rows` computed from them. None without teams. No
    queries.

    The team of a pair is that of its first member.
    """
    rules = basis.regulations.teams
    if rules is msgspec.UNSET:
        return None
    return rank_teams(
        rows,
        build_entrants(
            credit_unplayed(basis.inputs, basis.regulations, basis.closed, basis.tables),
            basis.tables,
            basis.regulations.crediting(),
        ),
        basis.team_of,
        rules,
        counting=basis.regulations.counting,
        directions=basis.regulations.directions(),
        meetings=build_meetings(basis.tables, basis.inputs.counted_for),
    )


def live_teams(championship: Championship) -> list[TeamRow] | None:
    """Compute the live ranking of teams. Empty before the first round; None if the
    championship has no teams.
    """
    basis = load_basis(championship)
    if not basis.held and basis.regulations.teams is not msgspec.UNSET:
        return []
    return rank_basis_teams(basis, rank_basis(basis))


def rank_starts(championship: Championship) -> list[RankingRow]:
    """Rank the starts of an open heat, each by its own result. Closed and open sessions are included."""
    basis = load_basis(championship)
    if basis.regulations.play.format == "fixed_pairs":
        pairs = results.load_pair_starts(championship)
        alone = replace(
            basis.inputs,
            starts=tuple(sorted((one.number, number) for one in pairs for number in one.numbers)),
            members=tuple(sorted((one.number, person) for one in pairs for person in one.persons)),
        )
    else:
        starts = tuple((number, number) for _person, number in basis.inputs.starts)
        alone = replace(basis.inputs, starts=starts)
    regulations = replace(basis.regulations, counting=replace(basis.regulations.counting, number=1))
    return rank_basis(replace(basis, inputs=alone, held=1, regulations=regulations))


def sealed_number(
    championship: Championship, regulations: Regulations, rounds: Iterable[Round] | None = None
) -> int | None:
    """Return the sealed number that totals are compared with. None if the regulations use none, or it is not
    public.

    It is derived from the seed of the last round. The seed is committed to before the first card, and
    revealed when that round closes. Therefore nobody knows the number before, and anybody can compute it
    afterwards.
    """
    counting = regulations.counting
    if counting.what != "nearest":
        return None
    planned = championship.rounds.filter(number=regulations.rounds) if rounds is None else rounds
    last = next((r for r in planned if r.number == regulations.rounds), None)
    if last is None or not round_seed.is_revealed(last.stream_id):
        return None
    source = round_seed.source_then(last.stream_id, round_seed.seed_seq(last.stream_id))
    numbers = source.numbers("sealed", 1)
    span = counting.most - counting.least + 1
    limit = 256 * 256 - 256 * 256 % span
    while True:
        number = 256 * numbers.below(256) + numbers.below(256)
        if number < limit:
            return counting.least + number % span


def is_sealed_number_public(round_: Round) -> bool:
    """Return whether this round's sealed number is public. A new result could then aim at it."""
    regulations = load_regulations(round_.championship)
    return (
        regulations.counting.what == "nearest"
        and round_.number == regulations.rounds
        and round_seed.is_revealed(round_.stream_id)
    )
