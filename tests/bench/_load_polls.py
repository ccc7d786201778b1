"""Part `polls` of `bench load`: phones that request the pages of one championship repeatedly."""

import json
import subprocess
import sys
import threading
from typing import Any, NamedTuple

from deploy.environment import BASE_DIR
from tests.bench._load_figures import Limit, say
from tests.bench._load_references import References
from tests.installations import Place

HALL = "tests.bench._load_hall"
SLUG = "hall"
SAMPLE_SECONDS = 0.25


class Sizes(NamedTuple):
    """`hall` entries; `phones` that request a page every `period` seconds, and `viewers` whose pages request
    their part every `refresh` seconds; `seconds` are measured; `playing` tables change meanwhile."""

    hall: int
    phones: int
    period: float
    viewers: int
    refresh: float
    seconds: float
    playing: int


def pages() -> list[list[Any]]:
    """Pages that people in the hall open by hand."""
    names = ("", "tables/", "standings/", "rounds/1/")
    return [["/", False], *([f"/c/{SLUG}/{name}", False] for name in names)]


def parts() -> list[list[Any]]:
    """Parts that open pages request by themselves."""
    names = ("", "tables/", "standings/?live=1&page=1")
    return [["/", True], *([f"/c/{SLUG}/{name}", True] for name in names)]


def measure(place: Place, where: str, sizes: Sizes, references: References) -> None:
    place.python(HALL, "ready", SLUG, str(sizes.hall))
    name = f"load/championship of {sizes.hall}, {where}"
    few = f"{name}: {sizes.phones} phones, a page every {sizes.period:g} s"
    shared = {"port": place.node.port, "seconds": sizes.seconds}
    asked = {**shared, "phones": sizes.phones, "period": sizes.period, "asked": pages(), "tags": False}
    _report(place, few, asked, limit=None)
    many = f"{name}: {sizes.viewers} viewers, a part every {sizes.refresh:g} s"
    asked = {**shared, "phones": sizes.viewers, "period": sizes.refresh, "asked": parts(), "tags": True}
    _report(place, f"{many}, nothing happens", asked, references.message.most(1.0))
    place.python(HALL, "play", SLUG, str(sizes.playing), "1")
    _report(place, f"{many}, {sizes.playing} tables play", asked, limit=None)


def _report(place: Place, name: str, asked: dict[str, Any], limit: Limit | None) -> None:
    told = polled(place, asked)
    spent = told["spent"]
    polls = max(1, sum(count for status, count in told["status"].items() if status.isdigit()))
    good = sum(told["status"].get(status, 0) for status in ("200", "304"))
    p50, p95, p99 = (round(each, 1) for each in told["ms"])
    say(f"{name}: answers other than 200 and 304", told["polls"] - good, 0, status=told["status"])
    beside = {
        "postgresql": round(1000 * spent["postgresql"] / polls, 2),
        "answers": polls,
        "ms": [p50, p95, p99],
        "kib_an_answer": round(told["kib"] / polls, 2),
        "cores": round(spent["web"] / asked["seconds"], 2),
    }
    say(f"{name}: processor ms an answer of web", 1000 * spent["web"] / polls, limit, **beside)
    if place.cluster:
        say(f"{name}: connections to PostgreSQL at most", told["connections"], 20)


def polled(place: Place, asked: dict[str, Any]) -> dict[str, Any]:
    """The phones' results after each had made its first request, the processor seconds of these results, and
    the maximum number of connections of the platform."""
    over, most = threading.Event(), 0

    def watch() -> None:
        nonlocal most
        while not over.wait(SAMPLE_SECONDS):
            most = max(most, place.connections())

    watching = threading.Thread(target=watch if place.cluster else lambda: None)
    with subprocess.Popen(
        [sys.executable, "-m", "tests.bench._load_phones"],
        cwd=BASE_DIR,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        watching.start()
        try:
            process.stdin.write(json.dumps(asked))
            process.stdin.close()
            process.stdout.readline()
            before = {kind: place.processor(kind) for kind in ("web", "postgresql")}
            told: dict[str, Any] = json.loads(process.stdout.readline())
            spent = {kind: place.processor(kind) - was for kind, was in before.items()}
        finally:
            over.set()
            watching.join()
    return {**told, "spent": spent, "connections": most}
