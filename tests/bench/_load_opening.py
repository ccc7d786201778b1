"""Part `hall` of `bench load`: a large championship's steps, and the response times of its page meanwhile."""

import contextlib
import threading
import time
from collections.abc import Iterator
from typing import NamedTuple

import httpx

from tests.bench import _sockets
from tests.bench._load_figures import say
from tests.bench._load_polls import HALL
from tests.bench._load_references import References
from tests.installations import Place

SLUG = "large"
SECONDS_A_TABLE = 0.03
"""Limit of opening per table: 3 s for a hundred tables, 30 s for a thousand."""
PAUSE = 0.2


class Sizes(NamedTuple):
    """`large` entries, four a table."""

    large: int


def measure(place: Place, where: str, sizes: Sizes, references: References) -> None:
    """Measure founding; then drawing, opening and forced closing, each while a visitor opens a page
    repeatedly."""
    name = f"load/{sizes.large} entries, {where}"
    tables = sizes.large // 4
    founded = place.python(HALL, "found", SLUG, str(sizes.large))
    say(f"{name}: import, s", founded["seconds"], None, processor=round(founded["processor"], 2))
    for step in ("draw", "open", "close"):
        with _visited(f"{place.node.url}/c/{SLUG}/") as visitor:
            told = place.python(HALL, step, SLUG)
        limit = references.commit.most(SECONDS_A_TABLE * tables) if step == "open" else None
        beside = {"processor": round(told["processor"], 2)}
        say(f"{name}: {step} a round of {tables} tables, s", told["seconds"], limit, **beside)
        waited = [round(each) for each in _sockets.percentiles(visitor.waited, 50, 100)]
        meanwhile = f"{name}: {step}, answers of its page meanwhile other than 200"
        say(meanwhile, len(visitor.refused), 0, asked=len(visitor.waited), ms=waited)


class _Visitor:
    """A visitor who opens a page repeatedly: milliseconds, and answers other than 200."""

    def __init__(self) -> None:
        self.waited: list[float] = []
        self.refused: list[int] = []

    def look(self, url: str) -> None:
        begun = time.monotonic()
        status = httpx.get(url, timeout=60).status_code
        self.waited.append(1000 * (time.monotonic() - begun))
        self.refused += [status] if status != 200 else []


@contextlib.contextmanager
def _visited(url: str) -> Iterator[_Visitor]:
    visitor, over = _Visitor(), threading.Event()

    def visit() -> None:
        while not over.wait(PAUSE):
            visitor.look(url)

    visiting = threading.Thread(target=visit)
    visiting.start()
    try:
        yield visitor
    finally:
        over.set()
        visiting.join()
