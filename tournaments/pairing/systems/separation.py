"""Entrants that a competition keeps apart, and notes on those who meet nevertheless."""

from collections.abc import Iterable
from itertools import combinations
from typing import Literal

from tournaments.bracket import find_apart
from tournaments.competition import Competition, PlayedTable, ordered
from tournaments.pairing.systems.system import DrawNote, Seats

Separation = Literal["hard", "soft"]


def find_separated(competition: Competition) -> dict[tuple[str, str], Separation]:
    """Return `hard` or `soft` by pair of refs to keep apart, each pair in alphabetical order.

    A person named in `apart` stands for their entrant.
    """
    found: dict[tuple[str, str], Separation] = {}
    for one, other, how in competition.apart:
        a, b = (name if name in competition.by_ref else competition.ref_of.get(name) for name in (one, other))
        if a is not None and b is not None and a != b and found.get(ordered(a, b)) != "hard":
            found[ordered(a, b)] = how
    return found


def list_unkept(competition: Competition, tables: Iterable[Iterable[str]]) -> list[DrawNote]:
    """Return a note for each pair of refs who are to be kept apart but meet at one of these tables.

    The note of a match at several tables names the first of them.
    """
    table_of: dict[str, int] = {}
    for at, refs in enumerate(tables, 1):
        for ref in refs:
            table_of.setdefault(ref, at)
    return [
        DrawNote("pairing/apart", {"table": table_of[a], "one": a, "other": b, "how": how})
        for (a, b), how in sorted(find_separated(competition).items())
        if a in table_of and table_of[a] == table_of.get(b)
    ]


def note_apart(competition: Competition, tables: Iterable[Seats]) -> list[DrawNote]:
    """Return a note for each pair of entrants who meet at these tables although kept apart or of one team.

    A note has the value `how` only for a `soft` separation.
    """
    weigh, stated = find_apart(competition), find_separated(competition)
    found = {
        pair
        for seats in tables
        for pair in combinations(sorted(competition.entrants_at(PlayedTable(seats=seats))), 2)
        if weigh(*pair)
    }
    return [
        DrawNote("pairing/apart", {"refs": list(pair), **how})
        for pair in sorted(found)
        for how in ({"how": "soft"} if stated.get(pair) == "soft" else {},)
    ]
