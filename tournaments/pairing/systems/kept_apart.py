"""Notes on entrants at one table who should be apart."""

from collections.abc import Iterable
from itertools import combinations

from tournaments.bracket import find_apart
from tournaments.competition import Competition, PlayedTable
from tournaments.pairing.systems.system import DrawNote, Seats


def note_apart(competition: Competition, tables: Iterable[Seats]) -> list[DrawNote]:
    """Return a note for each two entrants who meet at these tables although they should be apart."""
    weigh = find_apart(competition)
    found = {
        pair
        for seats in tables
        for pair in combinations(sorted(competition.entrants_at(PlayedTable(seats=seats))), 2)
        if weigh(*pair)
    }
    return [DrawNote("pairing/apart", {"refs": list(pair)}) for pair in sorted(found)]
