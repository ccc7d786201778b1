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

viewer_slots: Final = SocketSlots("audience")
"""The viewers in this process, by game."""


def add_viewer(admission: Admission) -> None:
    """Count a viewer who joins; players, scorers and officials of the game are not counted."""
    if admission.looks_on:
        viewer_slots.add(admission.game.id)


def remove_viewer(admission: Admission) -> None:
    """Stop counting a viewer who leaves."""
    if admission.looks_on:
        viewer_slots.release(admission.game.id)


def count_viewers(games: Collection[str]) -> Counter[str]:
    """Return the number of viewers of each of these games, over all processes. Waits for Redis."""
    return viewer_slots.count_everywhere(games)
