"""The early pytest plugin: finds or starts the servers before Django's settings are read.

    pytest                         SQLite and a private Valkey, as in `manage.py demo`
    pytest --on postgresql         PostgreSQL and Redis, as in production: only what touches a database
    PUUR_TEST_POSTGRES=URL         an address to use instead of looking for a server
    PUUR_TEST_REDIS=URL            likewise

With CI=true a missing server is an error and a skip fails the run.
"""

import gc
import os
import secrets
import shutil
import tempfile
from collections.abc import Generator, Sequence, Set
from itertools import zip_longest
from pathlib import Path

import pytest

from games.encryption import make_data_key
from tests import restoring, servers, templates
from tests.templates import HOME

ON = "PUUR_TEST_ON"
WORKER = "PYTEST_XDIST_WORKER"
WAITING = {"e2e", "faults", "deploy"}
"""Folders of tests that wait for other processes most of their time."""
DATABASE_FIXTURES = {"db", "transactional_db", "django_db_reset_sequences", "live_server"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--on", choices=["sqlite", "postgresql"], default="sqlite", help="the database of this run"
    )


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None, object, object]:
    """A wrapper, because pytest-django reads the settings in this hook and asks to go first too."""
    prepare(early_config.known_args_namespace.on)
    return (yield)


def prepare(on: str) -> None:
    """Set the environment variables that the settings read; a worker of pytest-xdist uses its parent's
    servers."""
    if WORKER not in os.environ:
        os.environ[HOME] = tempfile.mkdtemp(prefix="puur-tests-")
        os.environ[ON] = on
        os.environ["SECRET_KEY"] = secrets.token_urlsafe(50)
        os.environ["LOG_LEVEL"] = "WARNING"
        os.environ["PUUR_LANGUAGE"] = "en"
        os.environ["PUUR_LIMITS"] = "0"
        os.environ["PUUR_BOTS_THINK"] = "0"  # tests of tables do not depend on the strength of bots
        for name in ("PUUR_ORIGIN", "ALLOWED_HOSTS", "DEBUG", "DATABASE_URL"):
            os.environ.pop(name, None)
        os.environ["REDIS_URL"] = servers.redis_url(prefer_private=on == "sqlite")
    worker = os.environ.get(WORKER, "main")
    home = Path(os.environ[HOME]) / worker
    home.mkdir()
    os.environ["PUUR_VAR"] = str(home)
    os.environ["PUUR_DATA_KEY"] = str(home / "data_key")
    make_data_key(home / "data_key")
    os.environ["PUUR_CHANNEL_PREFIX"] = f"{Path(os.environ[HOME]).name}-{worker}"
    if os.environ[ON] == "postgresql":
        # A unique name: several runs may share one server.
        name = os.environ["PUUR_CHANNEL_PREFIX"].replace("-", "_").lower()
        os.environ["DATABASE_URL"] = servers.with_database(servers.postgres_url(), f"puur_{name}")


def pytest_configure() -> None:
    restoring.install()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Exempt all that exists by now from garbage collection, as the web process does (deploy/asgi.py)."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    restoring.forget()
    if WORKER not in os.environ and HOME in os.environ:
        templates.forget()
        shutil.rmtree(os.environ.pop(HOME), ignore_errors=True)
    servers.stop_all()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items[:] = _interleaved(items)
    if config.getoption("--on") == "postgresql":
        config.hook.pytest_deselected(items=[item for item in items if not touches_database(item)])
        items[:] = [item for item in items if touches_database(item)]


def touches_database(item: pytest.Item) -> bool:
    """Whether the result of a test may depend on the database."""
    fixtures = DATABASE_FIXTURES.intersection(getattr(item, "fixturenames", ()))
    return bool(fixtures or item.get_closest_marker("django_db") or item.get_closest_marker("both"))


def uses_browser(item: pytest.Item) -> bool:
    """Whether a test drives Chromium."""
    return "browser" in getattr(item, "fixturenames", ()) or item.get_closest_marker("browser") is not None


def in_folder(item: pytest.Item, names: Set[str]) -> bool:
    """Whether a test lies in one of these folders of tests/, or in a folder within."""
    tests = item.config.rootpath / "tests"
    return item.path.is_relative_to(tests) and item.path.relative_to(tests).parts[0] in names


def _interleaved(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Alternate files that wait and files that compute, so that neither processor nor workers are idle.
    Waiting files end early: the last file should not be a long one."""
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    waiting = [tests for path, tests in files.items() if path.parent.name in WAITING]
    computing = [tests for path, tests in files.items() if path.parent.name not in WAITING]
    turns = zip_longest(waiting, computing, fillvalue=())
    return [item for both in turns for tests in both for item in tests]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """With CI=true, a skipped test fails the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") == "true" and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    if not skipped:
        return
    reasons: dict[str, int] = {}
    for report in skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reason = reason.removeprefix("Skipped: ")
        reasons[reason] = reasons.get(reason, 0) + 1
    terminalreporter.section("not run on this machine", sep="=", yellow=True, bold=True)
    for reason, count in sorted(reasons.items()):
        terminalreporter.line(f"{count:4} × {reason}")
    if os.environ.get("CI") == "true":
        terminalreporter.line("With CI=true every test has to run: this run fails.", red=True)
