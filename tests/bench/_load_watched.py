"""Part `watchers` of `bench load`: thousands watch one table, and web restarts meanwhile."""

import contextlib
import time
from collections.abc import Iterator
from typing import NamedTuple

from tests.bench._load_figures import say
from tests.bench._load_lines import Clients
from tests.bench._load_references import References
from tests.bench._load_tables import PLACE, crowd
from tests.installations import Place

MODULE = "tests.bench._load_watchers"
RATE = 2.0
"""Cards a second at the table."""
PROCESSES = 2


class Sizes(NamedTuple):
    """`watchers` of one table; `seconds` are measured; after a kill they have `back` seconds to reconnect."""

    watchers: int
    seconds: float
    back: float


def measure(place: Place, where: str, sizes: Sizes, references: References) -> None:
    there = place.python(PLACE, "tables", "1")
    name = f"load/{sizes.watchers} watchers of one table, {where}"
    with crowd(place.node.port, there, 1) as people:
        people.play(RATE, 1.0)
        empty = place.memory("web", "VmRSS")
        with _looking_on(place, there[0]["game"], sizes.watchers) as watchers:
            full = place.memory("web", "VmRSS")
            say(f"{name}: KiB each", 1024 * max(0.0, full - empty) / sizes.watchers, 30.0)
            for each in watchers:
                each.ask({"forget": True})
            before = place.processor("web")
            moves = people.play(RATE, sizes.seconds)["moves"]
            spent = place.processor("web") - before
            told = [each.ask({"moves": moves}) for each in watchers]
            seen = sorted(ms for each in told for ms in each["quantiles"])
            beside = {
                "p50": round(seen[len(seen) // 2], 1),
                "frames": sum(each["frames"] for each in told),
                "processor_us_a_frame": round(1e6 * spent / max(1, sum(each["frames"] for each in told)), 1),
            }
            limit = references.message.most(200.0)
            say(f"{name}: command to watcher, p99 ms", seen[len(seen) * 99 // 100], limit, **beside)
            _restarted(place, name, watchers, sizes)
            with crowd(place.node.port, there, 1) as others:  # the sockets of the first run are closed
                moves = others.play(RATE, sizes.seconds)["moves"]
            told = [each.ask({"moves": moves}) for each in watchers]
            missed = sum(each["gaps"] for each in told)
            say(f"{name}: gaps in what they got, over the kill too", missed, 0)


def _restarted(place: Place, name: str, watchers: list[Clients], sizes: Sizes) -> None:
    webs, killed = len(place.node.webs), time.monotonic()
    place.node.kill_web()
    for _ in range(webs):
        place.node.start_web()
    down = round(time.monotonic() - killed, 1)
    time.sleep(max(0.0, killed + sizes.back - time.monotonic()))  # the measured time
    back = [at for each in watchers for at in each.ask({"since": killed})["back"]]
    share = 100 * sum(at <= sizes.back for at in back) / sizes.watchers
    say(f"{name}: % back within {sizes.back:g} s of a kill of web", share, 95.0, least=True, web_down_s=down)


@contextlib.contextmanager
def _looking_on(place: Place, game: str, count: int) -> Iterator[list[Clients]]:
    each = -(-count // PROCESSES)
    sizes = [min(each, count - first) for first in range(0, count, each)]
    made = [Clients(MODULE, place.node.port, game, size, number * each) for number, size in enumerate(sizes)]
    try:
        for clients in made:
            clients.ready()
        yield made
    finally:
        for clients in made:
            clients.leave()
