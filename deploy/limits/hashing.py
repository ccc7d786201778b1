"""Password hashing: Argon2id with the parameters of OWASP (19 MiB, two iterations, one thread), and at most
two hashes at a time in a process.

Django's default takes 100 MiB and eight threads, with which 140 sign-ins took 2.5 GB and 208 threads. Hashes
with other parameters are renewed when their owners sign in.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.contrib.auth.hashers import Argon2PasswordHasher

from games.monitoring.unavailable_errors import Overloaded

MAX_CONCURRENT_HASHES: Final = 2
QUEUE_TIMEOUT_SECONDS: Final = 10
_places = threading.BoundedSemaphore(MAX_CONCURRENT_HASHES)
_taken: list[None] = []


def at_work() -> int:
    """Return the number of passwords being hashed or checked now."""
    return len(_taken)


@contextmanager
def _take_place() -> Iterator[None]:
    if not _places.acquire(timeout=QUEUE_TIMEOUT_SECONDS):
        raise Overloaded("no place to check a password was free in time")
    _taken.append(None)
    try:
        yield
    finally:
        _taken.pop()
        _places.release()


class BoundedArgon2(Argon2PasswordHasher):
    """An Argon2id hasher that waits for a free slot. Raises Overloaded if none becomes free."""

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        with _take_place():
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        with _take_place():
            return super().verify(password, encoded)

    def harden_runtime(self, *_: Any) -> None:
        """Do nothing, because checking a wrong password already takes as long as one hash."""
