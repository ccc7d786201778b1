"""From points to places: sums, what is dropped, and the chain of tie-breaks with its reasons."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from tournaments.standings.rows import Meeting, RankingRow, RoundScore, ScoredEntrant, ScoredRound, Separation
from tournaments.standings.rules import Counting

Value = tuple[int, ...]
"""What is compared: higher is better, place by place."""

Group = list[ScoredEntrant]

_SUMS: Mapping[str, Callable[[ScoredRound], int]] = {
    "wins": lambda r: r.won,
    "table_points": lambda r: r.table,
    "sweeps": lambda r: r.sweeps,
}


def rank(
    entrants: Iterable[ScoredEntrant],
    counting: Counting,
    *,
    held: int,
    meetings: Sequence[Meeting] = (),
    sealed: int | None = None,
) -> list[RankingRow]:
    """The ranking after `held` rounds, first place first; level entrants share a place, ordered by key.

    sealed: the number to come near to, once it is known.

    Raises ValueError when an entrant is there twice.
    """
    everyone = sorted(entrants, key=lambda e: e.key)
    if len({e.key for e in everyone}) != len(everyone):
        raise ValueError("an entrant is there twice")
    rounds = {e.key: _counted_rounds(e, counting, held) for e in everyone}
    totals = {key: sum(r.points for r in scores if r.counts) for key, scores in rounds.items()}
    off = {key: None if sealed is None else abs(total - sealed) for key, total in totals.items()}
    worth = {e.key: _worth(e, totals[e.key], off[e.key], counting, held) for e in everyone}
    groups = _split(everyone, worth)
    trail: dict[int, list[Value]] = {e.key: [] for e in everyone}
    sat = _by_entrant(meetings) if "direct_encounter" in counting.tie_breaks else {}
    for name in counting.tie_breaks:
        groups = _separate(groups, name, counting, sat, trail)
    rows: list[RankingRow] = []
    level: list[tuple[ScoredEntrant, int, bool]] = []
    for group in groups:
        place = len(level) + 1
        level += [(e, place, len(group) > 1) for e in group]
    for i, (entrant, place, shared) in enumerate(level):
        key = entrant.key
        neighbours = [level[j][0].key for j in (i - 1, i + 1) if 0 <= j < len(level)]
        reasons = (_reason(key, other, trail, counting) for other in neighbours if worth[other] == worth[key])
        rows.append(
            RankingRow(
                place=place,
                shared=shared,
                key=key,
                total=totals[key],
                sweeps=sum(r.sweeps for r in rounds[key]),
                rounds=rounds[key],
                separation=next((reason for reason in reasons if reason is not None), None),
                off=off[key],
                members=entrant.members or msgspec.UNSET,
            )
        )
    return rows


def _counted_rounds(entrant: ScoredEntrant, counting: Counting, held: int) -> tuple[RoundScore, ...]:
    played = sorted(entrant.rounds, key=lambda r: r.round)
    most = counting.counted(held)
    if most < len(played):
        better = -1 if counting.lowest_wins else 1
        kept = {r.round for r in sorted(played, key=lambda r: -better * r.points)[:most]}
    else:
        kept = {r.round for r in played}
    return tuple(RoundScore(r.round, r.points, r.sweeps, r.round in kept, r.played) for r in played)


def _worth(entrant: ScoredEntrant, total: int, off: int | None, counting: Counting, held: int) -> Value:
    """What ranks before any tie-break. Where less is better, a round not played must not help."""
    if counting.lowest_wins or off is not None:
        return (min(len(entrant.rounds), counting.counted(held)), -(total if off is None else off))
    return (total,)


def _split(group: Group, values: Mapping[int, Value]) -> list[Group]:
    """The group in parts of equal value, best first."""
    parts: dict[Value, Group] = {}
    for entrant in group:
        parts.setdefault(values[entrant.key], []).append(entrant)
    return [parts[value] for value in sorted(parts, reverse=True)]


def _separate(
    groups: list[Group],
    name: str,
    counting: Counting,
    sat: Mapping[int, list[Meeting]],
    trail: dict[int, list[Value]],
) -> list[Group]:
    """Every group split by one tie-break; what it said of each is added to the trail."""
    separated: list[Group] = []
    for group in groups:
        values = _values(group, name, counting, sat) if len(group) > 1 else {}
        for entrant in group:
            trail[entrant.key].append(values.get(entrant.key, ()))
        separated += _split(group, values) if values else [group]
    return separated


def _values(
    group: Group, name: str, counting: Counting, sat: Mapping[int, list[Meeting]]
) -> Mapping[int, Value]:
    """What this tie-break says of everyone in the group; empty where it says nothing."""
    if name == "direct_encounter":
        return _encounters(group, sat)
    if name == "cut":
        return {} if any(e.cut is None for e in group) else {e.key: (e.cut or 0,) for e in group}
    if name == "lot":
        return {} if any(e.lot is None for e in group) else {e.key: (-(e.lot or 0),) for e in group}
    if name in _SUMS:
        return {e.key: (sum(_SUMS[name](r) for r in e.rounds),) for e in group}
    better = -1 if counting.lowest_wins else 1
    best = {e.key: sorted((better * r.points for r in e.rounds), reverse=True) for e in group}
    part = slice(0, 1) if name == "highest_round" else slice(1, None)
    return {key: tuple(points[part]) for key, points in best.items()}


def _by_entrant(meetings: Sequence[Meeting]) -> Mapping[int, list[Meeting]]:
    """Who sat where, so that a few who are level do not cost a look at every table of the evening."""
    sat: dict[int, list[Meeting]] = {}
    for meeting in meetings:
        for key in (*meeting.one, *meeting.other):
            sat.setdefault(key, []).append(meeting)
    return sat


def _encounters(group: Group, sat: Mapping[int, list[Meeting]]) -> Mapping[int, Value]:
    """Rounds won (2) or drawn (1) against others of the group, where everyone has met everyone."""
    keys = {e.key for e in group}
    won = dict.fromkeys(keys, 0)
    met: set[tuple[int, int]] = set()
    for meeting in {id(meeting): meeting for key in keys for meeting in sat.get(key, ())}.values():
        lead = meeting.points[0] - meeting.points[1]
        for side, by, others in ((meeting.one, lead, meeting.other), (meeting.other, -lead, meeting.one)):
            for a in keys.intersection(side):
                for b in keys.intersection(others):
                    met.add((a, b))
                    won[a] += (by > 0) + (by >= 0)
    if len(met) < len(keys) * (len(keys) - 1):
        return {}
    return {key: (n,) for key, n in won.items()}


def _reason(key: int, other: int, trail: Mapping[int, list[Value]], counting: Counting) -> Separation | None:
    """The first tie-break that told the two apart, with its values as people know them."""
    for name, mine, theirs in zip(counting.tie_breaks, trail[key], trail[other], strict=True):
        if mine != theirs:
            negated = name == "lot" or (counting.lowest_wins and name in ("highest_round", "next_highest"))
            sign = -1 if negated else 1
            return Separation(name, other, tuple(sign * v for v in mine), tuple(sign * v for v in theirs))
    return None
