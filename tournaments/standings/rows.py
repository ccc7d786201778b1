"""What goes into a ranking and what comes out of it.

Of 4,000 people these are tens of thousands of values, made at once: without `gc=False` the collector looks
through them several times, a third of the work. None of them can be part of a circle.
"""

from typing import Literal

import msgspec

Unfinished = Literal["so_far", "broken_off", "none_yet", "none"]
"""The state of a result that is not final: points of a table that still plays, points of a table that was
broken off, no points yet, no points at all."""


class ScoredRound(msgspec.Struct, frozen=True, gc=False):
    """The result of one entrant in one round: points after rulings, sweeps of the entrant's side.

    points: None where there is no result; it is never added up or compared as 0. played is false where the
    points were given for a bye. table: points of the entrant's side at the table, where the credit is another
    figure; won: the side alone won the table; unfinished: None for a final result.
    """

    round: int
    points: int | None
    sweeps: int = 0
    played: bool = True
    table: int | None = 0
    won: bool = False
    unfinished: Unfinished | None = None

    def can_count(self, finished_only: bool) -> bool:
        """Whether the ranking may add this round up."""
        return self.points is not None and not (finished_only and self.unfinished)


class ScoredEntrant(msgspec.Struct, frozen=True, gc=False):
    """One line of the ranking before it is ranked. `key` is anything that sorts: the number of the entry, or
    of the pair.

    cut, lot: what was recorded to separate level entrants, where it was; members: the numbers of the entries
    that are ranked as one, none for somebody alone.
    """

    key: int
    rounds: tuple[ScoredRound, ...] = ()
    cut: int | None = None
    lot: int | None = None
    members: tuple[int, ...] = ()


class Meeting(msgspec.Struct, frozen=True, gc=False):
    """Two sides of one table in one round: keys of the entrants and the points of each side."""

    round: int
    one: tuple[int, ...]
    other: tuple[int, ...]
    points: tuple[int, int]


class RoundScore(msgspec.Struct, frozen=True, gc=False):
    """A round in a row of the ranking. `points` is None without a result; `counts` is false where the
    regulations drop the round or its result is not final and may not count; `unfinished` is unset for a final
    result, so that the digest of old rows stays the same."""

    round: int
    points: int | None
    sweeps: int
    counts: bool
    played: bool
    unfinished: Unfinished | msgspec.UnsetType = msgspec.UNSET


class Separation(msgspec.Struct, frozen=True, gc=False):
    """Why this row stands where it does among those with the same total.

    tie_break: the criterion; against: the neighbour's key; mine and theirs: the values compared.
    """

    tie_break: str
    against: int
    mine: tuple[int, ...]
    theirs: tuple[int, ...]


class RankingRow(msgspec.Struct, frozen=True, gc=False):
    """One line of the ranking. `shared`: another row has the same place. `separation`: from the row above
    where that is level, else from the row below where that one is. `off`: how far the total is from the
    sealed number, once that is known. `members`: the numbers of the entries that are ranked as one, and unset
    (so that the row's digest is what it was before there were pairs) for somebody alone."""

    place: int
    shared: bool
    key: int
    total: int
    sweeps: int
    rounds: tuple[RoundScore, ...]
    separation: Separation | None = None
    off: int | None = None
    members: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET

    @property
    def has_result(self) -> bool:
        """Whether any round counts; without one the total says nothing."""
        return any(score.counts for score in self.rounds)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The entries that stand in this line."""
        return self.members or (self.key,)
