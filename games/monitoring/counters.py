"""Counters of this process since its start. Any thread may write them; external monitoring reads them.

No decision depends on them. A label is one of a few fixed words, never an id, a name or an address.
"""

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Final

from engine import Refused

BUCKET_LIMITS: Final = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Upper limits of the buckets of durations, in seconds."""
Labels = tuple[str, ...]


class LabelledCount:
    """A counter for each combination of labels."""

    def __init__(self) -> None:
        self._counts: Counter[Labels] = Counter()
        self._lock = threading.Lock()

    def add(self, *labels: str, times: int = 1) -> None:
        """Count one occurrence, or `times` occurrences."""
        with self._lock:
            self._counts[labels] += times

    def now(self) -> dict[Labels, int]:
        """Return the count of each combination of labels."""
        with self._lock:
            return dict(self._counts)


class Histogram:
    """A histogram of durations for each combination of labels: the number of durations in each bucket, and
    their sum in seconds.
    """

    def __init__(self) -> None:
        self._rows: dict[Labels, tuple[list[int], list[float]]] = {}
        self._lock = threading.Lock()

    def add(self, seconds: float, *labels: str) -> None:
        """Count one duration."""
        with self._lock:
            row = self._rows.get(labels)
            if row is None:
                row = self._rows[labels] = ([0] * (len(BUCKET_LIMITS) + 1), [0.0])
            row[0][bisect_left(BUCKET_LIMITS, seconds)] += 1
            row[1][0] += seconds

    def now(self) -> dict[Labels, tuple[list[int], float]]:
        """Return the histogram of each combination of labels: the numbers by bucket, and the sum in
        seconds.
        """
        with self._lock:
            return {labels: (list(row), total[0]) for labels, (row, total) in self._rows.items()}


ACCEPTED: Final = "accepted"
REFUSED: Final = "refused"
FAILED: Final = "failed"

requests = Histogram()
"""Durations of requests, by lane and class of HTTP status. A duration begins when the whole request body is
there, and ends before the response is sent.
"""
commands = Histogram()
"""Durations of commands, by interface and outcome, with all waiting times."""
refusals = LabelledCount()
"""Refused requests, by lane and code."""
frames = LabelledCount()
"""Frames written to sockets."""
resyncs = LabelledCount()
"""Times that a socket client had to read again or was disconnected, by reason. `slow`: it read too slowly.
`ahead`: its seq was unknown. `let_go`: it was too slow again and was disconnected.
"""


@contextmanager
def time_command(way: str) -> Iterator[None]:
    """Time the command that the block executes, and count it as accepted, refused or failed.

    A command fails by any exception other than `Refused`. `way`: the interface over which the command came.
    """
    begun, outcome = perf_counter(), FAILED
    try:
        yield
        outcome = ACCEPTED
    except Refused:
        outcome = REFUSED
        raise
    finally:
        commands.add(perf_counter() - begun, way, outcome)
