"""Web processes on one folder have different small numbers, and one that ends leaves its own to the next."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from deploy.environment import BASE_DIR
from deploy.process_tree import worker_ids

ONE = """
import sys
from pathlib import Path
from types import SimpleNamespace
from deploy.process_tree import worker_ids

worker_ids.settings = SimpleNamespace(VAR_DIR=Path(sys.argv[1]))
print(worker_ids.get_process_number(), worker_ids.get_process_number(), flush=True)
sys.stdin.read()
"""


def started(folder: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", ONE, str(folder)]
    return subprocess.Popen(
        command, cwd=BASE_DIR, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )


def said(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.fixture
def three(tmp_path: Path) -> Iterator[list["subprocess.Popen[str]"]]:
    found = []
    try:
        for number in (1, 2, 3):
            found.append(started(tmp_path))
            assert said(found[-1]) == f"{number} {number}\n"
        yield found
    finally:
        for process in found:
            process.communicate()


def test_a_new_process_takes_the_number_of_the_one_that_ended(
    three: list["subprocess.Popen[str]"], tmp_path: Path
) -> None:
    three[1].communicate()
    three.append(started(tmp_path))
    assert said(three[-1]) == "2 2\n"


def test_where_all_numbers_are_taken_a_process_has_none(
    three: list["subprocess.Popen[str]"], tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(worker_ids, "MAX_WORKERS", len(three))
    assert worker_ids.get_process_number.__wrapped__() == 0


def test_a_process_that_may_keep_nothing_in_its_folder_has_none(settings: Settings, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path / "not made yet"
    assert worker_ids.get_process_number.__wrapped__() == 0
