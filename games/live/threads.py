"""Threads in which sockets query the database. Commands and reads have separate pools, so that a stall of one
kind does not hold up the other. A thread keeps its database connection while there is work.
"""

import asyncio
import contextvars
import logging
import queue
import select
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, Final, ParamSpec, TypeVar

from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

COMMAND_THREADS: Final = 3
READ_THREADS: Final = 2
IDLE_SECONDS: Final = 1.0
"""Seconds without work after which a thread closes its PostgreSQL connection."""

P = ParamSpec("P")
T = TypeVar("T")
Job = tuple[Future[Any], Callable[[], Any]]
log = logging.getLogger(__name__)


class ThreadPool:
    """A small pool of threads for one kind of work. Threads start when they are needed."""

    def __init__(self, name: str, max_threads: int) -> None:
        self._name = name
        self._max_threads = max_threads
        self._jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._started = 0
        self._free = 0
        self._lock = threading.Lock()

    async def run(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Run the work in one of the threads, and return its result."""
        future: Future[T] = Future()
        context = contextvars.copy_context()
        self._jobs.put((future, partial(context.run, work, *args, **more)))
        with self._lock:
            if not self._free and self._started < self._max_threads:
                self._started += 1
                threading.Thread(target=self._work, name=self._name, daemon=True).start()
        return await asyncio.wrap_future(future)

    def _work(self) -> None:
        while True:
            future, work = self._next_job()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                _close_dead_connections()
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)
            del future, work  # an idle thread keeps no result alive

    def _next_job(self) -> Job:
        with self._lock:
            self._free += 1
        try:
            return self._jobs.get(timeout=IDLE_SECONDS)
        except queue.Empty:
            if connection.vendor == "postgresql":
                connections.close_all()
            return self._jobs.get()
        finally:
            with self._lock:
                self._free -= 1


def _close_dead_connections() -> None:
    """Close connections that have failed or that the server has closed."""
    for known in connections.all(initialized_only=True):
        if known.connection is not None and (known.errors_occurred or _has_ended(known)):
            known.connection.close()
            known.close()


def _has_ended(known: BaseDatabaseWrapper) -> bool:
    """Return whether the server has sent data without a query, which happens only when it ends the
    connection.
    """
    if known.vendor != "postgresql":
        return False
    if known.connection.closed:
        return True
    poll = select.poll()
    poll.register(known.connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


# SQLite allows one writer at a time, and a thread that waits for another one there sleeps for too long.
_commands = ThreadPool("socket-commands", 1 if connection.vendor == "sqlite" else COMMAND_THREADS)
_reads = ThreadPool("socket-reads", READ_THREADS)
in_command_thread = _commands.run
in_read_thread = _reads.run
