"""A pytest plugin: browser tests have a timeout, and are repeated when their browser has ended.

Playwright waits for most answers without a timeout, so a browser that hangs would keep the whole run waiting.
The plugin kills it instead. Shared state of tests (a platform, people signed in, a game half played) does not
fit a new browser, so all fixtures of the file begin again, not only those of the test. pytest-rerunfailures
would keep them.
"""

import contextlib
from collections.abc import Generator

import pytest
from _pytest.runner import runtestprotocol

from tests import browsers
from tests.plugin import uses_browser

ENDED = pytest.StashKey[bool]()
"""Whether the test failed because its browser has ended."""
ANSWERING = 300.0
"""Timeout in seconds of the fixtures of a browser test, and of the test; the longest takes fifty."""


def _while_browsers_answer(item: pytest.Item) -> Generator[None, None, None]:
    if not uses_browser(item):
        return (yield)
    with browsers.ended_after(ANSWERING):
        return (yield)


pytest_runtest_setup = pytest.hookimpl(wrapper=True)(_while_browsers_answer)
pytest_runtest_call = pytest.hookimpl(wrapper=True)(_while_browsers_answer)
pytest_runtest_teardown = pytest.hookimpl(wrapper=True)(_while_browsers_answer)


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Only the last attempt counts; the first is a report of its own kind, shown in the summary."""
    if not uses_browser(item):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if ENDED in item.stash:
        _forget_the_file(item)
        for report in reports:
            if report.failed:
                report.outcome = "rerun"  # type: ignore[assignment]  # a plugin may add outcomes
                item.ihook.pytest_runtest_logreport(report=report)
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    said = any(words in report.longreprtext for words in browsers.ENDED)
    if report.failed and (said or browsers.gone()):
        item.stash[ENDED] = True
    return report


def _forget_the_file(item: pytest.Item) -> None:
    file = item.getparent(pytest.Module)
    assert file is not None
    with contextlib.suppress(Exception):  # a fixture may fail to close; the others are torn down all the same
        item.session._setupstate.teardown_exact(file.parent)  # type: ignore[arg-type]  # pytest asks it only for its chain of parents


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    outcome: str = report.outcome
    return ("rerun", "R", "TRIED AGAIN") if outcome == "rerun" else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.section(f"tried again: {report.nodeid}", yellow=True)
        terminalreporter.line(report.longreprtext)
