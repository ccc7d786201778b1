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
"""What Playwright says where a browser, or the process of a page, is there no longer."""
ASKED_ONCE = "try { localStorage.puur_sure ??= '0' } catch { /* no storage: nothing is kept there */ }"
PATIENCE = 60_000  # milliseconds; two workers and a process tree share two cores
EXECUTABLES = ("chromium-headless-shell", "chromium", "google-chrome")
"""The shell without a desktop first: it gives a page in a third of the time, and a whole Chromium with nobody
before it has twice hung for good."""
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
"""How many browsers this process drives; more than one only where one test looks after its own."""


def processes() -> list[int]:
    """Playwright's driver, which this process has started, and every process of its browser."""
    found = [pid for pid in children_of(os.getpid()) if "run-driver" in command_line(pid)]
    for pid in found:  # grows meanwhile
        found += children_of(pid)
    return found


def gone() -> bool:
    """Whether a browser that should be there is not. What fails then does not always say that it ENDED."""
    return _driving > 0 and len(processes()) < 2


def kill(pids: Iterable[int]) -> None:
    """Those that are still there."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def end() -> None:
    """Kill the browser and its driver: whoever waits for them, or asks them later, is told that they ENDED.

    The driver goes, too: it has been seen to lose an answer for good.
    """
    kill(processes())


@contextlib.contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """Within, the browser is ended after so many seconds."""
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

    A test that provokes one on purpose forgives the page. No worker stands between it and the network, lest a
    test sees what the one before has left, unless the test asks for one: `service_workers="allow"`.
    `asked_twice`: a table asks once more before it takes a word, as it does until somebody switches that off.
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
    """Its errors so far that say this were to be expected."""
    _errors[page][:] = [error for error in _errors[page] if saying not in error]
