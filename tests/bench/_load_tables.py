"""Part `tables` of `bench load`: many dealt tables at human pace, and at the highest pace the server
sustains."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tests.bench import _sockets
from tests.bench._load_figures import say
from tests.bench._load_lines import Clients
from tests.bench._load_references import References
from tests.installations import Place

PLACE = "tests.bench._load_place"
STEPS = (0.5, 0.75, 1.0, 1.25, 1.6, 2.0, 2.5, 3.2, 4.0, 5.0, 6.3, 8.0)
"""Paces as multiples of human pace."""
MAX_MS = 100.0
KINDS = ("web", "postgresql", "worker", "valkey")


class Crowd(Clients):
    """All clients of some tables."""

    def __init__(self, port: int, tables: list[dict[str, Any]], spectators: int) -> None:
        super().__init__("tests.bench._load_crowd", port, spectators, first=tables)
        self.sockets = self.ready()["open"]

    def play(self, rate: float, seconds: float) -> dict[str, Any]:
        """Figures of this many seconds."""
        return self.ask({"rate": rate, "seconds": seconds})


@contextlib.contextmanager
def crowd(port: int, tables: list[dict[str, Any]], spectators: int) -> Iterator[Crowd]:
    """All clients have a socket open."""
    made = Crowd(port, tables, spectators)
    try:
        yield made
    finally:
        made.leave()


def used(place: Place) -> dict[str, float]:
    return {kind: place.processor(kind) for kind in KINDS}


class Sizes(NamedTuple):
    """Sizes of the bench. `pace`: seconds from card to card at a table; `clocks`: unattended tables beside
    them, where a clock of `ring` seconds runs out; `seconds` are measured; `steps`: most paces tried."""

    tables: int
    spectators: int
    seconds: float
    pace: float
    clocks: int
    ring: int
    steps: int


def measure(place: Place, where: str, sizes: Sizes, references: References) -> None:
    """Idle, human pace, then faster until one command in twenty takes longer than 100 ms."""
    tables, spectators, seconds, pace, clocks, ring, steps = sizes
    there = place.python(PLACE, "tables", str(tables))
    name = f"load/{tables} tables, {spectators} spectators each, {where}"
    with crowd(place.node.port, there, spectators) as people:
        people.play(0, min(2.0, seconds))
        _idle(place, people, name, tables, seconds, references)
        ringing = [each["game"] for each in place.python(PLACE, "tables", str(clocks), str(ring))]
        _human(place, people, f"{name}, a card every {pace:g} s", tables / pace, seconds, references)
        late = place.python(PLACE, "lateness", *ringing)
        (worst,) = _sockets.percentiles(late, 99)
        say(f"{name}: the worker's lateness, p99 s", worst, 0.5, rings=len(late))
        place.python(PLACE, "end", *ringing)
        _most(place, people, name, tables / pace, seconds / 2, STEPS[:steps], references)


def _idle(
    place: Place, people: Crowd, name: str, tables: int, seconds: float, references: References
) -> None:
    before = used(place)
    people.play(0, seconds)
    spent = {kind: 100 * (now - before[kind]) / seconds for kind, now in used(place).items()}
    of_web = spent["web"] + spent["postgresql"]
    beside = {kind: round(value, 2) for kind, value in spent.items()}
    limit = references.message.most(1.0)
    say(f"{name}: nobody plays, % of a core a 200 tables", of_web * 200 / tables, limit, each=beside)


def _human(
    place: Place, people: Crowd, name: str, rate: float, seconds: float, references: References
) -> None:
    commit = references.commit
    people.play(rate, min(3.0, seconds))
    if place.cluster:
        place.forget_statements()
    before = used(place)
    played = people.play(rate, seconds)
    after = used(place)
    cards = max(1, played["cards"])
    spent = {kind: 1000 * (after[kind] - before[kind]) / cards for kind in KINDS}
    say(f"{name}: cards a second", played["got"], 0.95 * rate, least=True, asked=round(rate, 1))
    p50, p95, p99 = (round(each, 1) for each in played["acknowledged"])
    say(f"{name}: command to acknowledged, p95 ms", p95, commit.most(25.0), p50=p50, p99=p99)
    p50, p95, p99 = (round(each, 1) for each in played["seen"])
    say(f"{name}: command to spectator, p95 ms", p95, commit.most(50.0), p50=p50, p99=p99)
    say(f"{name}: refused", sum(played["refused"].values()), 0, codes=played["refused"])
    beside = {kind: round(value, 2) for kind, value in spent.items()}
    beside["clients"] = round(1000 * played["client"] / cards, 2)
    say(f"{name}: processor ms a card of web", spent["web"], commit.most(3.0), each=beside)
    if place.cluster:
        counted = place.statements()
        most = [[round(calls / cards, 2), " ".join(query.split())[:90]] for query, calls in counted[:12]]
        every = sum(calls for _, calls in counted) / cards
        say(f"{name}: statements a card, of all web processes", every, None, most=most)
        say(f"{name}: connections to PostgreSQL", place.connections(), 20)


def _most(
    place: Place,
    people: Crowd,
    name: str,
    human: float,
    seconds: float,
    steps: Sequence[float],
    references: References,
) -> None:
    """The fastest pace at which 95 % of the commands take at most 100 ms and the rate is reached."""
    most, at, tried = 0.0, 0.0, []
    for step in steps:
        rate = human * step
        people.play(rate, min(2.0, seconds))
        before = place.processor("web")
        played = people.play(rate, seconds)
        spent = 1000 * (place.processor("web") - before) / max(1, played["cards"])
        p95 = played["acknowledged"][1]
        tried.append([round(rate), round(played["got"]), round(p95, 1)])
        if p95 > MAX_MS or played["got"] < 0.9 * rate:
            break
        most, at = played["got"], spent
    webs = sum(len(node.webs) for node in place.nodes)
    least = {1: 250.0, 2: 400.0}.get(webs)
    limit = None if least is None else references.commit.least(least)
    beside = {"asked_got_p95": tried, "processor_ms_a_card": round(at, 2)}
    say(f"{name}: the most cards a second with p95 at most 100 ms", most, limit, least=True, **beside)
