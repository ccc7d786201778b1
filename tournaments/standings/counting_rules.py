"""Counting rules and tie-breaks: the part of the regulations from which rankings follow."""

from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta

from tournaments.standings.errors import StandingsError
from tournaments.standings.match_points import Conversion, Scale, check_scale, find_conversion

COUNTS: Final = (
    "sum", "drop_worst", "best", "nearest", "average", "victory_points", "matches", "last_round",
)  # fmt: skip
"""Ways of counting."""
PLAIN: Final = frozenset({"sum", "nearest", "victory_points", "matches", "last_round"})
"""Ways of counting for which `Counting.number` has to be 0."""
TIE_BREAKS: Final = (
    "highest_round", "next_highest", "wins", "table_points", "sweeps", "direct_encounter", "cut", "lot",
    "buchholz",
)  # fmt: skip
BUCHHOLZ: Final = "buchholz"
MAX_SEALED: Final = 50_000


COUNTING_VERSION: Final = 2
"""Version of the counting, stored with each published ranking.

Rankings without a version are of version 1. In version 1 the regulations stated the direction, and a table
without a result counted 0 points."""


class Directions(NamedTuple):
    """Directions of the total and of the points at a table: 1 if more is better, -1 if less is."""

    total: int = 1
    table: int = 1


class Counting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules that turn rounds into a ranking.

    what: `sum` of all rounds; `drop_worst`: all but the `number` worst, one at least; `best`: the `number`
    best; `nearest`: sum nearest to a number from `least` to `most` that stays sealed to the end (a missed
    round then ranks below; until the number is known the sum ranks); `average`: mean of the rounds with a
    result, fewer than `number` of them rank below; `victory_points`: sum of the points that `scale` gives for
    the difference of each table; `matches`: 2 for a table won, 1 for a drawn one; `last_round`: place by
    table of the last round, and by points there.
    scale: rows of (least difference, points of the better side, points of the other).
    buchholz_unplayed: what a round that an opponent did not play adds to the opponent's total in `buchholz`;
    unset: what it counted for the opponent.
    lowest_wins: direction in regulations of earlier versions. The game states it now (`Directions`); a
    contradicting value is refused in new regulations and ignored in old ones.
    tie_breaks, applied in turn to level entrants:
      highest_round     the better best round (all rounds with a result that may count, dropped ones too)
      next_highest      then the better second round, third round, …
      wins              more tables won
      table_points      better points at the tables, if another figure is summed up
      sweeps            more deals in which their side took every trick
      direct_encounter  more rounds won against each other, if all of them met
      cut               the higher card cut, as recorded
      lot               the lot drawn, as recorded (1 is first)
      buchholz          the better sum of the opponents' totals (their mean at tables with several)
    """

    what: str = "sum"
    number: int = 0
    least: int = 0
    most: int = 0
    lowest_wins: bool | msgspec.UnsetType = msgspec.UNSET
    tie_breaks: tuple[str, ...] = ("highest_round", "next_highest", "sweeps", "direct_encounter", "lot")
    scale: tuple[tuple[int, int, int], ...] | msgspec.UnsetType = msgspec.UNSET
    buchholz_unplayed: Annotated[int, Meta(ge=0, le=100_000)] | msgspec.UnsetType = msgspec.UNSET

    def check(self, rounds: int) -> None:
        """Raise StandingsError `standings/…` unless the rules are valid for `rounds` rounds."""
        if self.what not in COUNTS:
            raise StandingsError("standings/unknown_counting", f"unknown way of counting: {self.what!r}")
        if (self.what == "victory_points") != (self.scale is not msgspec.UNSET):
            raise StandingsError("standings/scale", "victory points, and nothing else, need a scale")
        if self.scale is not msgspec.UNSET:
            check_scale(self.scale)
        if self.what in PLAIN and self.number:
            raise StandingsError("standings/number", "a plain sum drops nothing", number=self.number)
        if self.what == "nearest" and not 0 <= self.least < self.most <= MAX_SEALED:
            raise StandingsError(
                "standings/sealed",
                f"a sealed number from {self.least} to {self.most} cannot be drawn",
                least=self.least,
                most=self.most,
            )
        least = 0 if self.what == "average" else 1
        if self.what not in PLAIN and not least <= self.number < rounds + (self.what != "drop_worst"):
            raise StandingsError(
                "standings/number",
                f"{self.number} of {rounds} rounds cannot be counted so",
                number=self.number,
                rounds=rounds,
            )
        for i, name in enumerate(self.tie_breaks):
            if name not in TIE_BREAKS or name in self.tie_breaks[:i]:
                raise StandingsError(
                    "standings/tie_breaks", f"unknown or repeated tie-break: {name!r}", tie_break=name
                )

    @property
    def conversion(self) -> Conversion | None:
        """The function that converts a side's lead at a table to match points; None if the ranking counts no
        matches.
        """
        scale: Scale = () if self.scale is msgspec.UNSET else self.scale
        return find_conversion(self.what, scale)

    def counted(self, rounds_held: int) -> int:
        """Return how many rounds of an entrant count at most after `rounds_held` rounds."""
        if self.what == "best":
            return min(self.number, rounds_held)
        if self.what == "drop_worst":
            return max(1, rounds_held - self.number) if rounds_held else 0
        return rounds_held
