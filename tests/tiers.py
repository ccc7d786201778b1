"""How much a run of the tests takes: three tiers.

    fast       before each commit: no browser, no processes that get killed, no long proof; SQLite only
    full       before a change lands: all that is quick; of what is long a third, of each *family* a member;
               what stores on one of the two databases
    nightly    everything there is, on both databases

Long are the tests marked `slow` and those of the folders LONG. A third is whole files of them, which share
what their fixtures start. A family is one proof made for many alike cases (every game, every preset): a test
with parameters and the marker `family`. What a full run takes changes each day; the run says for which day,
and `--day` takes another. Without `--tier` (`pytest tests/…`) nothing is left out.
"""

import datetime
import os
import zlib
from collections.abc import Iterable, Sequence

import pytest

from tests.plugin import touches_database

TIERS = ("fast", "full", "nightly")
DAY = "PUUR_TEST_DAY"
NOT_FAST = {"attack", "e2e", "faults", "upgrade"}
"""Folders of tests that start processes and play for a while."""
LONG = {"e2e", "faults", "upgrade"}
DAYS = 3
"""What is long has run once after so many."""
STORING = {"attack", "games", "tournaments", "verify"}
"""Folders whose tests run on PostgreSQL too: those of what stores, locks and asks. A file of them runs on
SQLite one day and on PostgreSQL the next."""
BOTH = {"deploy"}
"""What is done otherwise on either database is tested on both each time."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tier", choices=TIERS, default="nightly", help="how much of the tests to run")
    parser.addoption("--day", type=int, help="which thirds, members and databases a full run takes")


def pytest_configure(config: pytest.Config) -> None:
    """The workers of pytest-xdist take the day of their parent, also after midnight."""
    asked = config.getoption("--day")
    os.environ[DAY] = str(asked if asked is not None else os.environ.get(DAY, _today()))


def pytest_report_header(config: pytest.Config) -> str:
    tier = config.getoption("--tier")
    return f"tier: {tier}" + (f", --day {os.environ[DAY]}" if tier != "nightly" else "")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    tier, day = config.getoption("--tier"), int(os.environ[DAY])
    if tier == "nightly":
        return
    wanted = set(_of_families(items, day))
    if tier == "fast":
        wanted = {item for item in wanted if _is_fast(item)}
    else:
        database = config.getoption("--on")
        wanted = {item for item in wanted if not _is_long(item) or _has_its_turn(item, day, DAYS)}
        wanted = {item for item in wanted if database in _databases(item, day)}
    config.hook.pytest_deselected(items=[item for item in items if item not in wanted])
    items[:] = [item for item in items if item in wanted]


def members(count: int, at_once: int, day: int) -> set[int]:
    """Which of a family's so many members run on a day: after `count` days each has run `at_once` times."""
    return {(day * at_once + n) % count for n in range(min(at_once, count))}


def _of_families(items: Sequence[pytest.Item], day: int) -> Iterable[pytest.Item]:
    families: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("family") is None:
            yield item
        else:
            families.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for family in families.values():
        marker = family[0].get_closest_marker("family")
        assert marker is not None
        taken = members(len(family), marker.args[0] if marker.args else 1, day)
        yield from (member for n, member in enumerate(family) if n in taken)


def _has_its_turn(item: pytest.Item, day: int, days: int) -> bool:
    """Once in so many days, with the whole of its file. By the name of the file: the runs on both databases
    must agree and do not see the same files."""
    name = item.path.relative_to(item.config.rootpath).as_posix() if _folder(item) else item.path.name
    return (zlib.crc32(name.encode()) + day) % days == 0


def _databases(item: pytest.Item, day: int) -> tuple[str, ...]:
    """What stores runs on either by turns, all else on SQLite."""
    if not touches_database(item) or _folder(item) not in STORING | BOTH:
        return ("sqlite",)
    if _folder(item) in BOTH:
        return ("sqlite", "postgresql")
    return ("postgresql",) if _has_its_turn(item, day, 2) else ("sqlite",)


def _is_long(item: pytest.Item) -> bool:
    """Members of a family come by turns of their own."""
    marked = item.get_closest_marker("slow") and not item.get_closest_marker("family")
    return bool(marked) or _folder(item) in LONG


def _is_fast(item: pytest.Item) -> bool:
    slow = any(item.get_closest_marker(name) for name in ("browser", "faults", "slow"))
    return not slow and "browser" not in getattr(item, "fixturenames", ()) and _folder(item) not in NOT_FAST


def _folder(item: pytest.Item) -> str:
    """Of tests/: `games` for tests/games/api/test_x.py too."""
    tests = item.config.rootpath / "tests"
    return item.path.relative_to(tests).parts[0] if item.path.is_relative_to(tests) else ""


def _today() -> int:
    return datetime.datetime.now(datetime.UTC).toordinal()
