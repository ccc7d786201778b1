"""How command lines end if nobody reads their output, it cannot be written, or Ctrl-C ends them."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.cli import input_file
from engine.cli.main import main

TOP = Path(__file__).parents[2]
WRITERS = (
    ["-m", "engine", "variants"],
    ["-m", "tournaments.pairing", "systems"],
    ["docs/verify/puur_verify.py", "--self-test"],
)
READERS = (
    ["-m", "engine", "audit"],
    ["-m", "tournaments.pairing", "next"],
    ["-m", "tournaments.standings", "rank"],
    ["-m", "tournaments.series", "table"],
)
INTERRUPTED_READING = """
import runpy, sys, types
def read(*most):
    raise KeyboardInterrupt
module, *sys.argv[1:] = sys.argv[1:]
sys.stdin = types.SimpleNamespace(buffer=types.SimpleNamespace(read=read))
runpy.run_module(module, run_name="__main__")
"""


@pytest.mark.parametrize("arguments", WRITERS, ids=str)
def test_output_that_cannot_be_written_is_one_line(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        run = [sys.executable, *arguments]
        done = subprocess.run(run, cwd=TOP, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "No space left on device" in done.stderr


@pytest.mark.parametrize("arguments", WRITERS, ids=str)
def test_a_pipe_that_nobody_reads_is_no_traceback(arguments: list[str]) -> None:
    unread, pipe = os.pipe()
    os.close(unread)
    done = subprocess.run(
        [sys.executable, *arguments], cwd=TOP, stdout=pipe, stderr=subprocess.PIPE, text=True
    )
    os.close(pipe)
    assert done.stderr == ""


@pytest.mark.parametrize("arguments", READERS, ids=str)
def test_ctrl_c_ends_a_command_line_without_a_traceback(arguments: list[str]) -> None:
    run = [sys.executable, "-c", INTERRUPTED_READING, *arguments[1:]]
    done = subprocess.run(run, cwd=TOP, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "")


@pytest.mark.parametrize("arguments", READERS[1:], ids=str)
def test_an_endless_standard_input_is_refused_in_one_line(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(input_file, "MAX_FILE_BYTES", 100)
    program = importlib.import_module(f"{arguments[1]}.__main__")
    with open("/dev/zero") as endless:
        monkeypatch.setattr(sys, "stdin", endless)
        assert program.main(arguments[2:]) == 2
    answer = capsys.readouterr()
    assert answer.err.startswith("file/too_large: ")
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize("arguments", READERS, ids=str)
def test_a_missing_standard_input_is_empty(arguments: list[str]) -> None:
    run = ["sh", "-c", 'exec "$@" <&-', "sh", sys.executable, *arguments]
    done = subprocess.run(run, cwd=TOP, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_options_and_a_seed_that_are_not_text(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["play", "schieber", "--options", '{"\udcff":0}']) == 2
    assert capfdbinary.readouterr().err.startswith(b"start/bad_options: ")
    drawn = ["-m", "tournaments.pairing", "draw", "--players", "4", "--rounds", "1", "--seed"]
    run: list[str | bytes] = [sys.executable, *drawn, b"\xff"]
    assert subprocess.run(run, cwd=TOP, capture_output=True).returncode == 0
