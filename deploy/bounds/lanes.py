"""How many requests are at work at once in this process, and how many may wait for that.

Each lane has threads of its own, so that those who look on never keep waiting those who play, sign in or sit
at the desk; without a session nobody does that, but for those who come in. Few threads are enough: Python
works at one of them at a time, and more only make answers later. Paper is made by another process for seconds
on end: whoever waits for it keeps none waiting who looks on.
"""

import asyncio
import contextvars
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
SAFE: Final = {"GET", "HEAD", "OPTIONS", "TRACE"}
DOORS: Final = {"/sign-in/", "/t/", "/api/v1/table-session/"}
"""Where sessions begin: these paths and none below them."""
PLAYING: Final = ("/sign-in/", "/t/", "/password/", "/language/", "/appearance/")
HASHING: Final = ("/sign-in/", "/password/", "/officials/account/")
AT_THE_TABLE: Final = ("/play/", "/sheet/", "/transcribe/", "/events/")
PAPER: Final = (".pdf", "/receipt/")
PICTURES_OF_PAPER: Final = "/prints/"
MOST_REMEMBERED: Final = 1000


class Full(Exception):
    """Too many wait already, or it has taken too long."""


class Lane:
    """`threads` requests at work, at most `waiting` in line and none of them for longer than `seconds`."""

    def __init__(self, name: str, threads: int, waiting: int, seconds: float) -> None:
        self.name = name
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=f"lane-{name}")
        self._places = asyncio.Semaphore(threads)
        self._free_in_line = self._line = waiting
        self._working = 0
        self._seconds = seconds

    @property
    def waiting(self) -> int:
        """How many stand in line."""
        return self._line - self._free_in_line

    @property
    def at_work(self) -> int:
        """How many have a thread."""
        return self._working

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the function returns, in a thread of this lane. Raises Full.

        Who stops waiting leaves the line; what has begun goes on and keeps its place until it ends.
        """
        await self._take_place()
        loop, context = asyncio.get_running_loop(), contextvars.copy_context()
        work = self._executor.submit(lambda: context.run(function, *args, **kwargs))
        self._working += 1

        def ended(_: Future[T]) -> None:
            loop.call_soon_threadsafe(self._give_back)

        work.add_done_callback(ended)
        return await asyncio.wrap_future(work)

    def _give_back(self) -> None:
        self._working -= 1
        self._places.release()

    async def _take_place(self) -> None:
        if not self._places.locked():
            await self._places.acquire()
            return
        if not self._free_in_line:
            raise Full
        self._free_in_line -= 1
        try:
            async with asyncio.timeout(self._seconds):
                await self._places.acquire()
        except TimeoutError:
            raise Full from None
        finally:
            self._free_in_line += 1


class Lanes:
    """Those of one process."""

    here: "Lanes | None" = None

    def __init__(self) -> None:
        self._asked = Lane("asked", threads=1, waiting=50, seconds=5)  # by supervisors and what measures
        self._files = Lane("files", threads=1, waiting=2000, seconds=20)
        self._players = Lane("players", threads=3, waiting=600, seconds=20)
        self._passwords = Lane("passwords", threads=2, waiting=400, seconds=20)
        self._viewers = Lane("viewers", threads=2, waiting=600, seconds=8)
        Lanes.here = self

    def all(self) -> tuple[Lane, ...]:
        """Each of them."""
        return (self._asked, self._files, self._players, self._passwords, self._viewers)

    def of(self, method: str, path: str, *, known: bool) -> Lane:
        """Which one a request belongs to. Who looks on: any GET that no play waits for, and whatever does not
        even say that it is of a session (`known`), except at the doors.
        """
        if path in {"/readyz", "/metrics"}:
            return self._asked
        if path.startswith("/static/"):
            return self._files
        if not known and path not in DOORS:
            return self._viewers
        if method == "POST" and path.endswith(HASHING):
            return self._passwords
        if method not in SAFE or path.startswith(PLAYING) or path.endswith(AT_THE_TABLE):
            return self._players
        return self._viewers
