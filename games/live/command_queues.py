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

LANE_TIMEOUT_SECONDS: Final = 4.0
"""Seconds after which a command is refused if its game is locked."""
SHORTEST: Final = 0.004
MAX_POLL_SECONDS: Final = 0.25

T = TypeVar("T")
_lanes: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()


async def in_turn(game_id: str, work: Callable[[], T]) -> T:
    """Run the work when its turn in the queue of the game comes, and return its result. Raises StreamBusy if
    another transaction still locks the game LANE_TIMEOUT_SECONDS after the call.
    """
    lane = _lanes.get(game_id)
    if lane is None:
        lane = _lanes[game_id] = asyncio.Lock()
    begun, pause = monotonic(), SHORTEST
    async with lane:
        while True:
            try:
                return await in_command_thread(work)
            except store.StreamBusy:
                if monotonic() - begun > LANE_TIMEOUT_SECONDS:
                    raise
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_POLL_SECONDS)
