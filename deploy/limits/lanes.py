"""Limits on the running and queued requests of this process.

Each lane has its own threads, so that spectators never occupy those of players, sign-ins or the desk.
Requests without a session use the lane of spectators, with exceptions (`Lanes.select_lane`). Few threads are
enough, because Python runs one at a time and more threads only delay responses. Prints take seconds in
another process, and therefore have their own lane.
"""

import asyncio
import contextvars
import re
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic
from typing import Final, NamedTuple, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
SAFE: Final = {"GET", "HEAD", "OPTIONS", "TRACE"}
SIGN_IN_PATHS: Final = {
    "/sign-in/",
    "/sign-in/second-factor/",
    "/sign-in/set-up/",
    "/sign-in/forgotten/",
}
CODE_PATHS: Final = {"/t/", "/api/v1/table-session/"}
SESSION_PATHS: Final = SIGN_IN_PATHS | CODE_PATHS
"""The exact paths at which sessions begin."""
PLAYER_PREFIXES: Final = (
    "/sign-in/",
    "/t/",
    "/password/",
    "/account/",
    "/invitation/",
    "/reset/",
    "/language/",
    "/appearance/",
)
HASHING_PATHS: Final = re.compile(
    r"/sign-in/|/password/|/account/(address|confirm|data/(erase|named)|provider/(un)?link)/|/(invitation|reset)/[^/]+/"
    r"|/accounts/(invite|\d+/[^/]+|invitations/\d+/withdraw)/"
    r"|/c/[^/]+/(finish|finish-early|end/archive|end/delete)/"
    r"|/c/[^/]+/officials/(appoint|invite|\d+/dismiss|invite/\d+/withdraw)/"
    r"|/g/[^/]+/open-hands/"
)
"""Paths at which a POST may hash a password, to set or check it. A hash takes 19 MiB of memory."""
LINK_PREFIXES: Final = ("/invitation/", "/reset/")
"""Path prefixes of one-time links, by which people set a password without a session."""
TABLE_SUFFIXES: Final = ("/play/", "/sheet/", "/transcribe/", "/events/")
UPLOAD_SUFFIXES: Final = ("/entries/import/", "/images/", "/photos/")
"""Path suffixes of uploads, which another process parses."""
PRINT_PATHS: Final = re.compile(
    r"/(c|series)/[^/]+/prints/[^/]+\.(pdf|png)|/c/[^/]+/cash/receipt/[^/]+/|/status/doctor/|/account/data/file/"
)
"""Paths whose requests take seconds: prints, a person's data, and the doctor, which contacts other
machines.
"""
HUNG_SECONDS: Final = 60.0
SLOW_SECONDS: Final = 180.0
"""Seconds after which a thread that waits for another process (PDF, upload) counts as hung. Such work has
shorter limits.
"""
MAX_REMEMBERED: Final = 1000
"""Number of askers (keys by which a lane queues fairly) whose last turn is remembered."""


class LaneFull(Exception):
    """The lane, or one asker in it, has too many waiting requests, or the request has waited too long."""


class Waiting(NamedTuple):
    who: str
    turn: "asyncio.Future[None]"


class Lane:
    """Threads and a queue for one kind of request. At most `threads` requests run at once; at most `waiting`
    wait, for at most `seconds`.

    `most_of_one`: largest number of waiting requests of one asker; 0: `waiting`. `hung_after`: seconds after
    which a thread counts as hung.
    """

    def __init__(
        self,
        name: str,
        threads: int,
        waiting: int,
        seconds: float,
        *,
        most_of_one: int = 0,
        hung_after: float = HUNG_SECONDS,
    ) -> None:
        self.name = name
        self._max_of_one_asker = most_of_one or waiting
        self._hung_after = hung_after
        self._started_at: dict[object, float] = {}
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=f"lane-{name}")
        self._free = self._threads = threads
        self._queue: list[Waiting] = []
        self._max_waiting = waiting
        self._seconds = seconds
        self._turn_count = 0
        self._last_turn: OrderedDict[str, int] = OrderedDict()

    @property
    def waiting(self) -> int:
        return len(self._queue)

    @property
    def at_work(self) -> int:
        """The number of running requests."""
        return self._threads - self._free

    def is_hung(self) -> bool:
        """Return whether every thread has been busy with one request for longer than `hung_after`."""
        started = [*self._started_at.values()]
        return len(started) >= self._threads and monotonic() - max(started) > self._hung_after

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a thread of this lane and return its result; requests wait in order of arrival.
        Raises LaneFull.
        """
        return await self.run_for("", function, *args, **kwargs)

    async def run_for(self, who: str, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a thread of this lane for the asker `who`, and return its result. Each free
        thread goes to the waiting asker whose last turn was longest ago, however many requests others have in
        the queue. Raises LaneFull.

        A cancelled call leaves the queue; a function that runs already keeps its thread until it ends.
        """
        await self._acquire_thread(who)
        loop, context = asyncio.get_running_loop(), contextvars.copy_context()
        request = object()  # Several waiting requests may start in the same turn.

        def begin() -> T:
            self._started_at[request] = monotonic()
            try:
                return context.run(function, *args, **kwargs)
            finally:
                del self._started_at[request]

        work = self._executor.submit(begin)

        def ended(_: Future[T]) -> None:
            loop.call_soon_threadsafe(self._release_thread)

        work.add_done_callback(ended)
        return await asyncio.wrap_future(work)

    async def _acquire_thread(self, who: str) -> None:
        if self._free and not self._queue:
            self._grant_thread(who)
            return
        of_one = (
            sum(one.who == who for one in self._queue) if self._max_of_one_asker < self._max_waiting else 0
        )
        if len(self._queue) >= self._max_waiting or of_one >= self._max_of_one_asker:
            raise LaneFull
        waiting = Waiting(who, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        try:
            async with asyncio.timeout(self._seconds):
                await waiting.turn
        except TimeoutError:
            self._leave_queue(waiting)
            raise LaneFull from None
        except asyncio.CancelledError:
            self._leave_queue(waiting)
            raise

    def _leave_queue(self, waiting: Waiting) -> None:
        if waiting in self._queue:
            self._queue.remove(waiting)
        else:  # The slot was granted at the same moment.
            self._release_thread()

    def _grant_thread(self, who: str) -> None:
        self._free -= 1
        self._turn_count += 1
        self._last_turn[who] = self._turn_count
        self._last_turn.move_to_end(who)
        if len(self._last_turn) > MAX_REMEMBERED:
            self._last_turn.popitem(last=False)

    def _release_thread(self) -> None:
        self._free += 1
        if self._queue:
            next_request = min(self._queue, key=lambda one: self._last_turn.get(one.who, 0))
            self._queue.remove(next_request)
            self._grant_thread(next_request.who)
            if not next_request.turn.done():
                next_request.turn.set_result(None)


class Lanes:
    """All lanes of one process."""

    current: "Lanes | None" = None

    def __init__(self) -> None:
        self._asked = Lane("asked", threads=1, waiting=50, seconds=5)  # For supervisors and metrics.
        self._files = Lane("files", threads=1, waiting=2000, seconds=20)
        self._players = Lane("players", threads=3, waiting=600, seconds=20)
        self._passwords = Lane("passwords", threads=2, waiting=400, seconds=20)
        self._viewers = Lane("viewers", threads=2, waiting=600, seconds=8)
        self.prints = Lane("paper", threads=2, waiting=300, seconds=20, hung_after=SLOW_SECONDS)
        self.uploads = Lane(
            "sent", threads=3, waiting=60, seconds=20, most_of_one=40, hung_after=SLOW_SECONDS
        )  # uploads
        Lanes.current = self

    def all(self) -> tuple[Lane, ...]:
        return (
            self._asked,
            self._files,
            self._players,
            self._passwords,
            self._viewers,
            self.prints,
            self.uploads,
        )

    def hung_lanes(self) -> tuple[str, ...]:
        """Return the names of the lanes in which every thread hangs."""
        return tuple(lane.name for lane in self.all() if lane.is_hung())

    def select_lane(self, method: str, path: str, *, known: bool) -> Lane:
        """Return the lane for a request. `known`: the request has a session. /readyz, /metrics, static files
        and PRINT_PATHS have other lanes. Of the rest, the lane of spectators gets each GET for which no
        player waits, and all requests without a session except at SESSION_PATHS or to set a password by
        LINK_PREFIXES.
        """
        if path in {"/readyz", "/metrics"}:
            return self._asked
        if path.startswith("/static/"):
            return self._files
        if method in SAFE and PRINT_PATHS.fullmatch(path):
            return self.prints
        opens = known or path in SESSION_PATHS or path.startswith(LINK_PREFIXES)
        if method == "POST" and opens and HASHING_PATHS.fullmatch(path):
            return self._passwords
        if not known and path not in SESSION_PATHS:
            return self._viewers
        if method == "POST" and path.endswith(UPLOAD_SUFFIXES):
            return self.uploads
        if method not in SAFE or path.startswith(PLAYER_PREFIXES) or path.endswith(TABLE_SUFFIXES):
            return self._players
        return self._viewers
