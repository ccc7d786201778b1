"""Entrants that are kept apart, as stated in the competition."""

from collections.abc import Iterable
from typing import Literal

from tournaments.competition import Competition, ordered
from tournaments.pairing.systems.system import DrawNote

Separation = Literal["hard", "soft"]


def find_separated(competition: Competition) -> dict[tuple[str, str], Separation]:
    """Return the stated pairs of entrants by refs in alphabetical order; a person stands for the entrant."""
    found: dict[tuple[str, str], Separation] = {}
    for one, other, how in competition.apart:
        a, b = (name if name in competition.by_ref else competition.ref_of.get(name) for name in (one, other))
        if a is not None and b is not None and a != b and found.get(ordered(a, b)) != "hard":
            found[ordered(a, b)] = how
    return found


def list_unkept(competition: Competition, tables: Iterable[Iterable[str]]) -> list[DrawNote]:
    """Return a note for each stated pair that sits at one of these tables of refs."""
    table_of = {ref: at for at, refs in enumerate(tables, 1) for ref in refs}
    return [
        DrawNote("pairing/apart", {"table": table_of[a], "one": a, "other": b, "how": how})
        for (a, b), how in sorted(find_separated(competition).items())
        if a in table_of and table_of[a] == table_of.get(b)
    ]
