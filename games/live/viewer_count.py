"""Number of viewers of a game: sockets without a role there, counted across all processes. It contains no
persons or times, is not stored, and expires twelve seconds after the last publication.

Each window counts as one viewer, as does the wall display of the hall. While Redis is away each process
counts for itself.
"""

from collections import Counter
from collections.abc import Collection
from typing import Final

from games.live.admission import Admission
from games.live.socket_slots import SocketSlots

of_this_process: Final = SocketSlots("audience")
"""The viewers in this process, by game."""


def come(entry: Admission) -> None:
    """Count a viewer who joins; players, scorers and officials of the game do not count."""
    if entry.looks_on:
        of_this_process.add(entry.game.id)


def go(entry: Admission) -> None:
    """Count a viewer who leaves."""
    if entry.looks_on:
        of_this_process.leave(entry.game.id)


def watching(games: Collection[str]) -> Counter[str]:
    """Return the number of viewers of each of these games, over all processes. Waits for Redis."""
    return of_this_process.everywhere(games)
