"""The browser that the tests of pages share."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect

from tests import browsers
from tests.frontend.catalogues import ROOT

pytestmark = pytest.mark.browser

FILE = """
import os
import signal

import pytest
from tests import browsers

opened = []


@pytest.fixture(scope="module")
def browser():
    with browsers.chromium() as started:
        yield started


@pytest.fixture(scope="module")
def anna(browser):
    context = browser.new_context()
    opened.append(context)
    yield context
    context.close()


def test_goes_well(anna):
    anna.new_page().close()


def test_loses_its_browser(anna, browser):
    if len(opened) == 1:
        os.kill(browser.process, signal.SIGKILL)
    anna.new_page().close()


def test_fails_by_itself(anna):
    anna.new_page().close()
    assert len(opened) == 1


def test_loses_every_browser(anna, browser):
    os.kill(browser.process, signal.SIGKILL)
    anna.new_page()
"""


def test_a_browser_that_does_not_answer_is_ended_and_another_one_does() -> None:
    with browsers.chromium() as browser:
        stuck = browser.process
        os.kill(stuck, signal.SIGSTOP)
        with pytest.raises(Error, match="closed") as raised, browsers.ended_after(5):
            browser.new_context()
        assert type(raised.value).__name__ in browsers.ENDED
        with browsers.fresh_page(browser) as page:
            page.set_content("<p>Grüezi</p>")
            expect(page.get_by_text("Grüezi")).to_be_visible()
        assert browser.process != stuck
        with pytest.raises(ProcessLookupError):
            os.kill(stuck, 0)


def test_a_test_whose_browser_has_ended_begins_again_with_everything_new(tmp_path: Path) -> None:
    (tmp_path / "test_pages.py").write_text(FILE, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-v",
        "-p",
        "tests.again",
        "--rootdir",
        str(tmp_path),
        str(tmp_path),
    ]

    ran = subprocess.run(
        command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )

    told = [line.split("::")[1].split("[")[0].strip() for line in ran.stdout.splitlines() if "%]" in line]
    assert told == [
        "test_goes_well PASSED",
        "test_loses_its_browser TRIED AGAIN",
        "test_loses_its_browser PASSED",
        "test_fails_by_itself FAILED",
        "test_loses_every_browser TRIED AGAIN",
        "test_loses_every_browser FAILED",
    ], ran.stdout + ran.stderr
