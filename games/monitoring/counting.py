"""What this process has done since it began, counted from any thread for whoever measures it from outside.

Nothing here decides anything. A label is one of a few words of ours, never an id, a name or an address.
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
"""Seconds by which times are told apart."""
Labels = tuple[str, ...]


class LabelledCount:
    """How often, by labels."""

    def __init__(self) -> None:
        self._so_often: Counter[Labels] = Counter()
        self._counting = threading.Lock()

    def add(self, *labels: str, times: int = 1) -> None:
        """Once more, or so many times."""
        with self._counting:
            self._so_often[labels] += times

    def now(self) -> dict[Labels, int]:
        """As it is at this moment."""
        with self._counting:
            return dict(self._so_often)


class Times:
    """How long things took, by labels: for each a row of how many ended within each step, and their sum."""

    def __init__(self) -> None:
        self._rows: dict[Labels, tuple[list[int], list[float]]] = {}
        self._counting = threading.Lock()

    def add(self, seconds: float, *labels: str) -> None:
        """One more."""
        with self._counting:
            row = self._rows.get(labels)
            if row is None:
                row = self._rows[labels] = ([0] * (len(STEPS) + 1), [0.0])
            row[0][bisect_left(STEPS, seconds)] += 1
            row[1][0] += seconds

    def now(self) -> dict[Labels, tuple[list[int], float]]:
        """As it is at this moment."""
        with self._counting:
            return {labels: (list(row), total[0]) for labels, (row, total) in self._rows.items()}


ACCEPTED: Final = "accepted"
REFUSED: Final = "refused"
FAILED: Final = "failed"

requests = Times()
"""By lane and class of status, from the whole body to the answer, without sending it."""
commands = Times()
"""By how they came and what came of them, all waiting included."""
turned_away = LabelledCount()
"""By lane and code."""
frames = LabelledCount()
"""Frames that were written to sockets."""
resyncs = LabelledCount()
"""Why a socket had to read again or was let go: `slow`, `ahead`, `let_go`."""


@contextmanager
def command(way: str) -> Iterator[None]:
    """Times one command; what leaves by anything else than a refusal may be tried again, or is an error."""
    begun, outcome = perf_counter(), FAILED
    try:
        yield
        outcome = ACCEPTED
    except Refused:
        outcome = REFUSED
        raise
    finally:
        commands.add(perf_counter() - begun, way, outcome)
