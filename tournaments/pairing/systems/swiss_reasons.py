"""Reasons why entrants at a table of a Swiss round are not nearer in rank."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tournaments.competition import Competition, write_number
from tournaments.pairing.systems.swiss_field import (
    Pair,
    RoundCost,
    SwissField,
    build_field,
    read_round,
    read_swiss_options,
)
from tournaments.pairing.systems.swiss_tables_of_singles import halve_distance
from tournaments.pairing.systems.system import DrawNote, NextRound

Reason = Literal["met", "apart", "bye", "costs_more", "none"]


@dataclass(frozen=True, slots=True)
class TableReason:
    """One table, and the reason why its higher entrant does not meet a nearer one.

    table: its number, from 1. refs, ranks: its two entrants, and their doubled ranks. nearest: the nearest
    entrant whom the higher entrant does not meet; None if the actual opponent is as near. reason: `met` (the
    two have met before), `apart` (they are kept apart), `bye` (the nearest has the bye), `costs_more` (the
    best exchange that seats the two together costs `extra` more, as a difference of squared doubled ranks, or
    violates the more important criterion `breaks`), `none` (that exchange would be better, which happens only
    in a round drawn by hand or unproven).
    """

    table: int
    refs: tuple[str, str]
    ranks: tuple[int, int]
    nearest: str | None = None
    reason: Reason | None = None
    extra: int | None = None
    breaks: str | None = None

    def values(self) -> dict[str, Any]:
        """Return the values for JSON, with undoubled differences of ranks."""
        found: dict[str, Any] = {
            "table": self.table,
            "refs": list(self.refs),
            "distance": write_number(halve_distance(abs(self.ranks[0] - self.ranks[1]))),
            "nearest": self.nearest,
            "reason": self.reason,
        }
        if self.extra is not None:
            found["extra"] = write_number(halve_distance(self.extra, squared=True))
        if self.breaks is not None:
            found["breaks"] = self.breaks
        return found


def note_reasons(competition: Competition, drawn_round: NextRound) -> Iterator[DrawNote]:
    """Yield a note for each bye, each larger table, and each table of two whose entrants could be nearer in
    rank; then counts of tables of two.
    """
    swiss = build_field(competition, read_swiss_options(competition))
    tables, byes = read_round(competition, swiss, drawn_round)
    for position in byes:
        yield DrawNote("why/bye", {"ref": swiss.refs[position], "rank": _write_rank(swiss.ranks[position])})
    if any(len(table) != 2 for table in tables):
        for number, table in enumerate(tables, 1):
            ranks = [swiss.ranks[position] for position in table]
            yield DrawNote(
                "why/group",
                {"table": number, "best": _write_rank(min(ranks)), "last": _write_rank(max(ranks))},
            )
        return
    pairs = [(min(table), max(table)) for table in tables]
    nearest = 0
    for reason in explain_tables(swiss, pairs, byes, count_side_by_side(drawn_round.tables, pairs)):
        if reason.reason is None:
            nearest += 1
            continue
        code = reason.reason if reason.breaks is None else f"breaks_{reason.breaks}"
        yield DrawNote(
            f"why/{code}", {**reason.values(), "ranks": [_write_rank(one) for one in reason.ranks]}
        )
    if nearest:
        yield DrawNote("why/nearest", {"count": nearest})
    pulled = sum(swiss.ranks[a] != swiss.ranks[b] for a, b in pairs)
    if pulled and len(set(swiss.ranks)) > 1:
        yield DrawNote("why/pulled", {"count": pulled, "level": len(pairs) - pulled})


def _write_rank(doubled: int) -> int | str:
    return write_number(halve_distance(doubled))


def explain_tables(
    swiss: SwissField, tables: Sequence[Pair], byes: Iterable[int], side_by_side: int = 1
) -> list[TableReason]:
    """Explain tables, given as pairs of positions with the lower one first.

    side_by_side: number of tables of a match of teams; the reason names the first of them.
    """
    opponents = {a: b for pair in tables for a, b in (pair, pair[::-1])}
    free = set(byes)
    return [_explain(swiss, 1 + at * side_by_side, table, opponents, free) for at, table in enumerate(tables)]


def count_side_by_side(drawn_tables: Sequence[object], tables: Sequence[object]) -> int:
    """Return the number of tables of a match, more than one for teams. tables: one for each match."""
    return max(1, len(drawn_tables) // max(1, len(tables)))


def _explain(
    swiss: SwissField, number: int, table: Pair, opponents: dict[int, int], byes: set[int]
) -> TableReason:
    a, b = table
    refs, ranks = (swiss.refs[a], swiss.refs[b]), (swiss.ranks[a], swiss.ranks[b])
    nearer = _find_nearest(swiss, a, b)
    if nearer is None:
        return TableReason(number, refs, ranks)
    found = TableReason(number, refs, ranks, swiss.refs[nearer])
    cost = swiss.table_cost(a, nearer)
    if cost.repeats:
        return _with(found, "met")
    if cost.apart or cost.soft:
        return _with(found, "apart")
    if nearer in byes:
        return _with(found, "bye")
    other = opponents[nearer]
    change = _subtract(swiss.cost_of(((a, nearer), (b, other))), swiss.cost_of(((a, b), (nearer, other))))
    if change < RoundCost():
        return _with(found, "none")
    worse = next((name for name, value in zip(RoundCost._fields, change, strict=True) if value), None)
    if worse is None or worse == "distance":
        return _with(found, "costs_more", extra=change.distance)
    return _with(found, "costs_more", breaks="met" if worse == "repeats" else "apart")


def _find_nearest(swiss: SwissField, a: int, b: int) -> int | None:
    """Return the entrant nearest to a, if nearer than b, else None.

    Among equally near entrants, one without a barrier is preferred.
    """
    ranks, near = swiss.ranks, []
    for step in (-1, 1):
        at = a + step
        while 0 <= at < swiss.size and abs(ranks[at] - ranks[a]) < abs(ranks[b] - ranks[a]):
            near.append(at)
            at += step
    if not near:
        return None

    def key(position: int) -> tuple[int, RoundCost, int]:
        return abs(ranks[position] - ranks[a]), swiss.table_cost(a, position), position

    return min(near, key=key)


def _with(
    found: TableReason, reason: Reason, extra: int | None = None, breaks: str | None = None
) -> TableReason:
    return TableReason(found.table, found.refs, found.ranks, found.nearest, reason, extra, breaks)


def _subtract(one: RoundCost, other: RoundCost) -> RoundCost:
    return RoundCost(*(a - b for a, b in zip(one, other, strict=True)))
