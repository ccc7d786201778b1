"""kill -9 at random instants while tables play, and what the log holds afterwards.

What was acknowledged is known from a ledger outside of the system, kept by players who speak HTTP alone.
"""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from tests.cluster import Cluster
from tests.faults.player import Ledger, Table, told_so_far
from tests.live_tree import LiveTree

CHILDREN: Final = ("web", "worker", "beat", "valkey")
MAX_WAIT_SECONDS: Final = 120.0
Say = Callable[[str], None]


@dataclass
class Damage:
    """What was done, and what came of it.

    `lost`: acknowledged and not in the log with that seq. `doubled`: in the log and never acknowledged, as a
    retry that was stored a second time would be. `outages`: seconds from a kill to the next acknowledged
    command.
    """

    kills: Counter[str] = field(default_factory=Counter)
    acknowledged: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    outages: list[float] = field(default_factory=list)
    events: int = 0

    @property
    def none(self) -> bool:
        return not (self.lost or self.doubled)


def rampage(
    tree: LiveTree,
    *,
    kinds: Sequence[str],
    acks: int,
    tables: int,
    deals: int,
    chance: random.Random,
    cluster: Cluster | None = None,
    say: Say = lambda text: None,
) -> Damage:
    """Kill each of `kinds` in turn (a name of CHILDREN, or `postgresql`), each after a few acknowledged
    commands; go on until so many are acknowledged; then compare the ledger with the log.
    """
    opened = tree.python("tests.faults.place", "open", str(tables), str(deals))
    ledger = Ledger()
    playing = [Table([tree.url], game, tokens, ledger) for game, tokens in opened["people"].items()]
    known: list[tuple[str, str, int]] = []
    damage = Damage()
    enough = threading.Event()

    def hear(number: int) -> None:
        for _ in range(number):
            entry = ledger.get(timeout=MAX_WAIT_SECONDS)
            assert entry is not None, (
                f"a table stopped: {[task.exception() for task in tasks if task.done()]}"
            )
            known.append(entry)

    with ThreadPoolExecutor(max_workers=len(playing)) as pool:
        tasks = [pool.submit(table.play, enough) for table in playing]
        try:
            for kind in kinds:
                hear(chance.randint(1, 2 * len(playing)) + ledger.qsize())
                time.sleep(chance.uniform(0, 0.05))  # anywhere in what a command goes through
                before = time.monotonic()
                _kill(kind, tree, cluster)
                damage.kills[kind] += 1
                hear(ledger.qsize() + 1)
                damage.outages.append(time.monotonic() - before)
                say(
                    f"{sum(damage.kills.values())} of {len(kinds)} killed ({kind}), {len(known)} acknowledged"
                )
            while len(known) < acks:
                hear(min(200, acks - len(known)))
                say(f"{len(known)} of {acks} acknowledged")
        finally:
            enough.set()
        for task in tasks:
            task.result(timeout=MAX_WAIT_SECONDS)
    known += told_so_far(ledger)
    _progress_of_bots(tree, opened["bots"])
    told = tree.python("tests.faults.place", "tell", *opened["people"], opened["bots"])
    compare(damage, known, told)
    return damage


def _kill(kind: str, tree: LiveTree, cluster: Cluster | None) -> None:
    if kind == "postgresql":
        assert cluster is not None
        cluster.kill()
        cluster.start()
    else:
        tree.kill(kind)


def compare(damage: Damage, known: Sequence[tuple[str, str, int]], told: dict[str, Any]) -> None:
    """The ledger with the log."""
    stored = {
        (game, command): seq
        for game, of_game in told.items()
        for command, seq in of_game["receipts"].items()
        if ":" not in command  # the server's own have one
    }
    acknowledged = {(game, command): seq for game, command, seq in known}
    damage.acknowledged = len(acknowledged)
    damage.lost = [" ".join(key) for key, seq in acknowledged.items() if stored.get(key) != seq]
    damage.doubled = [" ".join(key) for key in stored.keys() - acknowledged.keys()]
    damage.events = sum(game["events"] for game in told.values())


def _progress_of_bots(tree: LiveTree, game: str) -> None:
    """The bots' deadlines go on after all that: one more card of theirs falls, or their game has ended."""
    waiting = threading.Event()
    address = f"{tree.url}/api/v1/games/{game}/events/?since="
    before = httpx.get(f"{address}-1", timeout=30).json()["seq"]
    deadline = time.monotonic() + MAX_WAIT_SECONDS
    while time.monotonic() < deadline:
        now = httpx.get(f"{address}{before}", timeout=30).json()
        if now["turn"] is None or now["seq"] > before:
            return
        waiting.wait(0.1)
    raise AssertionError("the bots do not go on")
