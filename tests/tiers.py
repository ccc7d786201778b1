"""How much a run of the tests takes: three tiers.

    fast       before each commit, on SQLite: what is quick, so no browser, no file that starts processes, no
               long proof; of the cases of each test a seventh, of what stores a half, of what is redundant
               nothing
    full       before a change lands: all that is quick, but of what is redundant a half; of what is long a
               seventh, of each *family* a member; what stores on one of the two databases
    nightly    everything there is, on both databases

Long are the tests marked `slow` and those of the folders LONG. A seventh is whole files of them, which share
what their fixtures start. Redundant is what passes no line and no branch that another test does not
(tests/redundant.txt). A family is one proof made for many alike cases (every game, every preset): a test
with parameters and the marker `family`; in a folder that is LONG its next members come with the next turn of
their file. A slow test of seven cases and more is one too, of which a full run takes a seventh: so what
guards a promise and is long has a case in each run. What a full run takes changes each day; the run says for
which day, and `--day` takes another. Without `--tier` (`pytest tests/…`) nothing is left out.
"""

import datetime
import os
import zlib
from collections.abc import Iterable, Sequence

import pytest

from tests import redundant
from tests.plugin import touches_database

TIERS = ("fast", "full", "nightly")
DAY = "PUUR_TEST_DAY"
NOT_FAST = {"attack", "e2e", "faults", "upgrade"}
"""Folders of tests that start processes and play for a while."""
LONG = {"e2e", "faults", "upgrade"}
DAYS = 7
"""What is long has run once after so many."""
CYCLE = pytest.StashKey[int]()
"""After so many turns each member of a test's family has run."""
STORING = {"attack", "games", "tournaments", "verify"}
"""Folders whose tests run on PostgreSQL too: those of what stores, locks and asks. A file of them runs on
SQLite one day and on PostgreSQL the next."""
BOTH = {"deploy"}
"""What is done otherwise on either database is tested on both each time."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tier", choices=TIERS, default="nightly", help="how much of the tests to run")
    parser.addoption("--day", type=int, help="which files, members and databases a full run takes")


def pytest_configure(config: pytest.Config) -> None:
    """The workers of pytest-xdist take the day of their parent, also after midnight."""
    asked = config.getoption("--day")
    os.environ[DAY] = str(asked if asked is not None else os.environ.get(DAY, _today()))


def pytest_report_header(config: pytest.Config) -> str:
    tier = config.getoption("--tier")
    return f"tier: {tier}" + (f", --day {os.environ[DAY]}" if tier != "nightly" else "")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = taken(items, config.getoption("--tier"), int(os.environ[DAY]), config.getoption("--on"))
    config.hook.pytest_deselected(items=[item for item in items if item not in wanted])
    items[:] = [item for item in items if item in wanted]


def taken(items: Sequence[pytest.Item], tier: str, day: int, database: str) -> set[pytest.Item]:
    """Those that a run takes."""
    if tier == "nightly":
        return set(items)
    wanted = {item for item in _of_families(items, day, tier) if database in _databases(item, day)}
    if tier == "fast":
        return {item for item in wanted if _is_fast(item)}
    return {item for item in wanted if not _is_long(item) or _has_its_turn(item, day, DAYS)}


def members(count: int, at_once: int, day: int) -> set[int]:
    """Which of a family's so many members run on a day: after `count` days each has run `at_once` times."""
    return {(day * at_once + n) % count for n in range(min(at_once, count))}


def _of_families(items: Sequence[pytest.Item], day: int, tier: str) -> Iterable[pytest.Item]:
    alike: dict[str, list[pytest.Item]] = {}
    for item in items:
        alike.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for test, cases in alike.items():
        at_once = _at_once(cases, tier)
        if test in redundant.listed() and (tier == "fast" or at_once is None):
            if tier == "full":
                yield from _each_second_day(test, cases, day)
            continue
        if at_once is None:
            yield from cases
            continue
        # By the day alone a family of seven in a file that comes each seventh day would send one member only.
        number = (_number(cases[0]) + day) // DAYS if _folder(cases[0]) in LONG else day
        now = members(len(cases), at_once, number)
        for n, member in enumerate(cases):
            member.stash[CYCLE] = -(-len(cases) // at_once)
            if n in now:
                yield member


def _each_second_day(test: str, cases: Iterable[pytest.Item], day: int) -> Iterable[pytest.Item]:
    for item in cases:
        item.stash[CYCLE] = 2
        if (zlib.crc32(test.encode()) + day) % 2 == 0:
            yield item


def _at_once(cases: Sequence[pytest.Item], tier: str) -> int | None:
    """How many of a test's cases run at once; None where they are no family."""
    marker = cases[0].get_closest_marker("family")
    if marker is not None:
        said: int = marker.args[0] if marker.args else 1
        return said
    long = cases[0].get_closest_marker("slow") and _folder(cases[0]) not in LONG and len(cases) >= DAYS
    return -(-len(cases) // DAYS) if long or (tier == "fast" and len(cases) > 1) else None


def _has_its_turn(item: pytest.Item, day: int, days: int) -> bool:
    """Once in so many days, with the whole of its file."""
    return (_number(item) + day) % days == 0


def _number(item: pytest.Item) -> int:
    """By the name of the file: the runs on both databases must agree and do not see the same files."""
    name = item.path.relative_to(item.config.rootpath).as_posix() if _folder(item) else item.path.name
    return zlib.crc32(name.encode())


def _databases(item: pytest.Item, day: int) -> tuple[str, ...]:
    """What stores runs on either by turns, all else on SQLite. Both runs say the same of a test."""
    if not touches_database(item) or _folder(item) not in STORING | BOTH:
        return ("sqlite",)
    if _folder(item) in BOTH:
        return ("sqlite", "postgresql")
    # With the day alone the members of a family of ten would be on the same one each time they come.
    turn = day // item.stash.get(CYCLE, 1)
    return ("postgresql",) if _has_its_turn(item, turn, 2) else ("sqlite",)


def _is_long(item: pytest.Item) -> bool:
    """Members of a family, and what is redundant, come by turns of their own."""
    return _folder(item) in LONG or (item.get_closest_marker("slow") is not None and CYCLE not in item.stash)


def _is_fast(item: pytest.Item) -> bool:
    slow = any(item.get_closest_marker(name) for name in ("browser", "faults", "slow"))
    started = "browser" in getattr(item, "fixturenames", ()) or redundant.starts_processes(item.path)
    return not (slow or started or _folder(item) in NOT_FAST)


def _folder(item: pytest.Item) -> str:
    """Of tests/: `games` for tests/games/api/test_x.py too."""
    tests = item.config.rootpath / "tests"
    return item.path.relative_to(tests).parts[0] if item.path.is_relative_to(tests) else ""


def _today() -> int:
    return datetime.datetime.now(datetime.UTC).toordinal()
