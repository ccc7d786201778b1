"""A ranking that is updated instead of computed anew.

If a table changes, only its entrants are counted again. Ties are broken again only among the rows level with
them; with the tie-break `buchholz`, also among those level with their opponents. The result equals that of
`rank` for the same tables.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import overload

from msgspec.structs import replace

from tournaments.competition import Points
from tournaments.standings.buchholz import Strengths, count_byes, list_met_at
from tournaments.standings.counting_rules import BUCHHOLZ, Counting, Directions
from tournaments.standings.entrants import Rankable, RankingInputs, build_rankables
from tournaments.standings.ranking import HIGHEST_WINS, place_level
from tournaments.standings.rows import Meeting, RankingRow, ScoredEntrant, ScoredRound
from tournaments.standings.table_results import (
    Crediting,
    Place,
    TableResult,
    build_meetings,
)
from tournaments.standings.totals import CountedEntrant, EntrantCounter, Value


class RankedRows(Sequence[RankingRow]):
    """A snapshot of a ranking, as a sequence of rows.

    Rows get their place on access, because a page shows a hundred of thousands of rows.
    """

    def __init__(self, groups: Sequence[Sequence[RankingRow]]) -> None:
        """`groups`: groups of level rows, best group first. The places in a row count from 1 within its
        group.
        """
        self._groups = groups
        self._ends = list(accumulate(map(len, groups)))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, at: int) -> RankingRow: ...
    @overload
    def __getitem__(self, at: slice) -> list[RankingRow]: ...
    def __getitem__(self, at: int | slice) -> RankingRow | list[RankingRow]:
        found = range(len(self))[at]
        return self._row(found) if isinstance(found, int) else [self._row(i) for i in found]

    def __iter__(self) -> Iterator[RankingRow]:
        before = 0
        for group in self._groups:
            for row in group:
                yield _shift_place(row, before)
            before += len(group)

    @property
    def have_swept(self) -> bool:
        """Whether any row has sweeps."""
        return any(row.sweeps for group in self._groups for row in group)

    @property
    def most_rounds(self) -> int:
        """The largest number of rounds of a row."""
        return max((len(row.rounds) for group in self._groups for row in group), default=0)

    def _row(self, at: int) -> RankingRow:
        group = bisect_right(self._ends, at)
        before = self._ends[group - 1] if group else 0
        return _shift_place(self._groups[group][at - before], before)


def _shift_place(row: RankingRow, before: int) -> RankingRow:
    return replace(row, place=row.place + before) if before else row


class KeptRanking:
    """The ranking of a championship while tables and people change. Not thread-safe.

    The counting, the number of `rounds_held` and the `sealed` number are fixed; other values need a new
    object.
    """

    def __init__(
        self,
        counting: Counting,
        crediting: Crediting,
        *,
        rounds_held: int,
        directions: Directions = HIGHEST_WINS,
        sealed: int | None = None,
    ) -> None:
        self._counting = counting
        self._directions = directions
        self._crediting = crediting
        self._counter = EntrantCounter(counting, directions, rounds_held, sealed)
        self._ranks_opponents = BUCHHOLZ in counting.tie_breaks
        self._strengths = self._make_strengths()
        self._tables: dict[Place, TableResult] = {}
        self._meetings: dict[Place, list[Meeting]] = {}
        """Meetings by table, filled on demand."""
        self._scored: dict[int, dict[Place, ScoredRound]] = {}
        self._lines: dict[int, Rankable] = {}
        self._line_of: dict[int, int] = {}
        self._changed: set[int] = set()
        """Keys of the lines to be recounted."""
        self._counted: dict[int, CountedEntrant] = {}
        self._level: dict[Value, dict[int, CountedEntrant]] = {}
        """Entrants with equal sort keys: by sort key, then by key."""
        self._rows: dict[Value, list[RankingRow]] = {}
        self._sort_keys: list[Value] = []
        """Sort keys of all entrants, ascending."""

    def tables_of(self, round_: int) -> set[Place]:
        """Return the tables of a round that have been added."""
        return {place for place in self._tables if place[0] == round_}

    def results_of(self, round_: int) -> dict[Place, TableResult]:
        """Return the results of a round so far, by table."""
        return {place: result for place, result in self._tables.items() if place[0] == round_}

    def change_people(self, inputs: RankingInputs) -> None:
        """Replace the ranked people, and all other inputs except tables."""
        lines, line_of = build_rankables(inputs), inputs.counted_for
        keys = lines.keys() | self._lines.keys()
        self._changed |= {key for key in keys if lines.get(key) != self._lines.get(key)}
        self._lines, self._line_of = lines, line_of
        self._meetings.clear()
        if self._ranks_opponents:  # entrants that left were opponents of others
            self._changed |= lines.keys()

    def change_table(self, result: TableResult) -> None:
        """Add the result of a table, or replace its earlier one."""
        before = self._tables.get(result.place)
        if before == result:
            return
        if before is not None:
            self.remove_table(before.place)
        self._tables[result.place] = result
        for number, round_ in result.scored(self._crediting):
            self._scored.setdefault(number, {})[result.place] = round_
        self._mark_changed(result)

    def remove_table(self, place: Place) -> None:
        result = self._tables.pop(place)
        for number in result.entries:
            self._scored.get(number, {}).pop(place, None)
        self._mark_changed(result)

    def rows(self) -> RankedRows:
        """Compute the present ranking as a snapshot."""
        touched = self._recount_changed()
        if self._ranks_opponents and touched:
            self._strengths = self._make_strengths()
        for sort_key in touched:
            level = self._level[sort_key]
            if not level:
                del self._level[sort_key], self._rows[sort_key]
                del self._sort_keys[bisect_left(self._sort_keys, sort_key)]
                continue
            if sort_key not in self._rows:
                insort(self._sort_keys, sort_key)
            group = [level[key] for key in sorted(level)]
            self._rows[sort_key] = place_level(
                group, self._counting, self._directions, self._met, self._sum_opponents, first=1
            )
        return RankedRows([self._rows[sort_key] for sort_key in reversed(self._sort_keys)])

    def _mark_changed(self, result: TableResult) -> None:
        self._meetings.pop(result.place, None)
        self._changed.update(self._line_of.get(number, number) for number in result.entries)

    def _recount_changed(self) -> set[Value]:
        """Count the changed entrants again; return every sort key whose rows have to be placed again."""
        touched = set()
        if self._ranks_opponents:
            touched |= self._find_opponents_sort_keys()
        for key in self._changed:
            line = self._lines.get(key)
            entrant = line.entrant(self._played) if line is not None else None
            before = self._counted.pop(key, None)
            if before is not None:
                del self._level[before.sort_key][key]
                touched.add(before.sort_key)
            if entrant is not None:
                counted = self._counter(entrant)
                self._counted[key] = counted
                self._level.setdefault(counted.sort_key, {})[key] = counted
                touched.add(counted.sort_key)
        self._changed.clear()
        return touched

    def _find_opponents_sort_keys(self) -> set[Value]:
        """Return the sort keys of entrants who have met a changed entrant, because their strengths
        change too.
        """
        met = {other for key in self._changed for others in self._list_opponents(key) for other in others}
        return {self._counted[key].sort_key for key in met if key in self._counted}

    def _list_opponents(self, key: int) -> Iterator[set[int]]:
        """Yield, for each table of an entrant, the keys of the opponents."""
        line = self._lines.get(key)
        numbers = line.numbers if line is not None else ()
        for place in sorted({place for number in numbers for place in self._scored.get(number, ())}):
            for mine, others in list_met_at(self._tables[place], self._line_of):
                if mine == key:
                    yield others

    def _sum_opponents(self, entrant: ScoredEntrant) -> Points:
        return self._strengths.sum_up(entrant.key, self._list_opponents(entrant.key), count_byes(entrant))

    def _make_strengths(self) -> Strengths:
        def find(key: int) -> ScoredEntrant | None:
            counted = self._counted.get(key)
            return None if counted is None else counted.entrant

        return Strengths(find, lambda key: self._counted[key].total, self._counter.count_as_opponent)

    def _played(self, number: int) -> Iterable[ScoredRound]:
        return self._scored.get(number, {}).values()

    def _met(self, key: int) -> Iterator[Meeting]:
        """Yield the meetings of the entrant with this key, identical objects each time."""
        for number in self._lines[key].numbers:
            for place in self._scored.get(number, ()):
                if place not in self._meetings:
                    self._meetings[place] = build_meetings([self._tables[place]], self._line_of)
                yield from self._meetings[place]
