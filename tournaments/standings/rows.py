"""Inputs and rows of a ranking.

`gc=False` avoids the garbage collector's scans of tens of thousands of objects, which take a third of the
time. No object can be part of a reference cycle.
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
"""State of a result that is not final: `so_far`, points of a table still playing; `broken_off`, points of a
broken-off table; `none_yet`, no points yet; `none`, no points at all."""


def write_figure(value: object) -> int | str:
    """Encode a fraction as `write_number` does; hook for JSON encoders. Raises NotImplementedError for other
    types.
    """
    if isinstance(value, Fraction):
        return write_number(value)
    raise NotImplementedError(f"no figure: {value!r}")


def _read_figures(values: tuple[Figure, ...]) -> tuple[Figure, ...]:
    return tuple(read_number(value) if isinstance(value, str) else value for value in values)


class ScoredRound(msgspec.Struct, frozen=True, gc=False):
    """The result of one entrant in one round, after rulings.

    points: None without a result, never treated as 0. sweeps: of the entrant's side. played: false for a bye,
    an absence, and a broken-off table for which a credit counts. table: points of the entrant's side at the
    table; `points` can be another figure. won: the side alone won the table. unfinished: None for a final
    result. at: number of the table, 0 for none. absent: the round is an absence. broken_off: the table was
    broken off, and a credit exists for that.
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
        """Return whether the ranking may add this round. `finished_only`: only final results count."""
        return self.points is not None and not (finished_only and self.unfinished)


class ScoredEntrant(msgspec.Struct, frozen=True, gc=False):
    """One line of the ranking before it is ranked. `key`: number of the entry or of the pair.

    cut, lot: recorded tie-break values. buchholz: strength of the opponents met, if that breaks ties.
    members: numbers of the entries ranked as one, empty for a single person. reached: the place in a bracket,
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
    """A meeting of two sides at one table in one round. one, other: keys of the entrants on each side;
    points: by side.
    """

    round: int
    one: tuple[int, ...]
    other: tuple[int, ...]
    points: tuple[int, int]


class RoundScore(msgspec.Struct, frozen=True, gc=False):
    """A round in a row of the ranking.

    `points`: None without a result. `counts`: false if the regulations drop the round, or if its result is
    missing, or is not final and may not count. `played`: as in `ScoredRound`. Some fields are unset in the
    usual case, so that digests of old rows stay the same: `unfinished` for a final result, `absent` unless
    the round was missed, `broken_off` unless the points are a credit for a broken-off table.
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
        """Convert points stored as "n/d" to a fraction."""
        if isinstance(self.points, str):
            force_setattr(self, "points", Fraction(self.points))


class Separation(msgspec.Struct, frozen=True, gc=False):
    """The reason for the order of level rows.

    tie_break: the criterion; against: key of the neighbouring row; mine, theirs: the compared values.
    """

    tie_break: str
    against: int
    mine: tuple[Figure, ...]
    theirs: tuple[Figure, ...]

    def __post_init__(self) -> None:
        """Convert values stored as "n/d" to fractions."""
        for name in ("mine", "theirs"):
            values = getattr(self, name)
            if any(isinstance(value, str) for value in values):
                force_setattr(self, name, _read_figures(values))


class RankingRow(msgspec.Struct, frozen=True, gc=False):
    """One row of the ranking.

    `shared`: another row has the same place. `key`: number of the entry or pair. `separation`: the reason for
    the order, compared with a level row above, or else with a level row below. `off`: distance of the total
    from the sealed number, once that number is known. `members`: numbers of the entries ranked as one; unset
    for a single person, so that digests of old rows stay the same.
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
        """Convert figures stored as "n/d" to fractions."""
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
        """The numbers of the entries in this row."""
        return self.members or (self.key,)
