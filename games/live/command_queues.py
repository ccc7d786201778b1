"""One queue of commands per game: commands to this process for one game run one after another.

A locked game does not hold up other games: its command waits as a coroutine, and occupies no thread.
"""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Final, TypeVar
from weakref import WeakValueDictionary

from games import store
from games.live.threads import in_command_thread

LOCK_TIMEOUT_SECONDS: Final = 4.0
"""Seconds after which a command is refused if its game is locked."""
MIN_POLL_SECONDS: Final = 0.004
MAX_POLL_SECONDS: Final = 0.25

T = TypeVar("T")
_locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()


async def run_in_turn(game_id: str, work: Callable[[], T]) -> T:
    """Run the work when its turn in the queue of the game comes, and return its result. Raises StreamBusy if
    another transaction still locks the game LOCK_TIMEOUT_SECONDS after the call.
    """
    lock = _locks.get(game_id)
    if lock is None:
        lock = _locks[game_id] = asyncio.Lock()
    begun, pause = monotonic(), MIN_POLL_SECONDS
    async with lock:
        while True:
            try:
                return await in_command_thread(work)
            except store.StreamBusy:
                if monotonic() - begun > LOCK_TIMEOUT_SECONDS:
                    raise
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_POLL_SECONDS)
