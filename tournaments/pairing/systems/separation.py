"""Entrants that a competition keeps apart, and notes on those who meet nevertheless."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Literal

from tournaments.bracket import weigh_meetings
from tournaments.competition import Competition, EntrantRecord, PlayedTable, ordered
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


def find_separated_positions(
    competition: Competition, position_of: Mapping[str, int]
) -> dict[Separation, frozenset[tuple[int, int]]]:
    """Return the pairs of positions that are kept apart, by strength (`hard`, `soft`)."""
    found: dict[Separation, set[tuple[int, int]]] = {"hard": set(), "soft": set()}
    for (one, other), how in find_separated(competition).items():
        a, b = position_of.get(one), position_of.get(other)
        if a is not None and b is not None:
            found[how].add((min(a, b), max(a, b)))
    return {how: frozenset(pairs) for how, pairs in found.items()}


def list_separated_players(
    competition: Competition,
    entrants: Sequence[EntrantRecord],
    number_of: Mapping[str, int],
    strength: Separation,
    *,
    mates: bool = False,
) -> tuple[tuple[int, int], ...]:
    """Return the pairs of players kept apart with this strength; with `mates` also members of one team."""
    persons = {entrant.ref: entrant.persons for entrant in entrants}
    pairs = [
        (a, b)
        for one, other, how in competition.apart
        if how == strength
        for a in persons.get(one, (one,))
        for b in persons.get(other, (other,))
        if a in number_of and b in number_of and a != b
    ]
    if mates:
        teams: dict[str, list[str]] = {}
        for entrant in entrants:
            if entrant.team is not None and len(entrant.persons) == 1:
                teams.setdefault(entrant.team, []).append(entrant.persons[0])
        pairs += [pair for team in teams.values() for pair in combinations(team, 2)]
    numbers = ((number_of[a], number_of[b]) for a, b in pairs)
    return tuple(sorted({(min(pair), max(pair)) for pair in numbers}))


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
    weigh, stated = weigh_meetings(competition), find_separated(competition)
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
