"""Debian's Chromium, driven by Playwright: no browser is downloaded."""

import contextlib
import os
import shutil
import signal
import threading
from collections.abc import Iterable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests import servers
from tests.processes import children_of, command_line

ENDED = (
    "Target page, context or browser has been closed",
    "Playwright connection closed",
    "Target crashed",
    "Page crashed",
)
"""Playwright's messages when a browser, or the process of a page, has ended."""
ASKED_ONCE = "try { localStorage.puur_sure ??= '0' } catch { /* no storage: nothing is kept there */ }"
PATIENCE = 60_000  # milliseconds; two workers and a process tree share two cores
EXECUTABLES = ("chromium-headless-shell", "chromium", "google-chrome")
"""The shell without a desktop first: it opens a page in a third of the time, and a whole Chromium without a
display has twice hung for good."""
ARGUMENTS = [
    "--no-sandbox",  # CI runs as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def executable() -> str | None:
    """PUUR_CHROMIUM, else the first of EXECUTABLES on the PATH."""
    found = (shutil.which(name) for name in EXECUTABLES)
    return os.environ.get("PUUR_CHROMIUM") or next(filter(None, found), None)


_errors: WeakKeyDictionary[Page, list[str]] = WeakKeyDictionary()
_driving = 0
"""The number of browsers that this process drives; more than one only where a test manages its own."""


def processes() -> list[int]:
    """Playwright's driver, which this process has started, and every process of its browser."""
    found = [pid for pid in children_of(os.getpid()) if "run-driver" in command_line(pid)]
    for pid in found:  # grows meanwhile
        found += children_of(pid)
    return found


def gone() -> bool:
    """Whether an expected browser has ended. A failure after that does not always say that it ENDED."""
    return _driving > 0 and len(processes()) < 2


def kill(pids: Iterable[int]) -> None:
    """Kill the processes that are still running."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def end() -> None:
    """Kill the browser and its driver: pending and later calls fail with ENDED.

    The driver is killed, too: it has been seen to lose an answer for good.
    """
    kill(processes())


@contextlib.contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """End the browser if the block takes more than so many seconds."""
    watchdog = threading.Timer(seconds, end)
    watchdog.start()
    try:
        yield
    finally:
        watchdog.cancel()


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """A started browser; skips loudly where there is none."""
    path = executable()
    if path is None:
        servers.missing("browser tests: no Chromium on this machine (apt install chromium-headless-shell)")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright, _driven():
        yield playwright.chromium.launch(executable_path=path, args=ARGUMENTS)


@contextlib.contextmanager
def _driven() -> Iterator[None]:
    global _driving
    _driving += 1
    try:
        yield
    finally:
        _driving -= 1


@contextlib.contextmanager
def fresh_page(
    browser: Browser, locale: str = "en-GB", *, asked_twice: bool = False, **context: Any
) -> Iterator[Page]:
    """A page whose uncaught errors, and errors on the console (CSP's among them), fail the test at its end.

    A test that provokes an error on purpose calls `forgive`. Service workers are blocked, so that no state of
    an earlier test remains, unless the test allows them: `service_workers="allow"`. `asked_twice`: a table
    asks for confirmation of a command, as it does until the user switches that off.
    """
    context = {"service_workers": "block", **context}
    with contextlib.closing(browser.new_context(locale=locale, **context)) as opened:
        opened.set_default_timeout(PATIENCE)
        if not asked_twice:
            opened.add_init_script(ASKED_ONCE)
        page = opened.new_page()
        errors = _errors[page] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        yield page
        assert errors == [], "the page had errors"


def forgive(page: Page, saying: str = "") -> None:
    """Forgive the page's errors so far that contain this text."""
    _errors[page][:] = [error for error in _errors[page] if saying not in error]
