"""Counting rules and tie-breaks: the part of the regulations that ranks."""

from typing import Final, NamedTuple

import msgspec

from engine import Refused

COUNTS: Final = ("sum", "drop_worst", "best", "nearest")
"""Ways of counting in regulations. Competitions know more (`competitions`)."""
TIE_BREAKS: Final = (
    "highest_round", "next_highest", "wins", "table_points", "sweeps", "direct_encounter", "cut", "lot",
)  # fmt: skip
MAX_SEALED: Final = 50_000


COUNTING_VERSION: Final = 2
"""Version of the counting, stored with each published ranking.

Rankings without a version are of version 1: there the regulations stated the direction, and a table without a
result counted 0 points.
"""


class Directions(NamedTuple):
    """1 if more is better, -1 if less is: for the total, and for the points at a table."""

    total: int = 1
    table: int = 1


class StandingsError(Refused):
    """Error of counting rules that cannot be applied."""

    def __init__(self, code: str, detail: str, **params: int | str) -> None:
        super().__init__(detail, code=code, **params)


class Counting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules that turn rounds into a ranking.

    what: `sum` of all rounds; `drop_worst`: without the `number` worst; `best`: only the `number` best;
    `nearest`: sum nearest to a number from `least` to `most` that stays sealed to the end (a missed round
    then
    ranks below; until the number is known the sum ranks).
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
    """

    what: str = "sum"
    number: int = 0
    least: int = 0
    most: int = 0
    lowest_wins: bool | msgspec.UnsetType = msgspec.UNSET
    tie_breaks: tuple[str, ...] = ("highest_round", "next_highest", "sweeps", "direct_encounter", "lot")

    def check(self, rounds: int) -> None:
        """Raise StandingsError unless the rules are valid for `rounds` rounds."""
        if self.what not in COUNTS:
            raise StandingsError("standings/unknown_counting", f"unknown way of counting: {self.what!r}")
        if self.what in ("sum", "nearest") and self.number:
            raise StandingsError("standings/number", "a plain sum drops nothing", number=self.number)
        if self.what == "nearest" and not 0 <= self.least < self.most <= MAX_SEALED:
            raise StandingsError(
                "standings/sealed",
                f"a sealed number from {self.least} to {self.most} cannot be drawn",
                least=self.least,
                most=self.most,
            )
        if self.what in ("drop_worst", "best") and not 1 <= self.number < rounds + (self.what == "best"):
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

    def counted(self, held: int) -> int:
        """Return the number of an entrant's rounds that count after `held` rounds."""
        if self.what == "best":
            return min(self.number, held)
        if self.what == "drop_worst":
            return max(1, held - self.number) if held else 0
        return held
