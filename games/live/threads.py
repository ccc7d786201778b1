"""The database from a socket: in a thread of the loop's pool, not in the one thread that all would share."""

from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from channels.db import DatabaseSyncToAsync

P = ParamSpec("P")
T = TypeVar("T")


def in_thread(function: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """The function, to be awaited; connections that have grown old are closed."""
    called: Callable[P, Awaitable[T]] = DatabaseSyncToAsync(function, thread_sensitive=False)
    return called
