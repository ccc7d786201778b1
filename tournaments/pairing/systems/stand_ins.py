"""Stand-ins: players of the house or bots in the empty chairs of a round drawn by a pairing system."""

from collections.abc import Sequence

from tournaments.pairing.systems.system import NextRound, Seats


def fill_chairs(drawn: NextRound, sizes: Sequence[int], stand_ins: Sequence[str]) -> tuple[Seats, ...]:
    """Return the tables of a round, filled to these sizes. The stand-ins take the empty chairs, in turn.

    The notes of the round say which chairs are empty. Without a note, they are the last chairs of a table.
    """
    waiting = iter(stand_ins)
    empty = {
        (note.params["table"], note.params["seat"])
        for note in drawn.notes
        if note.code == "pairing/empty_chair"
    }
    tables: list[Seats] = []
    for number, (seats, size) in enumerate(zip(drawn.tables, sizes, strict=True), 1):
        there = list(seats)
        if len(there) < size:
            for seat in range(size):
                if (number, seat) in empty or seat >= len(there):
                    there.insert(seat, next(waiting))
        tables.append(tuple(there))
    return tuple(tables)
