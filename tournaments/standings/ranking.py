"""The ranking of entrants: sums, dropped rounds, and tie-breaks in turn with the reasons for each order."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from tournaments.competition import Points, divide
from tournaments.standings.buchholz import Opponents, Strengths, count_byes
from tournaments.standings.ranking_rules import BUCHHOLZ, Counting, Directions
from tournaments.standings.rows import (
    Figure,
    Meeting,
    RankingRow,
    RoundScore,
    ScoredEntrant,
    ScoredRound,
    Separation,
)

Value = tuple[Points, ...]
"""A sort key, compared lexicographically; higher is better."""

Met = Callable[[int], Iterable[Meeting]]
"""Function from the key of an entrant to its meetings. It returns identical objects each time."""

_SUMS: Mapping[str, Callable[[ScoredRound], int]] = {"wins": lambda r: r.won, "sweeps": lambda r: r.sweeps}
HIGHEST_WINS: Directions = Directions()
MAX_TABLES: Final = 1 << 20
"""A number larger than that of any table."""


class Weighed(msgspec.Struct, frozen=True, gc=False):
    """The part of a row that depends on no other entrant.

    `results`: the rounds that may count, including dropped ones; `worth`: sort key before any tie-break;
    `off`: distance of the total from the sealed number, once that number is known.
    """

    entrant: ScoredEntrant
    rounds: tuple[RoundScore, ...]
    results: tuple[ScoredRound, ...]
    total: Figure
    off: Figure | None
    worth: Value


Group = Sequence[Weighed]
Strength = Callable[[ScoredEntrant], Points]
"""Function from an entrant to the sum of its opponents' totals."""


def rank(
    entrants: Iterable[ScoredEntrant],
    counting: Counting,
    *,
    rounds_held: int,
    directions: Directions = HIGHEST_WINS,
    meetings: Sequence[Meeting] = (),
    sealed: int | None = None,
    opponents: Opponents | None = None,
) -> list[RankingRow]:
    """Rank the entrants after `held` rounds, first place first; level entrants share a place, ordered by key.

    sealed: the number to come near to, once it is known. opponents: finds the opponents of each entrant; None
    if the entrants already have their opponents' strength (`ScoredEntrant.buchholz`). If fewer points are
    better, or there is a sealed number, only final results count, and more rounds with a result rank higher,
    so that a missed round is no advantage. Otherwise an entrant without any result ranks last. `average` and
    `last_round` rank in their own way.

    Raises ValueError for a duplicate entrant.
    """
    everyone = sorted(entrants, key=lambda e: e.key)
    if len({e.key for e in everyone}) != len(everyone):
        raise ValueError("an entrant is there twice")
    level: dict[Value, list[Weighed]] = {}
    weigh_one = Weigher(counting, directions, rounds_held, sealed)
    totals: dict[int, Points] = {}
    for entrant in everyone:
        weighed = weigh_one(entrant)
        totals[entrant.key] = weighed.total
        level.setdefault(weighed.worth, []).append(weighed)
    strengths = Strengths({e.key: e for e in everyone}.get, totals.__getitem__, weigh_one.count_as_opponent)
    sat = _index_by_entrant(meetings) if "direct_encounter" in counting.tie_breaks else {}

    def met(key: int) -> Iterable[Meeting]:
        return sat.get(key, ())

    def strength(entrant: ScoredEntrant) -> Points:
        if opponents is None:
            return entrant.buchholz or 0
        return strengths.sum_up(entrant.key, opponents(entrant.key), count_byes(entrant))

    rows: list[RankingRow] = []
    for worth in sorted(level, reverse=True):
        rows += place_level(level[worth], counting, directions, met, strength, first=len(rows) + 1)
    return rows


def weigh(
    entrant: ScoredEntrant, counting: Counting, directions: Directions, rounds_held: int, sealed: int | None
) -> Weighed:
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
    worth: Value = (int(bool(counted_rounds)), total)
    if finished_only:
        worth = (len(counted_rounds), -(total if off is None else off))
    if counting.what == "average":
        total = divide(total, max(1, len(counted_rounds)))
        worth = (
            int(bool(counted_rounds)) + (len(counted_rounds) >= counting.number),
            directions.total * total,
        )
    if counting.what == "last_round":
        worth = _weigh_last_round(entrant, counted_rounds, directions.total * total)
    if entrant.reached is not None:
        worth = (-entrant.reached,)
    return Weighed(entrant, rounds, tuple(results), total, off, worth)


class Weigher(NamedTuple):
    """The rules that decide which rounds of an entrant count, and so its total. Calling it returns an
    entrant's `Weighed`.
    """

    counting: Counting
    directions: Directions
    held: int
    sealed: int | None

    def __call__(self, entrant: ScoredEntrant) -> Weighed:
        return weigh(entrant, self.counting, self.directions, self.held, self.sealed)

    def count_as_opponent(self, entrant: ScoredEntrant, total: Points) -> Points:
        """Return what an entrant with this total adds to the strength of each of its opponents."""
        worth = self.counting.buchholz_unplayed
        if worth is msgspec.UNSET:
            return total
        played = [one for one in entrant.rounds if one.played]
        missed = set(range(1, self.held + 1)) - {one.round for one in played}
        given = [ScoredRound(number, worth, played=False) for number in sorted(missed)]
        return self(replace(entrant, rounds=(*played, *given))).total


def _weigh_last_round(entrant: ScoredEntrant, counted_rounds: Collection[int], points: Points) -> Value:
    """Return the sort key by the last round of an entrant: number of the round, table, points at it.

    A bye ranks below all tables.
    """
    last = max(entrant.rounds, key=lambda one: (one.round, one.played), default=None)
    if last is None:
        return (0,)
    return last.round, -(last.at if last.played else MAX_TABLES), len(counted_rounds), points


def place_level(
    level: Group, counting: Counting, directions: Directions, met: Met, strength: Strength, *, first: int
) -> list[RankingRow]:
    """Build the rows of entrants with the same worth, separated by the tie-breaks, best first.

    `level`: these entrants, ordered by key. `first`: the place of the best of them.
    """
    trail: dict[int, list[Value]] = {one.entrant.key: [] for one in level}
    groups = [level]
    for name in counting.tie_breaks:
        if len(groups) == len(level):
            break
        groups = _separate(groups, name, directions, met, strength, trail)
    stands = [
        (one, first + before, len(group) > 1)
        for before, group in zip(_count_before(groups), groups, strict=True)
        for one in group
    ]
    rows = []
    for i, (one, place, shared) in enumerate(stands):
        key = one.entrant.key
        neighbours = (stands[j][0].entrant.key for j in (i - 1, i + 1) if 0 <= j < len(stands))
        reasons = (_find_separation(key, other, trail, counting, directions) for other in neighbours)
        rows.append(
            RankingRow(
                place=place,
                shared=shared,
                key=key,
                total=one.total,
                sweeps=sum(r.sweeps for r in one.rounds),
                rounds=one.rounds,
                separation=next((reason for reason in reasons if reason is not None), None),
                off=one.off,
                members=one.entrant.members or msgspec.UNSET,
            )
        )
    return rows


def _count_before(groups: Sequence[Group]) -> list[int]:
    counts, before = [], 0
    for group in groups:
        counts.append(before)
        before += len(group)
    return counts


def _separate(
    groups: Sequence[Group],
    name: str,
    directions: Directions,
    met: Met,
    strength: Strength,
    trail: dict[int, list[Value]],
) -> list[Group]:
    """Split every group by one tie-break, and append the entrants' values to the trail."""
    separated: list[Group] = []
    for group in groups:
        values = _values(group, name, directions, met, strength) if len(group) > 1 else {}
        for one in group:
            trail[one.entrant.key].append(values.get(one.entrant.key, ()))
        separated += _split(group, values) if values else [group]
    return separated


def _split(group: Group, values: Mapping[int, Value]) -> list[list[Weighed]]:
    """Split the group into parts of equal value, best part first."""
    parts: dict[Value, list[Weighed]] = {}
    for one in group:
        parts.setdefault(values[one.entrant.key], []).append(one)
    return [parts[value] for value in sorted(parts, reverse=True)]


def _values(
    group: Group, name: str, directions: Directions, met: Met, strength: Strength
) -> Mapping[int, Value]:
    """Return each entrant's value under the tie-break `name`, by key; empty if it cannot be applied to this
    group.
    """
    entrants = [one.entrant for one in group]
    if name == "direct_encounter":
        return _direct_encounters({e.key for e in entrants}, met, directions.table)
    if name == "cut":
        return {} if any(e.cut is None for e in entrants) else {e.key: (e.cut or 0,) for e in entrants}
    if name == "lot":
        return {} if any(e.lot is None for e in entrants) else {e.key: (-(e.lot or 0),) for e in entrants}
    if name == BUCHHOLZ:
        return {e.key: (directions.total * strength(e),) for e in entrants}
    if name in _SUMS:
        return {e.key: (sum(_SUMS[name](r) for r in e.rounds),) for e in entrants}
    if name == "table_points":
        return {one.entrant.key: _table_points(one.entrant, directions.table) for one in group}
    best = {
        one.entrant.key: sorted((directions.total * (r.points or 0) for r in one.results), reverse=True)
        for one in group
    }
    part = slice(0, 1) if name == "highest_round" else slice(1, None)
    return {key: tuple(points[part]) for key, points in best.items()}


def _table_points(entrant: ScoredEntrant, direction: int) -> Value:
    """Return the sort key of table points. If the fewest points are best, more final results come first."""
    if direction > 0:
        return (sum(r.table or 0 for r in entrant.rounds),)
    final = [r.table for r in entrant.rounds if r.table is not None and r.played and not r.unfinished]
    return len(final), -sum(final)


def _index_by_entrant(meetings: Sequence[Meeting]) -> Mapping[int, Sequence[Meeting]]:
    """Return the meetings by key of an entrant."""
    sat: dict[int, list[Meeting]] = {}
    for meeting in meetings:
        for key in (*meeting.one, *meeting.other):
            sat.setdefault(key, []).append(meeting)
    return sat


def _direct_encounters(keys: set[int], met: Met, direction: int) -> Mapping[int, Value]:
    """Return points for rounds won (2) or drawn (1) against other entrants of the group, by key.

    Empty unless everyone in the group has met everyone else.
    """
    somebody = next(iter(keys))
    others = {key for meeting in met(somebody) for key in (*meeting.one, *meeting.other)}
    if not keys <= others | {somebody}:  # true of nearly every group, whose tables then need no scan
        return {}
    won = dict.fromkeys(keys, 0)
    faced: set[tuple[int, int]] = set()
    for meeting in {id(meeting): meeting for key in keys for meeting in met(key)}.values():
        lead = direction * (meeting.points[0] - meeting.points[1])
        for side, by, against in ((meeting.one, lead, meeting.other), (meeting.other, -lead, meeting.one)):
            for a in keys.intersection(side):
                for b in keys.intersection(against):
                    faced.add((a, b))
                    won[a] += (by > 0) + (by >= 0)
    if len(faced) < len(keys) * (len(keys) - 1):
        return {}
    return {key: (n,) for key, n in won.items()}


def _find_separation(
    key: int, other: int, trail: Mapping[int, list[Value]], counting: Counting, directions: Directions
) -> Separation | None:
    """Return the first tie-break that separates two entrants, with readable values; None if they share a
    place.

    The trail of tie-break values ends where all entrants were separated.
    """
    for name, mine, theirs in zip(counting.tie_breaks, trail[key], trail[other], strict=False):
        if mine != theirs:
            return Separation(
                name, other, _readable(name, mine, directions), _readable(name, theirs, directions)
            )
    return None


def _readable(name: str, value: Value, directions: Directions) -> tuple[Points, ...]:
    if name == "table_points" and directions.table < 0:
        value = (-value[-1],)
    by_total = name in ("highest_round", "next_highest", BUCHHOLZ)
    negated = name == "lot" or (by_total and directions.total < 0)
    return tuple(-v if negated else v for v in value)
