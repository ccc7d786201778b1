"""How many watch a game: sockets of people who have no part in it, counted across all processes. A figure
and nothing else: not who, not since when; nothing of it is stored, and it is gone twelve seconds after the
last sign.

A window is one who watches, and so is the wall of the hall. While Redis is away each process counts for
itself.
"""

from collections import Counter
from collections.abc import Collection
from typing import Final

from games.live.admission import Admission
from games.live.socket_slots import SocketSlots

of_this_process: Final = SocketSlots("audience")
"""Game → those who watch it here."""


def come(entry: Admission) -> None:
    """Somebody begins to watch; who plays, writes or has an office there is not counted."""
    if entry.looks_on:
        of_this_process.add(entry.game.id)


def go(entry: Admission) -> None:
    """He has gone."""
    if entry.looks_on:
        of_this_process.leave(entry.game.id)


def watching(games: Collection[str]) -> Counter[str]:
    """How many watch each of these games, here and elsewhere. Waits for Redis."""
    return of_this_process.everywhere(games)
