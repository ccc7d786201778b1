"""Points by the regulations of a championship for byes, absences, and tables that were broken off.

`competition_credits` computes those by a competition document.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from tournaments.competition import divide
from tournaments.standings.match_points import WIN
from tournaments.standings.rows import Figure, ScoredRound
from tournaments.standings.table_results import Crediting, TableResult

UnplayedPoints = Literal["fixed", "own", "average", "win", "worst"]
Averages = Literal["exact", "whole"]
"""How an average is computed: as an exact fraction, or as a whole number with half a point rounded up."""


class UnplayedCredits(msgspec.Struct, frozen=True, gc=False):
    """The credits for one kind of unplayed rounds. rounds: (number, points) of each closed round, in order.

    own: if set, the average of the entrant's own rounds, computed this way, replaces these points, if the
    entrant has any. most: number of an entrant's unplayed rounds that get points, the first ones.
    """

    rounds: tuple[tuple[int, Figure], ...]
    own: Averages | None
    most: int

    def add_absences(
        self, rounds: tuple[ScoredRound, ...], *, stays: bool, excused: Collection[int] | None = None
    ) -> tuple[ScoredRound, ...]:
        """Return the rounds of an entrant together with its absences.

        `excused`: numbers of the only rounds that can be absences; None: any round. Without a played round
        there are none. Rounds before the first table or bye are no absences. Rounds after the last are
        absences only if the entrant `stays`, that is, has not withdrawn.
        """
        present = {one.round for one in rounds}
        if not any(one.played for one in rounds):
            return rounds
        first, last = min(present), max(present)
        missed = [
            (number, points)
            for number, points in self.rounds
            if number > first and number not in present and (stays or number < last)
            if excused is None or number in excused
        ]
        mean = average_own(rounds, self.own) if self.own else None
        given = (
            ScoredRound(number, points if mean is None else mean, played=False, absent=True)
            for number, points in missed[: self.most]
        )
        return (*rounds, *given)

    def replace_broken_off(self, rounds: tuple[ScoredRound, ...]) -> tuple[ScoredRound, ...]:
        """Return the rounds of an entrant, with the points that replace the results of broken-off tables.

        Only the first `most` such rounds get points; later ones get nothing.
        """
        given = dict(self.rounds)
        broken_off = sorted(one.round for one in rounds if one.broken_off and one.round in given)
        if not broken_off:
            return rounds
        mean = average_own(rounds, self.own) if self.own else None
        points: dict[int, Figure | None] = dict.fromkeys(broken_off)
        points |= {number: given[number] if mean is None else mean for number in broken_off[: self.most]}
        return tuple(
            ScoredRound(one.round, points[one.round], played=False, at=one.at, broken_off=True)
            if one.round in points
            else one
            for one in rounds
        )


def compute_unplayed_points(
    kind: UnplayedPoints,
    fixed: int,
    tables: Iterable[TableResult],
    crediting: Crediting,
    *,
    direction: int,
    matches: bool,
    averages: Averages,
) -> Figure | None:
    """Return the credit of entrants who did not play in a round with these tables; None if it depends on the
    seats and no seat has points yet.

    kind: `fixed`: the number `fixed`; `average`: the mean of the seats; `own`: the same, for people without
    own rounds; `win`: a won match with `matches`, otherwise the mean of the seats that lead their tables, or
    of all if none leads; `worst`: the worst credit (direction 1: the lowest, otherwise the highest).

    If a seat has a final result, seats without one do not count. Tables whose result a credit replaces never
    count.
    """
    if kind == "fixed":
        return fixed
    if kind == "win" and matches:
        return WIN
    credits = [
        (table.complete, table.leads(seat, crediting.direction), credit)
        for table in tables
        if not table.is_replaced
        for seat in range(len(table.entries))
        if (credit := table.credit_points(seat, crediting)) is not None
    ]
    counted = [one for one in credits if one[0]] or credits
    if kind == "win":
        counted = [one for one in counted if one[1]] or counted
    points = [credit for _, _, credit in counted]
    if not points:
        return None
    if kind == "worst":
        return min(points) if direction > 0 else max(points)
    return average(points, averages)


def count_own_mean(rounds: tuple[ScoredRound, ...], averages: Averages) -> tuple[ScoredRound, ...]:
    """Return an entrant's rounds. Each bye gets the average of the entrant's final results from tables, if
    there are any.
    """
    mean = average_own(rounds, averages)
    if mean is None:
        return rounds
    return tuple(one if one.played else replace(one, points=mean) for one in rounds)


def average_own(rounds: Iterable[ScoredRound], averages: Averages) -> Figure | None:
    """Return the average of the final results from tables; None if there are none."""
    own = [one.points for one in rounds if one.played and one.points is not None and not one.unfinished]
    return average(own, averages) if own else None


def average(points: Sequence[Figure], averages: Averages) -> Figure:
    """Return the average of at least one figure."""
    if averages == "exact":
        return divide(sum(points), len(points))
    return int((2 * sum(points) + len(points)) // (2 * len(points)))
