"""What another result of a table would do to the ranking: places and totals before and after."""

from collections.abc import Sequence
from typing import NamedTuple

from tournaments.models import Table
from tournaments.services.scores import ranking
from tournaments.services.scores.ranking import Basis
from tournaments.services.scores.results import TableResult
from tournaments.standings import RankingRow


class Shift(NamedTuple):
    """One person, by the number of the entry, before and after."""

    number: int
    place: int
    place_after: int
    total: int
    total_after: int

    @property
    def moves(self) -> bool:
        return (self.place, self.total) != (self.place_after, self.total_after)


class Movement(NamedTuple):
    """`at_table`: everybody of the table, in the order of the seats; `elsewhere`: who else moves."""

    at_table: tuple[Shift, ...]
    elsewhere: tuple[Shift, ...]


def place_of(basis: Basis, table: Table) -> int | None:
    """Where the table stands among those of a ranking; None where it has no game in it."""
    wanted = (table.round.number, table.number)
    return next((at for at, one in enumerate(basis.tables) if (one.round, one.table) == wanted), None)


def movements(basis: Basis, at: int, supposed: Sequence[TableResult]) -> list[Movement]:
    """For each of these results of the table at that place. No queries."""
    now = ranking.rows_from(basis)
    known: dict[TableResult, list[RankingRow]] = {basis.tables[at]: now}
    found = []
    for table in supposed:
        if table not in known:
            known[table] = ranking.rows_from(ranking.supposing(basis, at, table))
        found.append(_compared(table, now, known[table]))
    return found


def _compared(table: TableResult, now: Sequence[RankingRow], then: Sequence[RankingRow]) -> Movement:
    before, after = ranking.by_number(now), ranking.by_number(then)
    shifts = {
        number: Shift(number, row.place, after[number].place, row.total, after[number].total)
        for number, row in before.items()
        if number in after
    }
    at_table = {number for n in table.entries if n in before for number in before[n].numbers}
    elsewhere = (shift for shift in shifts.values() if shift.moves and shift.number not in at_table)
    return Movement(tuple(shifts[n] for n in table.entries if n in shifts), tuple(elsewhere))
