"""Tie-breaks: the figures that separate level entrants, applied in turn."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from tournaments.competition import Points
from tournaments.standings.counting_rules import BUCHHOLZ, Counting, Directions
from tournaments.standings.rows import Meeting, ScoredEntrant, ScoredRound, Separation
from tournaments.standings.totals import CountedEntrant, Value

Met = Callable[[int], Iterable[Meeting]]
"""Function from the key of an entrant to its meetings. It returns identical objects each time."""

Group = Sequence[CountedEntrant]
Strength = Callable[[ScoredEntrant], Points]
"""Function from an entrant to the sum of its opponents' totals."""

_SUMMED: Final[Mapping[str, Callable[[ScoredRound], int]]] = {
    "wins": lambda r: r.won,
    "sweeps": lambda r: r.sweeps,
}


def split_by_tie_break(
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
        values = _compute_values(group, name, directions, met, strength) if len(group) > 1 else {}
        for one in group:
            trail[one.entrant.key].append(values.get(one.entrant.key, ()))
        separated += _split_by_value(group, values) if values else [group]
    return separated


def _split_by_value(group: Group, values: Mapping[int, Value]) -> list[list[CountedEntrant]]:
    """Split the group into parts of equal value, best part first."""
    parts: dict[Value, list[CountedEntrant]] = {}
    for one in group:
        parts.setdefault(values[one.entrant.key], []).append(one)
    return [parts[value] for value in sorted(parts, reverse=True)]


def _compute_values(
    group: Group, name: str, directions: Directions, met: Met, strength: Strength
) -> Mapping[int, Value]:
    """Return each entrant's value under the tie-break `name`, by key; empty if it cannot be applied to this
    group.
    """
    entrants = [one.entrant for one in group]
    if name == "direct_encounter":
        return _count_direct_encounters({e.key for e in entrants}, met, directions.table)
    if name == "cut":
        return {} if any(e.cut is None for e in entrants) else {e.key: (e.cut or 0,) for e in entrants}
    if name == "lot":
        return {} if any(e.lot is None for e in entrants) else {e.key: (-(e.lot or 0),) for e in entrants}
    if name == BUCHHOLZ:
        return {e.key: (directions.total * strength(e),) for e in entrants}
    if name in _SUMMED:
        return {e.key: (sum(_SUMMED[name](r) for r in e.rounds),) for e in entrants}
    if name == "table_points":
        return {one.entrant.key: _count_table_points(one.entrant, directions.table) for one in group}
    best = {
        one.entrant.key: sorted((directions.total * (r.points or 0) for r in one.results), reverse=True)
        for one in group
    }
    part = slice(0, 1) if name == "highest_round" else slice(1, None)
    return {key: tuple(points[part]) for key, points in best.items()}


def _count_table_points(entrant: ScoredEntrant, direction: int) -> Value:
    """Return the sort key of table points. If the fewest points are best, more final results come first."""
    if direction > 0:
        return (sum(r.table or 0 for r in entrant.rounds),)
    final = [r.table for r in entrant.rounds if r.table is not None and r.played and not r.unfinished]
    return len(final), -sum(final)


def _count_direct_encounters(keys: set[int], met: Met, direction: int) -> Mapping[int, Value]:
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


def find_separation(
    key: int, other: int, trail: Mapping[int, list[Value]], counting: Counting, directions: Directions
) -> Separation | None:
    """Return the first tie-break that separates two entrants, with readable values; None if they share a
    place.

    The trail of tie-break values ends where all entrants were separated.
    """
    for name, mine, theirs in zip(counting.tie_breaks, trail[key], trail[other], strict=False):
        if mine != theirs:
            return Separation(
                name, other, _make_readable(name, mine, directions), _make_readable(name, theirs, directions)
            )
    return None


def _make_readable(name: str, value: Value, directions: Directions) -> tuple[Points, ...]:
    if name == "table_points" and directions.table < 0:
        value = (-value[-1],)
    by_total = name in ("highest_round", "next_highest", BUCHHOLZ)
    negated = name == "lot" or (by_total and directions.total < 0)
    return tuple(-v if negated else v for v in value)
