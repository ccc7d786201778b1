"""Points of entrants for rounds that they miss before withdrawing, and for tables that were broken off."""

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from tournaments.competition import divide
from tournaments.standings.rows import Figure, ScoredRound

Worth = Literal["fixed", "own", "average", "win", "worst"]
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
        there = {one.round for one in rounds}
        if not any(one.played for one in rounds):
            return rounds
        first, last = min(there), max(there)
        missed = [
            (number, points)
            for number, points in self.rounds
            if number > first and number not in there and (stays or number < last)
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
        worth: dict[int, Figure | None] = dict.fromkeys(broken_off)
        worth |= {number: given[number] if mean is None else mean for number in broken_off[: self.most]}
        return tuple(
            ScoredRound(one.round, worth[one.round], played=False, at=one.at, broken_off=True)
            if one.round in worth
            else one
            for one in rounds
        )


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
