"""Confined processes that parse files, behind a bounded queue.

A few processes run at once; a limited number of requests waits, in total and per network address. The next
turn goes to the address whose last turn was longest ago. Further requests are refused with HTTP status 429. A
process that exceeds its limits is killed.
"""

import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from games.errors import TooMuch
from tournaments.sandbox.process import TOO_LARGE

PROGRAM: Final = Path(__file__).with_name("process.py")
MAX_SECONDS: Final = 10
"""Largest processor time of a process in seconds.

A list of ten thousand people takes one second, and so does a photo of fifty million pixels."""
WALL_SECONDS: Final = 60
MAX_CONCURRENT: Final = 2
MAX_WAITING: Final = 12
MAX_OF_ONE: Final = 8
"""Largest number of waiting requests per network address, which all phones of a hall can share."""
QUEUE_TIMEOUT_SECONDS: Final = 20
"""Longest time to wait for a turn, in seconds."""
MAX_REMEMBERED: Final = 1000
RETRY_AFTER: Final = 5
asker: ContextVar[str] = ContextVar("asker", default="")
"""Network address from which the current request comes, or ""."""


class ConfinedResult(NamedTuple):
    """Output of a confined process. `code`: why the file was refused; empty if it was accepted."""

    head: dict[str, Any]
    body: bytes
    code: str = ""

    @property
    def params(self) -> dict[str, Any]:
        found: dict[str, Any] = self.head.get("params", {})
        return found


class TookTooMuch(Exception):
    """The process exceeded its memory or time."""


class Queue:
    """Queue for processes that is fair between network addresses."""

    def __init__(self) -> None:
        self._counting = threading.Lock()
        self._running = 0
        self._waiting: list[tuple[str, threading.Event]] = []
        self._last_turn: OrderedDict[str, int] = OrderedDict()
        self._turns = 0

    @contextmanager
    def turn(self, who: str) -> Iterator[None]:
        """Wait for a turn, and hold it during the block. `who`: network address. Raises TooMuch
        `files/too_many`.
        """
        self._wait(who)
        try:
            yield
        finally:
            self._end()

    def _wait(self, who: str) -> None:
        with self._counting:
            if self._running < MAX_CONCURRENT and not self._waiting:
                self._begin(who)
                return
            mine = sum(one == who for one, _called in self._waiting)
            if len(self._waiting) >= MAX_WAITING or mine >= MAX_OF_ONE:
                raise _too_many()
            ticket = (who, threading.Event())
            self._waiting.append(ticket)
        if ticket[1].wait(QUEUE_TIMEOUT_SECONDS):
            return
        with self._counting:
            if ticket in self._waiting:
                self._waiting.remove(ticket)
                raise _too_many()

    def _begin(self, who: str) -> None:
        self._running += 1
        self._turns += 1
        self._last_turn[who] = self._turns
        self._last_turn.move_to_end(who)
        if len(self._last_turn) > MAX_REMEMBERED:
            self._last_turn.popitem(last=False)

    def _end(self) -> None:
        with self._counting:
            self._running -= 1
            if self._waiting:
                ticket = min(self._waiting, key=lambda one: self._last_turn.get(one[0], 0))
                self._waiting.remove(ticket)
                self._begin(ticket[0])
                ticket[1].set()


queue: Final = Queue()


def run_confined(name: str, data: bytes, *, memory: int) -> ConfinedResult:
    """Run the module `name` on a file, with at most `memory` bytes.

    Raises TooMuch `files/too_many` if too many requests wait or this one has waited too long, TookTooMuch if
    the process exceeds a limit, RuntimeError if it fails.
    """
    command = [sys.executable, "-I", "-X", "utf8", str(PROGRAM), name, str(memory), str(MAX_SECONDS)]
    with queue.turn(asker.get()):
        try:
            # The empty environment keeps keys and addresses from the process.
            done = subprocess.run(  # noqa: S603 - a program of ours; the file of a person is only in its input
                command, input=data, capture_output=True, timeout=WALL_SECONDS, env={}, check=False
            )
        except subprocess.TimeoutExpired:
            raise TookTooMuch from None
    return read_answer(name, done.returncode, done.stdout, done.stderr)


def read_answer(name: str, code: int, out: bytes, errors: bytes) -> ConfinedResult:
    """Return the result that an ended process wrote.

    Raises TookTooMuch if it exceeded its limits, RuntimeError if it failed otherwise.
    """
    if code < 0 or code == TOO_LARGE or b"MemoryError" in errors:
        raise TookTooMuch
    if code:
        raise RuntimeError(f"{name}: {errors.decode(errors='replace')[-2000:]}")
    head, _, body = out.partition(b"\n")
    header = msgspec.json.decode(head, type=dict[str, Any])
    return ConfinedResult(header, body, header.get("code", ""))


def _too_many() -> TooMuch:
    return TooMuch("many files are being read just now", code="files/too_many", seconds=RETRY_AFTER)
