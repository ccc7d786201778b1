"""Effect of a different result of a table on the ranking: places and totals before and after."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from engine import State
from tournaments.models import Table
from tournaments.services.scores import ranking_basis, results
from tournaments.services.scores.ranking_basis import RankingBasis
from tournaments.standings import Figure, RankingRow, TableResult


class Shift(NamedTuple):
    """A ranking row before and after a change.

    `number`: key of the row, the number of an entry or a pair; `numbers`: of its entries.
    """

    number: int
    numbers: tuple[int, ...]
    place: int
    place_after: int
    total: Figure
    total_after: Figure

    @property
    def moves(self) -> bool:
        return (self.place, self.total) != (self.place_after, self.total_after)


class Movement(NamedTuple):
    """The effect of another result of a table on the ranking.

    `at_table`: rows of the people at the table, by seat, one for a pair or team; `elsewhere`: other rows
    whose place or total changes.
    """

    at_table: tuple[Shift, ...]
    elsewhere: tuple[Shift, ...]


def find_table(basis: RankingBasis, table: Table) -> int | None:
    """Return the index of the table in `basis.tables`; None if it has no game there."""
    wanted = (table.round.number, table.number)
    return next((at for at, one in enumerate(basis.tables) if (one.round, one.table) == wanted), None)


def replace_by_current_state(basis: RankingBasis, at: int, state: State) -> RankingBasis:
    """Replace the result of the table at index `at` by the result of its game at `state`.

    The public may not have seen that state yet.
    """
    regulations = basis.regulations
    if not regulations.counts_against_field and basis.tables[at].totals == tuple(state.totals):
        return basis
    current = results.compute_hypothetical_result(basis.tables[at], state, regulations)
    return ranking_basis.replace_result(basis, at, current)


def compute_movements(
    basis: RankingBasis,
    at: int,
    supposed: Sequence[TableResult],
    reached: Sequence[tuple[int, int]] | None = None,
) -> list[Movement]:
    """Compute the effect of each of the `supposed` results of the table at index `at`. No queries.

    reached: (number of the entrant, place) in a bracket after the result; None if the bracket does not
    change.
    """
    now = ranking_basis.rank_basis(basis)
    known: dict[TableResult, list[RankingRow]] = {basis.tables[at]: now}
    found = []
    for table in supposed:
        if table not in known:
            then = ranking_basis.replace_result(basis, at, table)
            if reached is not None:
                then = replace(then, inputs=replace(then.inputs, reached=tuple(reached)))
            known[table] = ranking_basis.rank_basis(then)
        found.append(_compare(table, now, known[table]))
    return found


def _compare(table: TableResult, now: Sequence[RankingRow], then: Sequence[RankingRow]) -> Movement:
    then_by = {row.key: row for row in then}
    shifts = {
        row.key: Shift(row.key, row.numbers, row.place, after.place, row.total, after.total)
        for row in now
        if (after := then_by.get(row.key)) is not None
    }
    line_of = {number: shift.number for shift in shifts.values() for number in shift.numbers}
    at_table = dict.fromkeys(line_of[number] for number in table.entries if number in line_of)
    elsewhere = (shift for key, shift in shifts.items() if shift.moves and key not in at_table)
    return Movement(tuple(shifts[key] for key in at_table), tuple(elsewhere))
