"""Debian's Chromium, driven by Playwright: no browser is downloaded."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests import servers

PATIENCE = 30_000  # milliseconds; two workers and a process tree share two cores
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
    """PUUR_CHROMIUM, else a Chromium or Chrome on the PATH."""
    given = os.environ.get("PUUR_CHROMIUM")
    return given or shutil.which("chromium") or shutil.which("google-chrome")


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """A started browser; skips loudly where there is none."""
    path = executable()
    if path is None:
        servers.missing("browser tests: no Chromium on this machine (apt install chromium)")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            yield started
        finally:
            started.close()


@contextlib.contextmanager
def fresh_page(browser: Browser, **context: Any) -> Iterator[Page]:
    """A page whose uncaught errors, and errors on the console (CSP's among them), fail the test at its end.

    A test that provokes one on purpose empties `page.errors`: `page.errors.clear()`.
    """
    with contextlib.closing(browser.new_context(locale="en-GB", **context)) as opened:
        opened.set_default_timeout(PATIENCE)
        page = opened.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.errors = errors
        yield page
        assert errors == [], "the page had errors"
