"""The fast form of fuzzing: nothing but an error with a code comes of a file, however it was changed."""

import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.engine.random_games import EFFORT
from tests.fuzz.reading import FOUND, examine, mutated, seeds

SEEDS = list(seeds())
FILES = 1200 * EFFORT
SECONDS = 60


@contextmanager
def in_bounded_time() -> Iterator[None]:
    """A file that makes a reader run for ever is a failure, not a test run without end."""

    def too_long(*_: object) -> None:
        raise TimeoutError(f"longer than {SECONDS} s of processor time")

    before = signal.signal(signal.SIGVTALRM, too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("name", sorted(path.name for path in FOUND.glob("*")))
def test_what_brought_something_down_once_does_so_no_more(name: str) -> None:
    with in_bounded_time():
        examine((FOUND / name).read_bytes())


def test_files_that_were_changed_are_read_or_refused() -> None:
    rng = random.Random(1)
    for _ in range(FILES):
        changed = mutated(rng.choice(SEEDS), rng)
        with in_bounded_time():
            examine(changed)


def test_good_files_are_read() -> None:
    for seed in SEEDS:
        examine(seed)
