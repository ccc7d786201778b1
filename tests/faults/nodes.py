"""Two nodes, each with a folder, web and worker of its own, on one PostgreSQL and one Valkey; one is killed
in the middle of a trick, and whoever played there goes on at the other.

The short form is a test; `manage.py faults --nodes` is the long one.
"""

import hashlib
import io
import threading
import time
import zipfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx

from tests import installations
from tests.faults.player import Acknowledged, Ledger, Table, told_so_far
from tests.faults.rampage import Damage, compare
from tests.installations import Node, Place

SLUG: Final = "halle"
DEALS: Final = 1000
MAX_WAIT_SECONDS: Final = 120.0
Say = Callable[[str], None]


@dataclass
class Handover:
    """The result. `silences`: table → seconds from the last kill to its next acknowledged command;
    `in_a_trick`: number of tables with cards on them at a kill, over all kills; `alike`: question → whether
    both nodes gave the same answer."""

    damage: Damage = field(default_factory=Damage)
    silences: dict[str, float] = field(default_factory=dict)
    in_a_trick: int = 0
    alike: dict[str, bool] = field(default_factory=dict)


def handover(
    folder: Path, *, tables: int, acks: int, kills: int = 1, say: Say = lambda text: None
) -> Handover:
    """Kill one node after the other, each after so many acknowledged commands, and start it again."""
    found = Handover()
    with installations.running(folder, on="postgresql", nodes=2) as place:
        opened = place.python("tests.faults.place", "open", str(tables), str(DEALS))
        made = place.nodes[0].python("tests.faults.hall", "found", SLUG)
        place.nodes[1].python("tests.faults.hall", "close", SLUG)  # sealed there, with the same key
        found.alike = asked_of_both(place, made["cookie"], made["photo"])
        say(f"asked of both nodes: {found.alike}")
        known = _played(place, opened["people"], found, acks, kills, say)
        told = place.nodes[-1].python("tests.faults.place", "tell", *opened["people"])
        compare(found.damage, known, told)
    return found


def _played(
    place: Place, people: dict[str, list[str]], found: Handover, acks: int, kills: int, say: Say
) -> list[tuple[str, str, int]]:
    ledger = Ledger()
    urls = [node.url for node in place.nodes]
    playing = [Table(urls, game, tokens, ledger) for game, tokens in people.items()]
    known: list[tuple[str, str, int]] = []
    enough = threading.Event()

    def hear() -> tuple[str, str, int]:
        entry = ledger.get(timeout=MAX_WAIT_SECONDS)
        assert entry is not None, f"a table stopped: {[task.exception() for task in tasks if task.done()]}"
        known.append(entry)
        return entry

    with ThreadPoolExecutor(max_workers=len(playing)) as pool:
        tasks = [pool.submit(table.play, enough) for table in playing]
        try:
            for number in range(kills):
                for _ in range(acks):
                    hear()
                while not any(_in_a_trick(table) for table in playing):
                    hear()
                node = place.nodes[number % len(place.nodes)]
                found.in_a_trick += sum(map(_in_a_trick, playing))
                before = time.monotonic()
                node.kill()
                found.damage.kills["node"] += 1
                for _ in range(ledger.qsize()):
                    hear()
                found.silences = time_silences({table.game for table in playing}, before, hear)
                found.damage.outages.append(max(found.silences.values()))
                say(f"{number + 1} of {kills} nodes killed, {len(known)} acknowledged")
                if number + 1 < kills:
                    node.start(1)
        finally:
            enough.set()
        for task in tasks:
            task.result(timeout=MAX_WAIT_SECONDS)
    known += told_so_far(ledger)
    return known


def time_silences(silent: set[str], since: float, hear: Callable[[], Acknowledged]) -> dict[str, float]:
    """Hear acknowledged commands until each of these games has one; return the seconds until then."""
    found: dict[str, float] = {}
    while silent - found.keys():
        game, _, _ = hear()
        found.setdefault(game, time.monotonic() - since)
    return found


def _in_a_trick(table: Table) -> bool:
    """Return whether cards lie on the table, by the newest state of a seat."""
    return bool(max((seat.state for seat in table.seats), key=lambda state: state.seq).trick)


def asked_of_both(place: Place, cookie: tuple[str, str], photo: str) -> dict[str, bool]:
    """Return question → whether all nodes give the same answer, whichever of them made its subject."""
    answers = [_answers(node, cookie, photo) for node in place.nodes]
    return {name: all(each[name] == answer for each in answers) for name, answer in answers[0].items()}


def _answers(node: Node, cookie: tuple[str, str], photo: str) -> dict[str, str]:
    """Return question → answer; a failure contains the address of the node, so no other node gives it."""
    with httpx.Client(base_url=node.url, timeout=60, cookies=dict([cookie])) as client:
        place = f"/c/{SLUG}"
        seal = _persist(client, f"{place}/checkpoints/latest.json")
        _post(client, f"{place}/checkpoints/file/")
        file = _persist(client, f"{place}/checkpoints/file/")
        return {
            "key that seals": client.get("/seal-key.json").text,
            "last checkpoint": seal.json()["hash"],
            "file of the championship": _inside(file.content),
            "ranking as a file": _of_job(client, f"{place}/standings/export/"),
            "ranking on paper": _digest(_persist(client, f"{place}/prints/ranking.pdf")),
            "photo of a sheet": _digest(_persist(client, photo)),
        }


def _digest(answer: httpx.Response) -> str:
    return hashlib.sha256(answer.content).hexdigest()


def _persist(client: httpx.Client, path: str) -> httpx.Response:
    """The first answer that is 200: workers are asked to seal and to write, and that takes them a while."""
    waiting, deadline = threading.Event(), time.monotonic() + MAX_WAIT_SECONDS
    while (answer := client.get(path)).status_code != 200:
        if time.monotonic() > deadline:
            raise TimeoutError(f"{path} answers {answer.status_code}: {answer.text[:500]}")
        waiting.wait(0.2)
    return answer


def _post(client: httpx.Client, path: str) -> httpx.Response:
    """As a button of a page does."""
    client.get("/password/")
    return client.post(path, headers={"X-CSRFToken": client.cookies["csrftoken"]})


def _of_job(client: httpx.Client, path: str) -> str:
    """The digest of the file of a job that is started at this node and done by any worker."""
    answer = _post(client, path)
    if answer.status_code not in (302, 303):
        return f"{client.base_url} {answer.status_code}"
    file = _persist(client, answer.headers["Location"].partition("?")[0] + "file/")
    return hashlib.sha256(file.content).hexdigest()


def _inside(archive: bytes) -> str:
    """The digest of a championship's file without its manifest, which has the time of writing."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        names: Sequence[str] = sorted(name for name in opened.namelist() if "manifest" not in name)
        parts = [name.encode() + hashlib.sha256(opened.read(name)).digest() for name in names]
    return hashlib.sha256(b"".join(parts)).hexdigest()
