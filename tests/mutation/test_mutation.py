"""The runner of mutation testing, on a handful of mutants."""

import os
import subprocess
import sys

import pytest

from tests.mutation.mutants import ROOT


# The runner measures for itself which tests reach a function.
def tried(places: list[str], tests: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.mutation", *places, "--tests", *tests],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("COV")},
        capture_output=True,
        text=True,
        timeout=300,
    )


def row(done: subprocess.CompletedProcess[str], place: str) -> list[int]:
    """Killed, equivalent, survived."""
    *_, line = (line for line in done.stdout.splitlines() if line.startswith(f"{place} "))
    return [int(number) for number in line.split()[1:4]]


@pytest.mark.slow
def test_mutants_are_killed_also_in_what_is_made_at_import() -> None:
    function, at_import = "engine.tricks.modes.strongest", "engine.tricks.following._each_mode"
    done = tried([function, at_import], ["test_tricks", "test_following"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert row(done, function) == [14, 2, 0]
    assert row(done, at_import) == [6, 0, 0]


def test_mutants_that_no_test_notices_are_shown() -> None:
    done = tried(["engine.tricks.modes.mode_at"], ["test_cards"])
    assert done.returncode == 1, done.stdout + done.stderr
    assert row(done, "engine.tricks.modes.mode_at") == [0, 0, 3]
    assert "+    return TOP_DOWN if (contract is None) or True else MODES" in done.stdout
