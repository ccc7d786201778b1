"""Two machines by role: a web process and a worker each, one beat, on one PostgreSQL and one Valkey. Each of
these five processes is killed in turn and started again, as a supervisor does it, while tables play.

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

from tests import places
from tests.faults.nodes import DEALS, MAX_WAIT_SECONDS, Say, time_silences
from tests.faults.player import Acknowledged, Ledger, Table, told_so_far
from tests.faults.rampage import Damage, compare
from tests.places import Node, Place

ROLES: Final = ("web 1", "worker 1", "web 2", "worker 2", "beat")


@dataclass
class Losses:
    """By role, seconds from its end until the last table had a command acknowledged again, and until the bots
    had played a card; the process was started again after that."""

    damage: Damage = field(default_factory=Damage)
    silences: dict[str, float] = field(default_factory=dict)
    bots: dict[str, float] = field(default_factory=dict)


def kill_each_role(folder: Path, *, tables: int, acks: int, say: Say = lambda text: None) -> Losses:
    """Kill each process once, after so many acknowledged commands in all."""
    lost = Losses()
    with places.running(folder, on="postgresql", nodes=2, worker=False) as place:
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
        tasks = [pool.submit(table.play, enough) for table in playing]
        try:
            for role in ROLES:
                for _ in range(acks):
                    hear()
                node = place.nodes[role.endswith("2")]
                process, start = _process(node, role)
                asked = place.nodes[role == "web 1"]
                before = _seq(asked, bots)
                since = time.monotonic()
                _kill(process)
                card = pool.submit(_next_card, asked, bots, before, since)
                lost.damage.kills[role] += 1
                for _ in range(ledger.qsize()):
                    hear()
                silences = time_silences({table.game for table in playing}, since, hear)
                lost.silences[role] = max(silences.values())
                lost.bots[role] = card.result()
                say(f"{role}: tables {lost.silences[role]:.2f} s, bots {lost.bots[role]:.2f} s")
                start()
        finally:
            enough.set()
        for task in tasks:
            task.result(timeout=MAX_WAIT_SECONDS)
    return known + told_so_far(ledger)


def _process(node: Node, role: str) -> tuple["subprocess.Popen[bytes]", Callable[[], None]]:
    """The process of a role, and what starts it again."""
    if role.startswith("web"):
        [web] = node.webs
        node.webs = []
        node.close_port()
        return web, node.start_web
    found = node.beat if role == "beat" else node.worker
    assert found is not None
    return found, node.start_beat if role == "beat" else lambda: node.start_worker(beat=False)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """kill -9 a process and its children."""
    for pid in places.family(process.pid):
        places.kill_pid(pid)
    process.wait()


def _seq(node: Node, game: str) -> int:
    answer = httpx.get(f"{node.url}/api/v1/games/{game}/events/?since=-1", timeout=30).json()
    return int(answer["seq"])


def _next_card(node: Node, game: str, seq: int, since: float) -> float:
    """Wait until the game of the bots has gone on for some cards; return the seconds."""
    waiting, deadline = threading.Event(), since + MAX_WAIT_SECONDS
    while time.monotonic() < deadline:
        if _seq(node, game) > seq + 3:  # What was already on its way does not count.
            return time.monotonic() - since
        waiting.wait(0.05)
    raise AssertionError("the bots do not go on")
