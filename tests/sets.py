"""A pytest plugin: three fixed sets of tests, chosen by markers.

    fast      no database, no browser, no other process, nothing marked `slow` or `long`
    default   all that is not `long`, and n cases of `long(n)`; of what is marked `both`, or uses the
              database in tests/deploy, the first case also on PostgreSQL
    all       every case; what touches the database also on PostgreSQL

The set depends on nothing but the commit (ADR 19). Without `--set` pytest runs what it is given.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import hypothesis
import pytest

from tests.plugin import in_folder, touches_database, uses_browser

SETS = ("fast", "default", "all")
NOT_FAST = ("faults", "long", "slow")
NOT_FAST_FOLDERS = {"attack", "deploy", "e2e", "faults", "upgrade"}
BOTH_FOLDERS = {"deploy"}
"""Folders whose database tests run on both databases."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--set", choices=SETS, default="all", help="which of the tests to run")


def pytest_configure(config: pytest.Config) -> None:
    """Derandomise examples except in the set `all`."""
    if config.getoption("--set") != "all":
        hypothesis.settings.register_profile("fixed", derandomize=True)
        hypothesis.settings.load_profile("fixed")


def pytest_report_header(config: pytest.Config) -> str:
    return f"set: {config.getoption('--set')}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip the files of which the second run of the default set needs nothing: their imports take each worker
    many seconds."""
    if (config.getoption("--set"), config.getoption("--on")) != ("default", "postgresql"):
        return None
    if not collection_path.match("test_*.py") or collection_path.parent.name in BOTH_FOLDERS:
        return None
    return None if _mentions_both(collection_path) else True


def _mentions_both(path: Path) -> bool:
    return "mark.both" in path.read_text()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Select the tests of the set. Raises UsageError for a marker `both` that the second run would miss."""
    marked = {item.path for item in items if item.get_closest_marker("both") is not None}
    if missed := sorted(str(path) for path in marked if not _mentions_both(path)):
        raise pytest.UsageError(f"write pytest.mark.both in {', '.join(missed)}: nothing else is searched")
    chosen = select(items, config.getoption("--set"), config.getoption("--on"))
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = [item for item in items if item in chosen]


def select(items: Sequence[pytest.Item], name: str, database: str) -> set[pytest.Item]:
    """The tests that the set `name` runs on this database ("sqlite" or "postgresql")."""
    if name == "all":
        return set(items)
    if name == "fast":
        return {item for item in items if _is_fast(item)}
    if database == "sqlite":
        return set(_without_long(items))
    # The other cases differ in what they do, not in how they ask the database.
    return set(_without_long([item for item in items if _runs_on_both(item)], most=1))


def spread(count: int, wanted: int) -> set[int]:
    """The numbers of `wanted` of `count` cases, at equal distances, the first one among them."""
    wanted = min(wanted, count)
    return {n * count // wanted for n in range(wanted)}


def _without_long(items: Sequence[pytest.Item], most: int | None = None) -> Iterator[pytest.Item]:
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for alike in cases.values():
        marker = alike[0].get_closest_marker("long")
        wanted = len(alike) if marker is None else marker.args[0] if marker.args else 0
        numbers = spread(len(alike), wanted if most is None else min(wanted, most))
        yield from (item for n, item in enumerate(alike) if n in numbers)


def _runs_on_both(item: pytest.Item) -> bool:
    """Whether the second run needs a test; a test with a database of its own meets both in the first run."""
    if "database_template" in getattr(item, "fixturenames", ()):
        return False
    return item.get_closest_marker("both") is not None or (
        in_folder(item, BOTH_FOLDERS) and touches_database(item)
    )


def _is_fast(item: pytest.Item) -> bool:
    marked = any(item.get_closest_marker(name) for name in NOT_FAST)
    return not (marked or uses_browser(item) or touches_database(item) or in_folder(item, NOT_FAST_FOLDERS))
