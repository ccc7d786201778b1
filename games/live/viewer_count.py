"""Number of viewers of a game: sockets without a role in the game, counted across all processes.

The count contains no persons or times, is not stored, and expires twelve seconds after the last publication.
Each window counts as one viewer, and so does the wall display of the hall. While Redis is away each process
counts only its own sockets.
"""

from collections import Counter
from collections.abc import Collection
from typing import Final

from games.live.admission import Admission
from games.live.socket_slots import SocketSlots

of_this_process: Final = SocketSlots("audience")
"""The viewers in this process, by game."""


def come(entry: Admission) -> None:
    """Count a viewer who joins; players, scorers and officials of the game are not counted."""
    if entry.looks_on:
        of_this_process.add(entry.game.id)


def go(entry: Admission) -> None:
    """Stop counting a viewer who leaves."""
    if entry.looks_on:
        of_this_process.leave(entry.game.id)


def watching(games: Collection[str]) -> Counter[str]:
    """Return the number of viewers of each of these games, over all processes. Waits for Redis."""
    return of_this_process.everywhere(games)
