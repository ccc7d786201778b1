"""The platform under attack while people play: `manage.py faults --attacks [NAME …]`.

Tables of a live tree play at an even pace, first undisturbed, then during each attack. One JSON line an
attack: the effect on the players, the answers to the attackers and to a visitor of a page, the visitor's
longest wait, memory of web, connections to the database.
"""

import contextlib
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
import psycopg

from deploy.environment import BASE_DIR
from tests import live_tree
from tests.bench._load_tables import PLACE, crowd
from tests.cluster import Cluster, binaries
from tests.faults.attackers import ATTACKS
from tests.installations import family, forget_peak, memory_of
from tests.live_tree import ORGANISER, LiveTree

MIN_SHARE: Final = 0.8
"""Smallest allowed share of the undisturbed rate of cards."""
MAX_MIB: Final = 512
MAX_CONNECTIONS: Final = 20
FAULTS: Final = ("500", "502", "504")
FAILED: Final = "attackers failed"
LOOK_SECONDS: Final = 0.25


@dataclass
class Attacked:
    """The result of one attack; `broken` names the bounds that did not hold."""

    name: str
    share: float
    """Cards that fell, of those that fell undisturbed."""
    slower: float
    """The 95th percentile of the time of a command, as a multiple of the undisturbed one."""
    refused: int
    answers: dict[str, int]
    visitor: dict[str, int]
    visitor_waited: float
    mib: float
    connections: int
    after: int
    director: bool | None = None
    broken: list[str] = field(default_factory=list)

    def judged(self) -> "Attacked":
        told = {
            "players lose cards": self.share < MIN_SHARE,
            "players are refused": self.refused > 0,
            "a fault is answered": any(each in FAULTS for each in (*self.answers, *self.visitor)),
            "memory": self.mib > MAX_MIB,
            "connections": self.connections > MAX_CONNECTIONS,
            "no page afterwards": self.after != 200,
            "the director is locked out": self.director is False,
            FAILED: FAILED in self.answers,
        }
        self.broken = [what for what, is_so in told.items() if is_so]
        return self


def attacked(
    names: Sequence[str], *, tables: int, rate: float, seconds: float, on: str = "postgresql"
) -> Iterator[Attacked]:
    """Each attack after the other, on one platform."""
    with ExitStack() as stack:
        cluster = stack.enter_context(_cluster()) if on == "postgresql" else None
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        environment = {"DATABASE_URL": cluster.url} if cluster else {}
        tree = stack.enter_context(live_tree.running("serve", folder, environment=environment))
        director = stack.enter_context(httpx.Client(base_url=tree.url, timeout=60))
        assert _signs_in(director), "the director cannot sign in"
        there = tree.python(PLACE, "tables", str(tables))
        port = int(tree.url.rpartition(":")[2])
        people = stack.enter_context(crowd(port, there, 1))
        people.play(rate, min(2.0, seconds))
        quiet = people.play(rate, seconds)
        for name in names:
            command = [sys.executable, "-m", "tests.faults.attackers", name, str(port), str(seconds)]
            _wait_to_be_let_in(tree.url)
            webs = family(tree.child("web"))
            forget_peak(webs)
            with _seen(tree, cluster) as seen:
                attackers = subprocess.Popen(
                    [*command, f"/g/{there[0]['game']}/"], cwd=BASE_DIR, stdout=subprocess.PIPE, text=True
                )
                during = people.play(rate, seconds)
                back = _signs_in(director) if name == "locked-out" else None
                said, _ = attackers.communicate()
            yield Attacked(
                name=name,
                share=during["got"] / quiet["got"],
                slower=during["acknowledged"][1] / quiet["acknowledged"][1],
                refused=sum(during["refused"].values()),
                answers=json.loads(said or json.dumps({FAILED: 1})),
                visitor=dict(seen.visitor),
                visitor_waited=seen.waited,
                mib=memory_of(webs, "VmHWM"),
                connections=seen.connections,
                after=httpx.get(f"{tree.url}/", timeout=30).status_code,
                director=back,
            ).judged()


def _wait_to_be_let_in(url: str) -> None:
    """Wait until the rate limit of our one address, perhaps reached by the attack before, allows requests."""
    while (answer := httpx.get(f"{url}/sign-in/", timeout=30)).status_code == 429:
        time.sleep(int(answer.headers["Retry-After"]))


@dataclass
class Seen:
    """Answers to a visitor, the longest wait in seconds, and the most connections to the database."""

    visitor: Counter[str] = field(default_factory=Counter)
    waited: float = 0.0
    connections: int = 0


@contextlib.contextmanager
def _seen(tree: LiveTree, cluster: Cluster | None) -> Iterator[Seen]:
    """Open the home page again and again as a visitor, and count the connections to the database."""
    seen, over = Seen(), threading.Event()

    def visit() -> None:
        while not over.wait(LOOK_SECONDS):
            begun = time.monotonic()
            try:
                seen.visitor[str(httpx.get(f"{tree.url}/", timeout=20).status_code)] += 1
            except httpx.TransportError as error:
                seen.visitor[type(error).__name__] += 1
            seen.waited = max(seen.waited, time.monotonic() - begun)

    def count() -> None:
        assert cluster is not None
        with psycopg.connect(cluster.url, autocommit=True) as connection:
            while not over.wait(LOOK_SECONDS):
                (most,) = connection.execute(
                    "SELECT count(*) - 1 FROM pg_stat_activity WHERE backend_type = 'client backend'"
                ).fetchone() or (0,)
                seen.connections = max(seen.connections, most)

    looking = [threading.Thread(target=act) for act in ([visit, count] if cluster else [visit])]
    for each in looking:
        each.start()
    try:
        yield seen
    finally:
        over.set()
        for each in looking:
            each.join()


def _signs_in(browser: httpx.Client) -> bool:
    """Sign the director out, if signed in, and in again; return whether it worked."""
    browser.get("/sign-in/")
    token = {"csrfmiddlewaretoken": browser.cookies.get("csrftoken", "")}
    referer = {"Referer": str(browser.base_url)}
    if "sessionid" in browser.cookies:
        browser.post("/sign-out/", data=token, headers=referer)
        browser.get("/sign-in/")
        token = {"csrfmiddlewaretoken": browser.cookies.get("csrftoken", "")}
    said = {"username": ORGANISER[0], "password": ORGANISER[1], **token}
    return browser.post("/sign-in/", data=said, headers=referer).status_code == 302


@contextlib.contextmanager
def _cluster() -> Iterator[Cluster]:
    tools = binaries()
    if tools is None:
        sys.exit("there is no initdb on this machine (apt install postgresql)")
    made = Cluster(tools)
    try:
        yield made
    finally:
        made.remove()


def line(found: Attacked) -> dict[str, Any]:
    """For the console: figures with three digits."""
    told = vars(found)
    return {key: round(value, 2) if isinstance(value, float) else value for key, value in told.items()}


def run(names: Sequence[str], tables: int, on: str) -> int:
    """Run these attacks (all by default), print a line each; return 1 if a bound did not hold."""
    worst = 0
    known = list(ATTACKS)
    for found in attacked(names or known, tables=tables, rate=2.0 * tables, seconds=15.0, on=on):
        print(json.dumps(line(found)), flush=True)
        worst = worst or int(bool(found.broken))
    return worst
