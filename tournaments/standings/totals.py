"""Totals of entrants: the rounds that count, their sum, and the key by which a ranking sorts."""

from collections.abc import Collection
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from tournaments.competition import Points, divide
from tournaments.standings.counting_rules import Counting, Directions
from tournaments.standings.rows import Figure, RoundScore, ScoredEntrant, ScoredRound

Value = tuple[Points, ...]
"""A sort key, compared lexicographically; higher is better."""
MAX_TABLES: Final = 1 << 20
"""A number larger than that of any table."""


class CountedEntrant(msgspec.Struct, frozen=True, gc=False):
    """The part of a row that depends on no other entrant.

    `results`: the rounds that may count, including dropped ones; `sort_key`: its order before any tie-break;
    `off`: distance of the total from the sealed number, once that number is known.
    """

    entrant: ScoredEntrant
    rounds: tuple[RoundScore, ...]
    results: tuple[ScoredRound, ...]
    total: Figure
    off: Figure | None
    sort_key: Value


def count_entrant(
    entrant: ScoredEntrant, counting: Counting, directions: Directions, rounds_held: int, sealed: int | None
) -> CountedEntrant:
    """Compute the part of an entrant's row that depends on no other entrant.

    A place in a bracket ranks before points.
    """
    finished_only = directions.total < 0 or sealed is not None
    results = [r for r in entrant.rounds if r.can_count(finished_only)]
    best = sorted(results, key=lambda r: (-directions.total * (r.points or 0), r.round))
    counted_rounds = {r.round for r in best[: counting.counted(rounds_held)]}
    if counting.what == "last_round":
        counted_rounds &= {max((r.round for r in entrant.rounds), default=0)}
    rounds = tuple(
        RoundScore(
            r.round,
            r.points,
            r.sweeps,
            r.round in counted_rounds,
            r.played,
            r.unfinished or msgspec.UNSET,
            r.absent or msgspec.UNSET,
            (r.broken_off and not r.played) or msgspec.UNSET,
        )
        for r in sorted(entrant.rounds, key=lambda r: r.round)
    )
    total: Points = sum(r.points for r in rounds if r.counts and r.points is not None)
    off: Points | None = None if sealed is None else max(total - sealed, sealed - total)
    sort_key: Value = (int(bool(counted_rounds)), total)
    if finished_only:
        sort_key = (len(counted_rounds), -(total if off is None else off))
    if counting.what == "average":
        total = divide(total, max(1, len(counted_rounds)))
        sort_key = (
            int(bool(counted_rounds)) + (len(counted_rounds) >= counting.number),
            directions.total * total,
        )
    if counting.what == "last_round":
        sort_key = _make_last_round_key(entrant, counted_rounds, directions.total * total)
    if entrant.reached is not None:
        sort_key = (-entrant.reached,)
    return CountedEntrant(entrant, rounds, tuple(results), total, off, sort_key)


class EntrantCounter(NamedTuple):
    """The rules that decide which rounds of an entrant count, and so its total. Calling it returns an
    entrant's `CountedEntrant`.
    """

    counting: Counting
    directions: Directions
    rounds_held: int
    sealed: int | None

    def __call__(self, entrant: ScoredEntrant) -> CountedEntrant:
        return count_entrant(entrant, self.counting, self.directions, self.rounds_held, self.sealed)

    def count_as_opponent(self, entrant: ScoredEntrant, total: Points) -> Points:
        """Return what an entrant with this total adds to the strength of each of its opponents."""
        points = self.counting.buchholz_unplayed
        if points is msgspec.UNSET:
            return total
        played = [one for one in entrant.rounds if one.played]
        missed = set(range(1, self.rounds_held + 1)) - {one.round for one in played}
        given = [ScoredRound(number, points, played=False) for number in sorted(missed)]
        return self(replace(entrant, rounds=(*played, *given))).total


def _make_last_round_key(entrant: ScoredEntrant, counted_rounds: Collection[int], points: Points) -> Value:
    """Return the sort key by the last round of an entrant: number of the round, table, points at it.

    A bye ranks below all tables.
    """
    last = max(entrant.rounds, key=lambda one: (one.round, one.played), default=None)
    if last is None:
        return (0,)
    return last.round, -(last.at if last.played else MAX_TABLES), len(counted_rounds), points
