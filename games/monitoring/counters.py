"""Counters of this process since its start, written from any thread and read by external monitoring.

They influence no decision. A label is one of a few fixed words, never an id, a name or an address.
"""

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Final

from engine import Refused

STEPS: Final = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Upper limits of the buckets of durations, in seconds."""
Labels = tuple[str, ...]


class LabelledCount:
    """A counter with labels."""

    def __init__(self) -> None:
        self._so_often: Counter[Labels] = Counter()
        self._counting = threading.Lock()

    def add(self, *labels: str, times: int = 1) -> None:
        """Count one occurrence, or `times` occurrences."""
        with self._counting:
            self._so_often[labels] += times

    def now(self) -> dict[Labels, int]:
        """Return the current counts."""
        with self._counting:
            return dict(self._so_often)


class Times:
    """A histogram of durations with labels: for each the number within each bucket, and their sum."""

    def __init__(self) -> None:
        self._rows: dict[Labels, tuple[list[int], list[float]]] = {}
        self._counting = threading.Lock()

    def add(self, seconds: float, *labels: str) -> None:
        """Count one duration."""
        with self._counting:
            row = self._rows.get(labels)
            if row is None:
                row = self._rows[labels] = ([0] * (len(STEPS) + 1), [0.0])
            row[0][bisect_left(STEPS, seconds)] += 1
            row[1][0] += seconds

    def now(self) -> dict[Labels, tuple[list[int], float]]:
        """Return the current histogram."""
        with self._counting:
            return {labels: (list(row), total[0]) for labels, (row, total) in self._rows.items()}


ACCEPTED: Final = "accepted"
REFUSED: Final = "refused"
FAILED: Final = "failed"

requests = Times()
"""By lane and class of status; from the whole request body to the response, without sending it."""
commands = Times()
"""By interface and outcome, all waiting included."""
turned_away = LabelledCount()
"""Refused requests, by lane and code."""
frames = LabelledCount()
"""Frames written to sockets."""
resyncs = LabelledCount()
"""Forced reads and disconnects of sockets by reason: `slow`, `ahead`, `let_go`."""


@contextmanager
def command(way: str) -> Iterator[None]:
    """Count and time the command inside the block as accepted, refused or failed.

    Failed is any exception other than `Refused`. `way`: the interface that it came by.
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
