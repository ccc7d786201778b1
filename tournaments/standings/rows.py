"""Inputs and rows of a ranking.

With 4,000 people there are tens of thousands of values at once; `gc=False` saves the garbage collector's
scans, a third of the time. None of them can be part of a reference cycle.
"""

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec.structs import force_setattr

from tournaments.competition import Points, read_number, write_number

if TYPE_CHECKING:
    Figure = Points
else:
    Figure = Any  # msgspec allows no union of int with a type of its own
"""Points of a row: whole, or an exact fraction, which files have as "n/d"."""
Unfinished = Literal["so_far", "broken_off", "none_yet", "none"]
"""State of a result that is not final: points of a table still playing, points of a broken-off table, no
points
yet, no points at all."""


def write_figure(value: object) -> int | str:
    """Write a fraction as `write_number` does; a hook for JSON encoders."""
    if isinstance(value, Fraction):
        return write_number(value)
    raise NotImplementedError(f"no figure: {value!r}")


def _read_figures(values: tuple[Figure, ...]) -> tuple[Figure, ...]:
    return tuple(read_number(value) if isinstance(value, str) else value for value in values)


class ScoredRound(msgspec.Struct, frozen=True, gc=False):
    """The result of one entrant in one round: points after rulings, sweeps of the entrant's side.

    points: None without a result, never treated as 0. played: false for a bye, an absence, and a table broken
    off for which a credit counts. table: points of the entrant's side at the table, if the credit is another
    figure; won: the side won the table alone; unfinished: None for a final result; at: number of the table, 0
    for none. absent: for an absence; broken_off: for a table broken off, where such a table has a credit.
    """

    round: int
    points: Figure | None
    sweeps: int = 0
    played: bool = True
    table: int | None = 0
    won: bool = False
    unfinished: Unfinished | None = None
    at: int = 0
    absent: bool = False
    broken_off: bool = False

    def can_count(self, finished_only: bool) -> bool:
        """Return whether the ranking may add this round."""
        return self.points is not None and not (finished_only and self.unfinished)


class ScoredEntrant(msgspec.Struct, frozen=True, gc=False):
    """One line of the ranking before it is ranked. `key`: number of the entry or of the pair.

    cut, lot: recorded tie-break values; buchholz: strength of the opponents met, where that breaks ties;
    members: numbers of the entries ranked as one, empty for a single person; reached: the place in a bracket,
    which ranks before all points.
    """

    key: int
    rounds: tuple[ScoredRound, ...] = ()
    cut: int | None = None
    lot: int | None = None
    members: tuple[int, ...] = ()
    buchholz: Points | None = None
    reached: int | None = None


class Meeting(msgspec.Struct, frozen=True, gc=False):
    """Two sides of one table in one round: keys of the entrants and points of each side."""

    round: int
    one: tuple[int, ...]
    other: tuple[int, ...]
    points: tuple[int, int]


class RoundScore(msgspec.Struct, frozen=True, gc=False):
    """A round in a row of the ranking.

    `points` is None without a result; `counts` is false if the regulations drop the round, or if its result
    is not final and may not count; `unfinished` is unset for a final result, `absent` except for missed
    rounds, and `broken_off` except for credits of tables broken off, so that digests of old rows stay the
    same.
    """

    round: int
    points: Figure | None
    sweeps: int
    counts: bool
    played: bool
    unfinished: Unfinished | msgspec.UnsetType = msgspec.UNSET
    absent: bool | msgspec.UnsetType = msgspec.UNSET
    broken_off: bool | msgspec.UnsetType = msgspec.UNSET

    def __post_init__(self) -> None:
        """Read a fraction."""
        if isinstance(self.points, str):
            force_setattr(self, "points", Fraction(self.points))


class Separation(msgspec.Struct, frozen=True, gc=False):
    """The reason for the order of rows with the same total.

    tie_break: the criterion; against: the neighbour's key; mine and theirs: the values compared.
    """

    tie_break: str
    against: int
    mine: tuple[Figure, ...]
    theirs: tuple[Figure, ...]

    def __post_init__(self) -> None:
        """Read fractions."""
        for name in ("mine", "theirs"):
            values = getattr(self, name)
            if any(isinstance(value, str) for value in values):
                force_setattr(self, name, _read_figures(values))


class RankingRow(msgspec.Struct, frozen=True, gc=False):
    """One row of the ranking.

    `shared`: another row has the same place. `separation`: the reason for the order, compared with a level
    row above, or else with a level row below. `off`: distance of the total from the sealed number, once that
    is known. `members`: numbers of the entries ranked as one; unset for a single person, so that digests of
    old rows stay the same.
    """

    place: int
    shared: bool
    key: int
    total: Figure
    sweeps: int
    rounds: tuple[RoundScore, ...]
    separation: Separation | None = None
    off: Figure | None = None
    members: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET

    def __post_init__(self) -> None:
        """Read fractions."""
        if isinstance(self.total, str):
            force_setattr(self, "total", Fraction(self.total))
        if isinstance(self.off, str):
            force_setattr(self, "off", Fraction(self.off))

    @property
    def has_result(self) -> bool:
        """Whether any round counts. If none does, the total is meaningless."""
        return any(score.counts for score in self.rounds)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The entries of this row."""
        return self.members or (self.key,)
