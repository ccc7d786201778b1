"""Two machines by role: a web process and a worker each, one beat, on one PostgreSQL and one Valkey. Each of
these processes is killed in turn and started again, as a supervisor does it, while tables play; one web
process is also ended gracefully, as for an update.

The short form is a test; `manage.py faults --roles --tables 60` is the long one.
"""

import subprocess
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx

from tests import installations
from tests.faults.nodes import DEALS, MAX_WAIT_SECONDS, Say, time_silences
from tests.faults.player import Acknowledged, Ledger, Table, told_so_far
from tests.faults.rampage import Damage, compare
from tests.installations import Node, Place

NOTHING: Final = "nothing"
"""Nobody is killed: what the machine itself takes."""
DRAINED: Final = "web 1, drained"
ALONE: Final = ("valkey", "postgresql")
"""There is one of each, so it is started again at once."""
ROLES: Final = (NOTHING, "web 1", "worker 1", "web 2", "worker 2", "beat", DRAINED, *ALONE)
CARDS_A_SECOND: Final = 20.0
"""Of all tables together: a card every three seconds at sixty tables, as people play."""


@dataclass
class Losses:
    """By role, in seconds. `silences`: the longest wait of a player for an acknowledgement, until each table
    had one after the kill; `bots`: until the bots went on. Only then the process was started again."""

    damage: Damage = field(default_factory=Damage)
    silences: dict[str, float] = field(default_factory=dict)
    bots: dict[str, float] = field(default_factory=dict)
    away: dict[str, float] = field(default_factory=dict)
    """Until one of ALONE took connections again."""


def kill_each_role(folder: Path, *, tables: int, acks: int, say: Say = lambda text: None) -> Losses:
    """Kill each process once, after so many acknowledged commands in all."""
    lost = Losses()
    with installations.running(folder, on="postgresql", nodes=2, worker=False) as place:
        for node in place.nodes:
            node.start_worker(beat=False)
        place.node.start_beat()
        opened = place.python("tests.faults.place", "open", str(tables), str(DEALS))
        known = _play(place, opened["people"], opened["bots"], lost, acks // len(ROLES), say)
        told = place.python("tests.faults.place", "tell", *opened["people"], opened["bots"])
        compare(lost.damage, known, told)
    return lost


def _play(
    place: Place, people: dict[str, list[str]], bots: str, lost: Losses, acks: int, say: Say
) -> list[Acknowledged]:
    ledger = Ledger()
    urls = [node.url for node in place.nodes]
    playing = [Table(urls, game, tokens, ledger) for game, tokens in people.items()]
    known: list[Acknowledged] = []
    enough = threading.Event()

    def hear() -> Acknowledged:
        entry = ledger.get(timeout=MAX_WAIT_SECONDS)
        assert entry is not None, f"a table stopped: {[task.exception() for task in tasks if task.done()]}"
        known.append(entry)
        return entry

    with ThreadPoolExecutor(max_workers=len(playing) + 1) as pool:
        pace = len(playing) / CARDS_A_SECOND
        tasks = [pool.submit(table.play, enough, pace) for table in playing]
        try:
            for role in ROLES:
                for _ in range(acks):
                    hear()
                asked = place.nodes[role.startswith("web 1")]
                before = _seq(asked, bots)
                for table in playing:
                    table.longest_wait = 0.0
                since = time.monotonic()
                card = pool.submit(_next_card, asked, bots, before, since)
                start = _end(place, role)
                lost.away[role] = time.monotonic() - since if role in ALONE else 0.0
                lost.damage.kills[role] += 1
                for _ in range(ledger.qsize()):
                    hear()
                time_silences({table.game for table in playing}, since, hear)
                lost.silences[role] = max(table.longest_wait for table in playing)
                lost.bots[role] = card.result()
                say(
                    f"{role}: tables {lost.silences[role]:.2f} s, bots {lost.bots[role]:.2f} s,"
                    f" of which it was away {lost.away[role]:.2f} s"
                )
                start()
        finally:
            enough.set()
        for task in tasks:
            task.result(timeout=MAX_WAIT_SECONDS)
    return known + told_so_far(ledger)


def _end(place: Place, role: str) -> Callable[[], None]:
    """End the process of a role; return what starts it again."""
    if role == NOTHING:
        return lambda: None
    if role in ALONE:
        (place.kill_valkey if role == "valkey" else place.kill_postgresql)()
        return lambda: None
    node = place.nodes["2" in role]
    if role.startswith("web"):
        [web] = node.webs
        node.webs = []
        node.close_port()
        if role == DRAINED:
            web.terminate()
            web.wait()
        else:
            _kill(web)
        return node.start_web
    found = node.beat if role == "beat" else node.worker
    assert found is not None
    _kill(found)
    return node.start_beat if role == "beat" else lambda: node.start_worker(beat=False)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """kill -9 a process and its children."""
    for pid in installations.family(process.pid):
        installations.kill_pid(pid)
    process.wait()


def _seq(node: Node, game: str) -> int:
    """The last event of a game. The database may be away for MAX_WAIT_SECONDS; then httpx.HTTPStatusError."""
    waiting, deadline = threading.Event(), time.monotonic() + MAX_WAIT_SECONDS
    while True:
        answer = httpx.get(f"{node.url}/api/v1/games/{game}/events/?since=-1", timeout=30)
        if not answer.is_error or time.monotonic() >= deadline:
            return int(answer.raise_for_status().json()["seq"])
        waiting.wait(0.05)


def _next_card(node: Node, game: str, seq: int, since: float) -> float:
    """Wait until the game of the bots has gone on for some cards; return the seconds."""
    waiting, deadline = threading.Event(), since + MAX_WAIT_SECONDS
    while time.monotonic() < deadline:
        if _seq(node, game) > seq + 3:  # What was already on its way does not count.
            return time.monotonic() - since
        waiting.wait(0.05)
    raise AssertionError("the bots do not go on")
