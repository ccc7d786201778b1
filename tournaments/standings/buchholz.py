"""Buchholz: the strength of the opponents that an entrant has met, computed from their totals.

Source: FIDE Handbook C.07, Tie-Break Regulations. A bye counts like an opponent with the entrant's own total.
An absence adds nothing, and neither does a broken-off table for which a credit counts.
"""

from collections.abc import Callable, Collection, Iterable, Mapping

from tournaments.competition import Points, divide
from tournaments.standings.rows import ScoredEntrant
from tournaments.standings.table_results import TableResult

Opponents = Callable[[int], Iterable[Collection[int]]]
"""Function from the key of an entrant to the keys of the opponents at each of its tables."""


class Strengths:
    """The strengths of opponents. Each opponent's total is computed once."""

    def __init__(
        self,
        find: Callable[[int], ScoredEntrant | None],
        total_of: Callable[[int], Points],
        count_as_opponent: Callable[[ScoredEntrant, Points], Points],
    ) -> None:
        """find: returns the ranked entrant of a key. total_of: returns the total of a key. count_as_opponent:
        returns what an entrant with this total adds to the strength of an opponent.
        """
        self._find = find
        self._total_of = total_of
        self._count = count_as_opponent
        self._known: dict[int, Points] = {}

    def sum_up(self, key: int, met: Iterable[Collection[int]], byes: int) -> Points:
        """Return the strength of the opponents of the entrant with this key. Each table adds the opponent's
        total, or the mean of several; each bye adds the entrant's own.

        met: keys of the opponents at each table.
        """
        total: Points = byes * self._total_of(key)
        for keys in met:
            there = [one for other in sorted(keys) if (one := self._find(other)) is not None]
            if there:
                total += divide(sum(self._add(one) for one in there), len(there))
        return total

    def _add(self, opponent: ScoredEntrant) -> Points:
        key = opponent.key
        if key not in self._known:
            self._known[key] = self._count(opponent, self._total_of(key))
        return self._known[key]


def count_byes(entrant: ScoredEntrant) -> int:
    """Count the rounds of an entrant that are byes."""
    return sum(not (one.played or one.absent or one.broken_off) for one in entrant.rounds)


def index_opponents(tables: Iterable[TableResult], counted_for: Mapping[int, int]) -> Opponents:
    """Return a function from the key of an entrant to its opponents' keys at each table that counts.

    counted_for: key of the row for which an entry counts, by number of the entry.
    """
    met: dict[int, list[set[int]]] = {}
    for table in tables:
        for key, others in list_met_at(table, counted_for):
            met.setdefault(key, []).append(others)
    return lambda key: met.get(key, ())


def list_met_at(table: TableResult, counted_for: Mapping[int, int]) -> list[tuple[int, set[int]]]:
    """List each entrant at a table with the keys of the entrants on other sides; empty if the table does not
    count.

    counted_for: key of the row for which an entry counts, by number of the entry.
    """
    if not table.has_result or table.is_replaced:
        return []
    of_side: dict[int, set[int]] = {}
    for number, side in zip(table.entries, table.sides, strict=True):
        of_side.setdefault(side, set()).add(counted_for.get(number, number))
    return [
        (key, {other for of, keys in of_side.items() if of != side for other in keys} - {key})
        for side, mine in of_side.items()
        for key in mine
    ]
