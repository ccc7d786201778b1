"""`manage.py test` says plainly what it could not run, and where nothing may be left out it fails."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deploy.environment import BASE_DIR
from tests import measuring, sets

A_SKIP = """
import pytest
from django.conf import settings

def test_it():
    pytest.skip("no PostgreSQL here")

def test_that():
    assert settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")

def test_other():
    assert 0
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
def test_what_was_left_out_is_listed_arguments_go_on_and_settings_of_the_outside_do_not(a_skip: str) -> None:
    done = run(a_skip, "-k", "not other", DATABASE_URL="postgresql://nobody@127.0.0.1:1/none", SECRET_KEY="x")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "not run on this machine" in done.stdout
    assert "1 × no PostgreSQL here" in done.stdout
    assert "1 passed, 1 skipped, 1 deselected" in done.stdout


@pytest.mark.slow
def test_in_ci_a_skip_fails_the_run(a_skip: str) -> None:
    done = run(a_skip, "-k", "not other", CI="true")
    assert done.returncode == 1, done.stdout
    assert "every test has to run" in done.stdout


LONG = """
import pytest

def test_database(db):
    assert 1

@pytest.mark.long(2)
@pytest.mark.parametrize("game", range(5))
def test_alike(game):
    assert 1

@pytest.mark.long
def test_long():
    assert 1

@pytest.mark.slow
def test_slow():
    assert 1

def test_quick():
    assert 1
"""


@pytest.mark.long(1)
@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("default", "database [0] [2] slow quick"),
        ("fast", "quick"),
        ("all", "database [0] [1] [2] [3] [4] long slow quick"),
    ],
)
def test_a_set_runs_the_same_tests_each_time(tmp_path: Path, name: str, chosen: str) -> None:
    path = tmp_path / "test_long.py"
    path.write_text(LONG)
    done = run("--set", name, "-v", str(path), CI="true")
    assert done.returncode == 0, done.stdout
    passed = re.findall(r"::test_(?:alike)?(\S+) PASSED", done.stdout)
    assert " ".join(passed) == chosen


def test_a_marker_that_the_second_run_would_miss_is_refused(
    pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    path = tmp_path / "test_alias.py"
    path.write_text("from elsewhere import twice")
    item: Any = SimpleNamespace(path=path, get_closest_marker={"both": True}.get)
    with pytest.raises(pytest.UsageError, match=str(path)):
        sets.pytest_collection_modifyitems(pytestconfig, [item])


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


class Item:
    """The attributes of a test that decide about its set."""

    def __init__(self, path: str, *marks: pytest.Mark, case: int | None = None) -> None:
        self.config = SimpleNamespace(rootpath=BASE_DIR)
        self.path = BASE_DIR / path
        self.nodeid = f"{path}::test_it" + ("" if case is None else f"[{case}]")
        self.fixturenames = ["db"]
        self._marks = {mark.name: mark for mark in marks}

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self._marks.get(name)


def test_postgresql_runs_what_is_marked_and_the_folder_of_deployment() -> None:
    both: Any = Item("tests/games/test_it.py", pytest.mark.both.mark)
    deploy: Any = Item("tests/deploy/test_it.py")
    items: list[Any] = [Item("tests/games/test_it.py"), both, deploy]
    assert sets.select(items, "default", "postgresql") == {both, deploy}
    assert sets.select(items, "default", "sqlite") == set(items)
    assert sets.select(items, "all", "postgresql") == set(items)


def test_postgresql_runs_one_case_of_each_test_and_none_that_has_met_both_databases() -> None:
    cases: list[Any] = [Item("tests/games/test_it.py", pytest.mark.both.mark, case=n) for n in range(3)]
    assert sets.select(cases, "default", "postgresql") == {cases[0]}
    for item in cases:
        item.fixturenames = ["real_database", "database_template"]
    assert sets.select(cases, "default", "postgresql") == set()
    assert sets.select(cases, "default", "sqlite") == set(cases)


def test_postgresql_reads_the_files_with_a_marked_test_only(tmp_path: Path) -> None:
    def is_ignored(path: Path, chosen: str, database: str) -> bool | None:
        options = {"--set": chosen, "--on": database}
        config: Any = SimpleNamespace(getoption=options.__getitem__)
        return sets.pytest_ignore_collect(path, config)

    marked, plain = tmp_path / "test_marked.py", tmp_path / "test_plain.py"
    marked.write_text("pytestmark = pytest.mark.both\n")
    plain.write_text("pytestmark = pytest.mark.slow\n")
    assert is_ignored(plain, "default", "postgresql") is True
    for path, chosen, database in [
        (marked, "default", "postgresql"),
        (plain, "default", "sqlite"),
        (plain, "all", "postgresql"),
        (BASE_DIR / "tests" / "deploy" / "test_headers.py", "default", "postgresql"),
        (tmp_path, "default", "postgresql"),
    ]:
        assert is_ignored(path, chosen, database) is None


@given(st.integers(1, 60), st.integers(0, 60))
def test_cases_of_a_long_proof_are_chosen_at_equal_distances(count: int, wanted: int) -> None:
    chosen = sets.spread(count, wanted)
    assert len(chosen) == min(count, wanted)
    assert chosen <= set(range(count))
    assert not wanted or 0 in chosen
