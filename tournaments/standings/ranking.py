"""From points to places: sums, what is dropped, and the chain of tie-breaks with its reasons."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from tournaments.standings.rows import Meeting, RankingRow, RoundScore, ScoredEntrant, ScoredRound, Separation
from tournaments.standings.rules import Counting

Value = tuple[int, ...]
"""What is compared: higher is better, place by place."""

Met = Callable[[int], Iterable[Meeting]]
"""The meetings in which the entrant with that key took part, each time the same objects."""

_SUMS: Mapping[str, Callable[[ScoredRound], int]] = {
    "wins": lambda r: r.won,
    "table_points": lambda r: r.table,
    "sweeps": lambda r: r.sweeps,
}


class Weighed(msgspec.Struct, frozen=True, gc=False):
    """What somebody brings into the ranking, whoever else is in it. `worth` ranks before any tie-break;
    `off`: how far the total is from the sealed number, once that is known."""

    entrant: ScoredEntrant
    rounds: tuple[RoundScore, ...]
    total: int
    off: int | None
    worth: Value


Group = Sequence[Weighed]


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
    level: dict[Value, list[Weighed]] = {}
    for entrant in everyone:
        weighed = weigh(entrant, counting, held, sealed)
        level.setdefault(weighed.worth, []).append(weighed)
    sat = _by_entrant(meetings) if "direct_encounter" in counting.tie_breaks else {}

    def met(key: int) -> Iterable[Meeting]:
        return sat.get(key, ())

    rows: list[RankingRow] = []
    for worth in sorted(level, reverse=True):
        rows += placed(level[worth], counting, met, first=len(rows) + 1)
    return rows


def weigh(entrant: ScoredEntrant, counting: Counting, held: int, sealed: int | None) -> Weighed:
    """The part of ranking that looks at nobody else."""
    rounds = _counted_rounds(entrant, counting, held)
    total = sum(r.points for r in rounds if r.counts)
    off = None if sealed is None else abs(total - sealed)
    return Weighed(entrant, rounds, total, off, _worth(entrant, total, off, counting, held))


def placed(level: Group, counting: Counting, met: Met, *, first: int) -> list[RankingRow]:
    """The rows of all who are worth the same, best first: told apart by the tie-breaks as far as they can.
    `level` is in the order of keys; `first`: the place that the best of them has."""
    trail: dict[int, list[Value]] = {one.entrant.key: [] for one in level}
    groups = [level]
    for name in counting.tie_breaks:
        if len(groups) == len(level):
            break
        groups = _separate(groups, name, counting, met, trail)
    stands = [
        (one, first + before, len(group) > 1)
        for before, group in zip(_before(groups), groups, strict=True)
        for one in group
    ]
    rows = []
    for i, (one, place, shared) in enumerate(stands):
        key = one.entrant.key
        neighbours = (stands[j][0].entrant.key for j in (i - 1, i + 1) if 0 <= j < len(stands))
        reasons = (_reason(key, other, trail, counting) for other in neighbours)
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


def _before(groups: Sequence[Group]) -> list[int]:
    """How many stand before each group."""
    counts, before = [], 0
    for group in groups:
        counts.append(before)
        before += len(group)
    return counts


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


def _separate(
    groups: Sequence[Group],
    name: str,
    counting: Counting,
    met: Met,
    trail: dict[int, list[Value]],
) -> list[Group]:
    """Every group split by one tie-break; what it said of each is added to the trail."""
    separated: list[Group] = []
    for group in groups:
        values = _values(group, name, counting, met) if len(group) > 1 else {}
        for one in group:
            trail[one.entrant.key].append(values.get(one.entrant.key, ()))
        separated += _split(group, values) if values else [group]
    return separated


def _split(group: Group, values: Mapping[int, Value]) -> list[list[Weighed]]:
    """The group in parts of equal value, best first."""
    parts: dict[Value, list[Weighed]] = {}
    for one in group:
        parts.setdefault(values[one.entrant.key], []).append(one)
    return [parts[value] for value in sorted(parts, reverse=True)]


def _values(group: Group, name: str, counting: Counting, met: Met) -> Mapping[int, Value]:
    """What this tie-break says of everyone in the group; empty where it says nothing."""
    entrants = [one.entrant for one in group]
    if name == "direct_encounter":
        return _encounters({e.key for e in entrants}, met)
    if name == "cut":
        return {} if any(e.cut is None for e in entrants) else {e.key: (e.cut or 0,) for e in entrants}
    if name == "lot":
        return {} if any(e.lot is None for e in entrants) else {e.key: (-(e.lot or 0),) for e in entrants}
    if name in _SUMS:
        return {e.key: (sum(_SUMS[name](r) for r in e.rounds),) for e in entrants}
    better = -1 if counting.lowest_wins else 1
    best = {e.key: sorted((better * r.points for r in e.rounds), reverse=True) for e in entrants}
    part = slice(0, 1) if name == "highest_round" else slice(1, None)
    return {key: tuple(points[part]) for key, points in best.items()}


def _by_entrant(meetings: Sequence[Meeting]) -> Mapping[int, Sequence[Meeting]]:
    """Who sat where, so that a few who are level do not cost a look at every table of the evening."""
    sat: dict[int, list[Meeting]] = {}
    for meeting in meetings:
        for key in (*meeting.one, *meeting.other):
            sat.setdefault(key, []).append(meeting)
    return sat


def _encounters(keys: set[int], met: Met) -> Mapping[int, Value]:
    """Rounds won (2) or drawn (1) against others of the group, where everyone has met everyone."""
    somebody = next(iter(keys))
    others = {key for meeting in met(somebody) for key in (*meeting.one, *meeting.other)}
    if not keys <= others | {somebody}:  # so it is with nearly every group, and its tables need no look
        return {}
    won = dict.fromkeys(keys, 0)
    faced: set[tuple[int, int]] = set()
    for meeting in {id(meeting): meeting for key in keys for meeting in met(key)}.values():
        lead = meeting.points[0] - meeting.points[1]
        for side, by, against in ((meeting.one, lead, meeting.other), (meeting.other, -lead, meeting.one)):
            for a in keys.intersection(side):
                for b in keys.intersection(against):
                    faced.add((a, b))
                    won[a] += (by > 0) + (by >= 0)
    if len(faced) < len(keys) * (len(keys) - 1):
        return {}
    return {key: (n,) for key, n in won.items()}


def _reason(key: int, other: int, trail: Mapping[int, list[Value]], counting: Counting) -> Separation | None:
    """The first tie-break that told the two apart, with its values as people know them. The trail ends where
    everybody was told apart."""
    for name, mine, theirs in zip(counting.tie_breaks, trail[key], trail[other], strict=False):
        if mine != theirs:
            negated = name == "lot" or (counting.lowest_wins and name in ("highest_round", "next_highest"))
            sign = -1 if negated else 1
            return Separation(name, other, tuple(sign * v for v in mine), tuple(sign * v for v in theirs))
    return None
