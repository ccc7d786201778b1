"""Passwords: Argon2id as OWASP recommends it (19 MiB, two rounds, one lane), and never more than two at once.

Django's default takes 100 MiB and eight lanes: 140 sign-ins took 2.5 GB and 208 threads. Hashes made with
other parameters are made anew when their owner signs in.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.contrib.auth.hashers import Argon2PasswordHasher

from games.monitoring.strain import Overloaded

AT_ONCE: Final = 2
SECONDS: Final = 10
_places = threading.BoundedSemaphore(AT_ONCE)
_taken: list[None] = []


def at_work() -> int:
    """How many passwords are hashed now."""
    return len(_taken)


@contextmanager
def _place() -> Iterator[None]:
    if not _places.acquire(timeout=SECONDS):
        raise Overloaded("no place to check a password was free in time")
    _taken.append(None)
    try:
        yield
    finally:
        _taken.pop()
        _places.release()


class BoundedArgon2(Argon2PasswordHasher):
    """Argon2id that waits for its place. Raises Overloaded."""

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        with _place():
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        with _place():
            return super().verify(password, encoded)

    def harden_runtime(self, *_: Any) -> None:
        """Nothing: the time a wrong password takes is that of its own hash."""
