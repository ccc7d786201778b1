"""One sending thread per process for messages after a commit, so that a slow or absent Redis does not hold up
play.

    _outgoing = Outgoing("errands", _send_all)         # _send_all(take) loops; `take()` waits for messages
    _outgoing.put(key, message)                        # returns at once; two messages with one key are merged
"""

import os
import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def _keep_new(known: V, new: V) -> V:
    return new


class Outgoing(Generic[K, V]):
    """Queue of outgoing messages. `send` runs in the sending thread, and calls its argument `take` for
    messages. `newer(known, new)` returns the message to keep if both have the same key.
    """

    def __init__(
        self,
        name: str,
        send: Callable[[Callable[[], dict[K, V]]], None],
        newer: Callable[[V, V], V] = _keep_new,
    ) -> None:
        self._name, self._send, self._newer = name, send, newer
        self._reset()
        # Threads do not survive a fork: a worker's child starts its own.
        os.register_at_fork(after_in_child=self._reset)

    def _reset(self) -> None:
        self.waiting: dict[K, V] = {}
        self._wake = threading.Condition()
        self.thread: threading.Thread | None = None

    def put(self, key: K, value: V) -> None:
        """Queue a message. Returns at once and never raises."""
        with self._wake:
            self.waiting[key] = self._newer(self.waiting[key], value) if key in self.waiting else value
            if self.thread is None:
                self.thread = threading.Thread(
                    target=self._send, args=(self.take,), name=self._name, daemon=True
                )
                self.thread.start()
            self._wake.notify()

    def take(self) -> dict[K, V]:
        """Return all queued messages by key. Waits until there is one."""
        with self._wake:
            while not self.waiting:
                self._wake.wait()
            taken, self.waiting = self.waiting, {}
            return taken
