"""`manage.py test` says plainly what it could not run, and where nothing may be left out it fails."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import coverage
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deploy.environment import BASE_DIR
from tests import measuring, redundant, tiers

A_SKIP = """
import pytest

def test_it():
    pytest.skip("no PostgreSQL here")

def test_that():
    assert 1
"""


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    own = ("PYTEST_", "PUUR_", "CI", "DATABASE_URL", "REDIS_URL", "COV_CORE")
    outside = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    return subprocess.run(
        [sys.executable, "manage.py", "test", *arguments],
        cwd=BASE_DIR,
        env={**outside, **variables},
        capture_output=True,
        text=True,
    )


@pytest.fixture
def a_skip(tmp_path: Path) -> str:
    path = tmp_path / "test_a_skip.py"
    path.write_text(A_SKIP)
    return str(path)


@pytest.mark.slow
def test_what_was_left_out_is_listed_with_its_reason(a_skip: str) -> None:
    done = run(a_skip)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "not run on this machine" in done.stdout
    assert "1 × no PostgreSQL here" in done.stdout
    assert "1 passed, 1 skipped" in done.stdout


@pytest.mark.slow
def test_in_ci_a_skip_fails_the_run(a_skip: str) -> None:
    done = run(a_skip, CI="true")
    assert done.returncode == 1, done.stdout
    assert "every test has to run" in done.stdout


@pytest.mark.slow
def test_arguments_go_on_to_pytest(a_skip: str) -> None:
    done = run(a_skip, "-k", "that", CI="true")
    assert done.returncode == 0, done.stdout
    assert "1 passed, 1 deselected" in done.stdout


@pytest.mark.slow
def test_settings_of_the_outside_do_not_reach_the_tests(tmp_path: Path) -> None:
    path = tmp_path / "test_settings.py"
    path.write_text(
        "from django.conf import settings\n\n"
        "def test_it():\n    assert settings.DATABASES['default']['ENGINE'].endswith('sqlite3')\n"
    )
    done = run(str(path), DATABASE_URL="postgresql://nobody@127.0.0.1:1/none", SECRET_KEY="x")
    assert done.returncode == 0, done.stdout


FAMILY = """
import pytest

@pytest.mark.family(2)
@pytest.mark.parametrize("game", range(5))
def test_alike(game):
    assert 1

@pytest.mark.slow
def test_long():
    assert 1

@pytest.mark.slow
@pytest.mark.parametrize("game", range(8))
def test_slow(game):
    assert 1
"""


@pytest.fixture
def a_family(tmp_path: Path) -> str:
    path = tmp_path / "test_a_family.py"
    path.write_text(FAMILY)
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tier", "day", "taken"),
    [
        ("fast", 4, "[3] [4]"),
        ("full", 6, "[2] [3] long slow[4] slow[5]"),
        ("full", 4, "[3] [4] slow[0] slow[1]"),
        ("nightly", 4, "[0] [1] [2] [3] [4] long " + " ".join(f"slow[{n}]" for n in range(8))),
    ],
)
def test_a_tier_leaves_out_what_belongs_to_a_longer_one(
    a_family: str, tier: str, day: int, taken: str
) -> None:
    done = run("--tier", tier, "--day", str(day), "-v", a_family, CI="true")
    assert done.returncode == 0, done.stdout
    passed = re.findall(r"::test_(?:alike)?(\S+) PASSED", done.stdout)
    assert " ".join(passed) == taken


@pytest.mark.slow
def test_what_is_named_is_run_whole(a_family: str) -> None:
    assert "14 passed" in run(a_family).stdout


CHOSEN = """
from typing import Protocol

class Choosing(Protocol):
    def choose(self) -> int:
        ...

def chosen(first: bool) -> int:
    if first:
        return 1
    return 2
"""
PASSING = """
from pathlib import Path
from tests import measuring

measuring.BASE_DIR, measuring.THRESHOLDS = Path.cwd(), {{"chosen": 100}}
measuring.prepare(Path("left"))
measuring.start("chosen")
import chosen.ways
chosen.ways.chosen({way})
measuring.write()
"""


def test_lines_and_branches_that_no_process_passed_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    package, left = tmp_path / "chosen", tmp_path / "left"
    for folder in (package, left):
        folder.mkdir()
    (package / "ways.py").write_text(CHOSEN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(measuring, "BASE_DIR", tmp_path)
    monkeypatch.setattr(measuring, "THRESHOLDS", {"chosen": 100})

    def passed(way: bool) -> tuple[int, str]:
        program = "from tests import measuring\nmeasuring.THRESHOLDS = {'chosen': 100}\n" + PASSING.format(
            way=way
        )
        environment = {"PYTHONPATH": f"{BASE_DIR}:{tmp_path}"}
        subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=environment, check=True)
        code = measuring.report(left)
        return code, capfd.readouterr().out

    assert measuring.report(left) == 1
    assert "coverage of chosen: 0.00 %" in capfd.readouterr().out
    code, said = passed(True)
    assert code == 1
    assert "ways.py" in said
    assert passed(False)[0] == 0
    (package / "never.py").write_text("FORGOTTEN = 1\n")
    assert measuring.report(left) == 1
    assert "never.py" in capfd.readouterr().out


def test_a_test_that_passes_nothing_of_its_own_is_redundant(tmp_path: Path) -> None:
    data = coverage.CoverageData(str(tmp_path / "data"))
    for context, arcs in {
        "": [(-1, 1)],
        "tests/a.py::test_both|run": [(-1, 1), (1, 2), (1, 3)],
        "tests/a.py::test_first[x]|run": [(-1, 1), (1, 2)],
        "tests/a.py::test_own|run": [(1, 3), (3, 4)],
        "tests/a.py::test_outside_only|run": [(-1, 1)],
        "tests/a.py::test_fixtures_only|setup": [(-1, 1), (1, 2)],
        "tests/b.py::test_starts|run": [(1, 2)],
    }.items():
        data.set_context(context)
        data.add_arcs({"games/x.py": arcs})
    data.close()
    passed = redundant.measured(tmp_path / "data")
    assert passed["tests/a.py::test_own"] == {(1, 1, 3), (1, 3, 4)}
    before = ["tests/a.py::test_both", "tests/c.py::test_not_measured_now"]
    assert redundant.decided(before, passed, starting={"tests/b.py"}) == [
        "tests/a.py::test_first",
        "tests/c.py::test_not_measured_now",
    ]


def test_the_list_of_redundant_tests_names_tests_that_there_are() -> None:
    for test in sorted(redundant.listed()):
        path, _, name = test.partition("::")
        assert re.search(rf"def {re.escape(name)}\(", (BASE_DIR / path).read_text()), test


class Alike:
    """As much of a test as its tier is decided by."""

    def __init__(self, path: str, *marks: pytest.Mark, case: int | None = None) -> None:
        self.config = SimpleNamespace(rootpath=BASE_DIR)
        self.path = BASE_DIR / path
        self.nodeid = f"{path}::test_it" + ("" if case is None else f"[{case}]")
        self.stash = pytest.Stash()
        self.fixturenames = ["db"]
        self._marks = {mark.name: mark for mark in marks}

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self._marks.get(name)


@pytest.mark.parametrize(("path", "days"), [("tests/games/test_it.py", 14), ("tests/frontend/test_it.py", 7)])
def test_the_fast_tier_takes_other_cases_each_day(
    path: str, days: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redundant, "starts_processes", lambda file: False)
    items: list[Any] = [Alike(path, case=n) for n in range(14)]
    runs = [tiers.taken(items, "fast", 739946 + n, "sqlite") for n in range(days)]
    assert set().union(*runs) == set(items)
    assert {len(run) for run in runs} <= {0, 2}
    long: list[Any] = [Alike(path, SLOW)]
    assert not tiers.taken(long, "fast", 739946, "sqlite")


def test_the_fast_tier_takes_nothing_that_is_redundant_or_starts_processes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    starting = BASE_DIR / "tests/deploy/test_starting.py"
    monkeypatch.setattr(redundant, "listed", lambda: {f"{REDUNDANT}::test_it"})
    monkeypatch.setattr(redundant, "starts_processes", lambda file: file == starting)
    paths = ["tests/frontend/test_it.py", REDUNDANT, "tests/deploy/test_starting.py"]
    items: list[Any] = [Alike(path) for path in paths]
    assert tiers.taken(items, "fast", 739946, "sqlite") == {items[0]}


SLOW, THREE, ONE = pytest.mark.slow.mark, pytest.mark.family(3).mark, pytest.mark.family.mark
REDUNDANT = "tests/games/test_redundant.py"


@pytest.mark.parametrize(
    ("path", "marks", "cases", "days"),
    [
        ("tests/games/test_it.py", (), 3, 1),
        (REDUNDANT, (), 3, 2),
        (REDUNDANT, (THREE,), 12, 4),
        ("tests/games/test_it.py", (SLOW,), 3, 7),
        ("tests/games/test_it.py", (SLOW,), 7, 7),
        ("tests/games/test_it.py", (SLOW,), 30, 7),
        ("tests/games/test_it.py", (THREE,), 12, 4),
        ("tests/tournaments/test_it.py", (ONE, SLOW), 10, 10),
        ("tests/e2e/test_it.py", (), 3, 7),
        ("tests/e2e/test_it.py", (ONE,), 3, 21),
        ("tests/e2e/test_it.py", (ONE,), 7, 49),
    ],
)
@pytest.mark.parametrize("first", [739946, 739949])
def test_each_case_has_its_day_and_each_database_of_what_stores(
    path: str,
    marks: tuple[pytest.Mark, ...],
    cases: int,
    days: int,
    first: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(redundant, "listed", lambda: {f"{REDUNDANT}::test_it"})
    items: list[Any] = [Alike(path, *marks, case=n) for n in range(cases)]
    stores = path.split("/")[1] in tiers.STORING
    ran: dict[str, set[object]] = {"sqlite": set(), "postgresql": set()}
    for day in range(first, first + 2 * days):
        for database, those in ran.items():
            those |= tiers.taken(items, "full", day, database)
        if day == first + days - 1:
            assert ran["sqlite"] | ran["postgresql"] == set(items)
    assert ran["sqlite"] == set(items)
    assert ran["postgresql"] == (set(items) if stores else set())


@given(st.integers(1, 60), st.integers(1, 60), st.integers(0, 10**6))
def test_each_member_of_a_family_has_its_day(count: int, at_once: int, day: int) -> None:
    runs = [tiers.members(count, at_once, day + n) for n in range(count)]
    assert set().union(*runs) == set(range(count))
    assert all(len(run) == min(count, at_once) for run in runs)
