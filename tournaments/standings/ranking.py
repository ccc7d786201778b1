"""The ranking of entrants by their totals, then by tie-breaks in turn, with the reasons for each order."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from tournaments.competition import Points
from tournaments.standings.buchholz import Opponents, Strengths, count_byes
from tournaments.standings.counting_rules import Counting, Directions
from tournaments.standings.rows import Meeting, RankingRow, ScoredEntrant
from tournaments.standings.tie_breaks import Group, Met, Strength, find_separation, split_by_tie_break
from tournaments.standings.totals import CountedEntrant, EntrantCounter, Value

HIGHEST_WINS: Directions = Directions()


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
    """Rank the entrants, first place first; level entrants share a place, ordered by key.

    sealed: the number to come near to, once it is known. opponents: finds the opponents of each entrant; None
    if the entrants already have their opponents' strength (`ScoredEntrant.buchholz`). If fewer points are
    better, or there is a sealed number, only final results count, and more rounds with a result rank higher,
    so that a missed round is no advantage. Otherwise an entrant without any result ranks last. `average` and
    `last_round` rank in their own way.

    Raises ValueError for a duplicate entrant.
    """
    everyone = sorted(entrants, key=lambda e: e.key)
    if len({e.key for e in everyone}) != len(everyone):
        raise ValueError("an entrant occurs twice")
    level: dict[Value, list[CountedEntrant]] = {}
    count_entrant = EntrantCounter(counting, directions, rounds_held, sealed)
    totals: dict[int, Points] = {}
    for entrant in everyone:
        counted = count_entrant(entrant)
        totals[entrant.key] = counted.total
        level.setdefault(counted.sort_key, []).append(counted)
    strengths = Strengths(
        {e.key: e for e in everyone}.get, totals.__getitem__, count_entrant.count_as_opponent
    )
    sat = _index_by_entrant(meetings) if "direct_encounter" in counting.tie_breaks else {}

    def met(key: int) -> Iterable[Meeting]:
        return sat.get(key, ())

    def strength(entrant: ScoredEntrant) -> Points:
        if opponents is None:
            return entrant.buchholz or 0
        return strengths.sum_up(entrant.key, opponents(entrant.key), count_byes(entrant))

    rows: list[RankingRow] = []
    for sort_key in sorted(level, reverse=True):
        rows += place_level(level[sort_key], counting, directions, met, strength, first=len(rows) + 1)
    return rows


def place_level(
    level: Group, counting: Counting, directions: Directions, met: Met, strength: Strength, *, first: int
) -> list[RankingRow]:
    """Build the rows of entrants with the same sort key, separated by the tie-breaks, best first.

    `level`: these entrants, ordered by key. `first`: the place of the best of them.
    """
    trail: dict[int, list[Value]] = {one.entrant.key: [] for one in level}
    groups = [level]
    for name in counting.tie_breaks:
        if len(groups) == len(level):
            break
        groups = split_by_tie_break(groups, name, directions, met, strength, trail)
    places = [
        (one, first + before, len(group) > 1)
        for before, group in zip(_count_before(groups), groups, strict=True)
        for one in group
    ]
    rows = []
    for i, (one, place, shared) in enumerate(places):
        key = one.entrant.key
        neighbours = (places[j][0].entrant.key for j in (i - 1, i + 1) if 0 <= j < len(places))
        reasons = (find_separation(key, other, trail, counting, directions) for other in neighbours)
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


def _index_by_entrant(meetings: Sequence[Meeting]) -> Mapping[int, Sequence[Meeting]]:
    """Return the meetings by key of an entrant."""
    sat: dict[int, list[Meeting]] = {}
    for meeting in meetings:
        for key in (*meeting.one, *meeting.other):
            sat.setdefault(key, []).append(meeting)
    return sat
