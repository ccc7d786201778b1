"""What entrants get for rounds that they miss while they take part."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from tournaments.standings.rows import Figure, ScoredRound

AbsencePoints = Literal["fixed", "own", "average", "worst"]


class AbsenceCredits(msgspec.Struct, frozen=True, gc=False):
    """The credits of absences: the closed rounds with what each gives, in order.

    own: an absence counts the average of the own rounds, where there are any. most: absences of an entrant
    that count, the first ones.
    """

    rounds: tuple[tuple[int, Figure], ...]
    own: bool
    most: int

    def add_to(self, rounds: tuple[ScoredRound, ...], *, stays: bool) -> tuple[ScoredRound, ...]:
        """Return the rounds of an entrant with its absences.

        Rounds before the first one and, of who does not stay, after the last one are no absences.
        """
        there = {one.round for one in rounds}
        if not any(one.played for one in rounds):
            return rounds
        first, last = min(there), max(there)
        missed = [
            (number, points)
            for number, points in self.rounds
            if number > first and number not in there and (stays or number < last)
        ]
        mean = average_own(rounds) if self.own else None
        given = (
            ScoredRound(number, points if mean is None else mean, played=False, absent=True)
            for number, points in missed[: self.most]
        )
        return (*rounds, *given)


def average_own(rounds: Iterable[ScoredRound]) -> int | None:
    """Return the average of the final results from tables, half a point rounded up; None without any."""
    own = [one.points for one in rounds if one.played and one.points is not None and not one.unfinished]
    return average(own) if own else None


def average(points: list[Figure]) -> int:
    """Return the average, half a point rounded up."""
    return int((2 * sum(points) + len(points)) // (2 * len(points)))
