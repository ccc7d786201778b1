"""The shared browser of the page tests."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect

from tests import browsers
from tests.frontend.catalogues import ROOT
from tests.processes import still_running

pytestmark = [pytest.mark.long, pytest.mark.browser]

FILE = """
import pytest
from tests import browsers

opened = []


@pytest.fixture(scope="module")
def browser():
    with browsers.chromium() as started:
        yield started


@pytest.fixture(scope="module")
def anna(browser):
    opened.append(browser.new_context())
    return opened[-1]


def test_goes_well(anna):
    anna.new_page().close()


def test_loses_its_browser(anna):
    if len(opened) == 1:
        browsers.end()
    anna.new_page().close()


def test_does_not_say_what_it_lost(anna):
    if len(opened) == 2:
        browsers.end()
        raise AssertionError("a heading is missing")


def test_fails_by_itself(anna):
    anna.new_page().close()
    assert len(opened) == 1


def test_loses_every_browser(anna):
    browsers.end()
    anna.new_page()
"""


@pytest.mark.parametrize("stuck", ["the driver", "the browser"])
def test_what_does_not_answer_is_ended(stuck: str) -> None:
    with browsers.chromium() as browser:
        driver, *others = everything = browsers.processes()
        assert others
        for pid in [driver] if stuck == "the driver" else others:
            os.kill(pid, signal.SIGSTOP)
        with pytest.raises(Error) as raised, browsers.ended_after(3):
            browser.new_context()
        assert any(said in str(raised.value) for said in browsers.ENDED)
    assert still_running(everything) == []


def test_whoever_waits_for_a_browser_that_dies_is_told_so() -> None:
    with browsers.chromium() as browser:
        page = browser.new_page()
        _driver, *others = browsers.processes()
        death = threading.Timer(1, browsers.kill, [others])
        death.start()
        with pytest.raises(AssertionError) as raised:
            expect(page.locator("h1")).to_be_visible()
        assert any(said in str(raised.value) for said in browsers.ENDED)


def test_a_test_whose_browser_has_ended_begins_again_with_everything_new(tmp_path: Path) -> None:
    (tmp_path / "test_pages.py").write_text(FILE, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-v",
        "-p",
        "tests.browser_retries",
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
        "test_does_not_say_what_it_lost TRIED AGAIN",
        "test_does_not_say_what_it_lost PASSED",
        "test_fails_by_itself FAILED",
        "test_loses_every_browser TRIED AGAIN",
        "test_loses_every_browser FAILED",
    ], ran.stdout + ran.stderr
