"""Encounters of teams: the tables of two teams side by side count as one table with all their people."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tournaments.standings.table_results import BROKEN_OFF, SIDES_OF_MATCH, TableResult

Pairing = tuple[int | None, int | None]
"""The team numbers of both sides of a table; None for a side without a member of a team."""


class _Encounter(NamedTuple):
    """Two teams that meet in a round, given by number, the smaller number first."""

    round: int
    one: int
    other: int


def merge_encounters(
    tables: Iterable[TableResult], team_of: Mapping[int, int], direction: int
) -> list[TableResult]:
    """Return one result for each encounter, in the place of its first table, and all other tables unchanged.

    team_of: number of the team by number of an entry. A side without a member of a team, because stand-ins
    took both chairs, belongs to the team that its opponents meet at their other tables. direction: 1 if the
    most points win.
    """
    found = sorted(tables, key=lambda one: one.place)
    pairings = [_find_teams(one, team_of) for one in found]
    opponents: dict[tuple[int, int], int] = {}
    for table, (one, other) in zip(found, pairings, strict=True):
        if one is not None and other is not None and one != other:
            opponents[table.round, one], opponents[table.round, other] = other, one
    encounters: dict[_Encounter, list[tuple[TableResult, bool]]] = {}
    alone: list[TableResult] = []
    for table, (one, other) in zip(found, pairings, strict=True):
        if one is None and other is not None:
            one = opponents.get((table.round, other))
        elif other is None and one is not None:
            other = opponents.get((table.round, one))
        if one is None or other is None or one == other:
            alone.append(table)
            continue
        turned = one > other
        key = _Encounter(table.round, min(one, other), max(one, other))
        encounters.setdefault(key, []).append((table, turned))
    merged = [_merge(of_two, direction) for of_two in encounters.values()]
    return sorted([*alone, *merged], key=lambda one: one.place)


def _find_teams(table: TableResult, team_of: Mapping[int, int]) -> Pairing:
    """Return the teams of both sides of a table; (None, None) if the table has not two sides."""
    if len(set(table.sides)) != SIDES_OF_MATCH:
        return None, None
    sides: list[int | None] = [None, None]
    for number, side in zip(table.entries, table.sides, strict=True):
        if sides[side] is None:
            sides[side] = team_of.get(number)
    return sides[0], sides[1]


def _merge(tables: Sequence[tuple[TableResult, bool]], direction: int) -> TableResult:
    """Return the sum of an encounter's tables. Each comes with whether it is turned: its second side is the
    first team.
    """
    results = [table for table, _ in tables]
    complete = all(table.complete for table in results)
    totals = _add_up((table.totals, turned) for table, turned in tables)
    running = [table.status for table in results if not table.complete]
    status = next((one for one in running if one != BROKEN_OFF), (running or [results[0].status])[0])
    return TableResult(
        round=results[0].round,
        table=results[0].table,
        status=status,
        entries=tuple(number for table in results for number in table.entries),
        sides=tuple(side ^ turned for table, turned in tables for side in table.sides),
        totals=totals,
        sweeps=_add_up((table.sweeps, turned) for table, turned in tables),
        winners=_find_winners(totals, direction) if complete and totals else (),
        deals=sum(table.deals for table in results),
        complete=complete,
        credited=any(table.credited for table in results),
    )


def _add_up(values: Iterable[tuple[tuple[int, ...], bool]]) -> tuple[int, ...]:
    """Return the sums of both sides; empty if no table has values yet. Values of turned tables are
    swapped.
    """
    known = [(found[::-1] if turned else found) for found, turned in values if found]
    return tuple(map(sum, zip(*known, strict=True)))


def _find_winners(totals: tuple[int, ...], direction: int) -> tuple[int, ...]:
    best = max(direction * total for total in totals)
    return tuple(side for side, total in enumerate(totals) if direction * total == best)
