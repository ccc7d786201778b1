"""Parsing a file in a process of its own, behind a bounded queue.

A few run at once; so many more wait, and of these so many for one address. Next is the address whose turn was
longest ago. Whatever is beyond that is refused with 429, and a process that takes too much is ended.
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
MOST_SECONDS: Final = 10
"""Of processor time; a list of ten thousand people takes one, a photo of fifty million pixels as well."""
WALL_SECONDS: Final = 60
AT_ONCE: Final = 2
MOST_WAITING: Final = 12
MOST_OF_ONE: Final = 8
"""Of those that wait, for one address: a hall sits behind one."""
PATIENCE: Final = 20
"""Seconds to wait for a turn."""
MOST_REMEMBERED: Final = 1000
RETRY_AFTER: Final = 5
asker: ContextVar[str] = ContextVar("asker", default="")
"""The address that a request comes from, or "" where nobody asks from elsewhere."""


class Confined(NamedTuple):
    """What a process said: `code` is "" or why the file is refused."""

    head: dict[str, Any]
    body: bytes
    code: str = ""

    @property
    def params(self) -> dict[str, Any]:
        found: dict[str, Any] = self.head.get("params", {})
        return found


class TookTooMuch(Exception):
    """The process needed more memory or time than it has."""


class Queue:
    """Turns of processes."""

    def __init__(self) -> None:
        self._counting = threading.Lock()
        self._running = 0
        self._waiting: list[tuple[str, threading.Event]] = []
        self._last_turn: OrderedDict[str, int] = OrderedDict()
        self._turns = 0

    @contextmanager
    def turn(self, who: str) -> Iterator[None]:
        """Raises TooMuch `files/too_many`."""
        self._wait(who)
        try:
            yield
        finally:
            self._end()

    def _wait(self, who: str) -> None:
        with self._counting:
            if self._running < AT_ONCE and not self._waiting:
                self._begin(who)
                return
            mine = sum(one == who for one, _called in self._waiting)
            if len(self._waiting) >= MOST_WAITING or mine >= MOST_OF_ONE:
                raise _too_many()
            ticket = (who, threading.Event())
            self._waiting.append(ticket)
        if ticket[1].wait(PATIENCE):
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
        if len(self._last_turn) > MOST_REMEMBERED:
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


def run_confined(name: str, data: bytes, *, memory: int) -> Confined:
    """What the module `name` makes of a file, with at most so many bytes of memory.

    Raises TooMuch `files/too_many`, TookTooMuch.
    """
    command = [sys.executable, "-I", "-X", "utf8", str(PROGRAM), name, str(memory), str(MOST_SECONDS)]
    with queue.turn(asker.get()):
        try:
            # Our own program with nothing of our environment: neither keys nor addresses.
            done = subprocess.run(  # noqa: S603
                command, input=data, capture_output=True, timeout=WALL_SECONDS, env={}, check=False
            )
        except subprocess.TimeoutExpired:
            raise TookTooMuch from None
    if done.returncode < 0 or done.returncode == TOO_LARGE or b"MemoryError" in done.stderr:
        raise TookTooMuch
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr.decode(errors='replace')[-2000:]}")
    head, _, body = done.stdout.partition(b"\n")
    said = msgspec.json.decode(head, type=dict[str, Any])
    return Confined(said, body, said.get("code", ""))


def _too_many() -> TooMuch:
    return TooMuch("many files are being read just now", code="files/too_many", seconds=RETRY_AFTER)
