"""Debian's Chromium, driven by Playwright: no browser is downloaded."""

import contextlib
import os
import shutil
import signal
import threading
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import BrowserContext, Page, Playwright, expect, sync_playwright

from tests import servers

ENDED = ("TargetClosedError", "Target crashed", "Page crashed")
"""What Playwright says where a browser, or the process of a page, is there no longer."""
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


_running: set[int] = set()
"""The browsers that this process has started, by their ids."""


class Chromium:
    """A browser, and another one where it has been ended. `process` is its id."""

    def __init__(self, playwright: Playwright, path: str) -> None:
        self._playwright, self._path = playwright, path
        self._start()

    def _start(self) -> None:
        self._browser = self._playwright.chromium.launch(executable_path=self._path, args=ARGUMENTS)
        told = self._browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
        self.process = next(one["id"] for one in told["processInfo"] if one["type"] == "browser")
        _running.add(self.process)

    def new_context(self, **options: Any) -> BrowserContext:
        """A context in this browser, or in the next."""
        if not self._browser.is_connected():
            _running.remove(self.process)
            self._start()
        return self._browser.new_context(**options)

    def close(self) -> None:
        self._browser.close()
        _running.remove(self.process)


@contextlib.contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """Within, a browser is killed after so many seconds, and what waits for it raises the first of ENDED."""
    watchdog = threading.Timer(seconds, _end_browsers)
    watchdog.start()
    try:
        yield
    finally:
        watchdog.cancel()


def _end_browsers() -> None:
    for process in _running:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


@contextlib.contextmanager
def chromium() -> Iterator[Chromium]:
    """A started browser; skips loudly where there is none."""
    path = executable()
    if path is None:
        servers.missing("browser tests: no Chromium on this machine (apt install chromium-headless-shell)")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright, contextlib.closing(Chromium(playwright, path)) as started:
        yield started


@contextlib.contextmanager
def fresh_page(browser: Chromium, locale: str = "en-GB", **context: Any) -> Iterator[Page]:
    """A page whose uncaught errors, and errors on the console (CSP's among them), fail the test at its end.

    A test that provokes one on purpose empties `page.errors`: `page.errors.clear()`.
    """
    with contextlib.closing(browser.new_context(locale=locale, **context)) as opened:
        opened.set_default_timeout(PATIENCE)
        page = opened.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.errors = errors
        yield page
        assert errors == [], "the page had errors"
