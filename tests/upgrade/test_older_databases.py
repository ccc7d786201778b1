"""Databases of older versions migrate, audit clean, and their open tables go on.

`tests/upgrade/build.py` made them. 22 November 2026 (commit ce62ba2): before La Pomme and Plus-Minus drew
lots for the first dealer, before two partners could change chairs after that, before secrets were encrypted.
24 November (commit bce3fcd2), with its key: with clubs, entrants and encrypted secrets; before delayed games.
0.2.0 (27 November, commit 774396ca), with its key: the first numbered version.
"""

import lzma
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from deploy.environment import BASE_DIR
from tests import templates

HERE = Path(__file__).parent
VERSIONS = ("22-november-2026", "24-november-2026", "0.2.0")
Run = Callable[..., str]


@pytest.fixture(params=VERSIONS, scope="module")
def migrated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of that database, migrated by today's code, and of its data key."""
    folder = tmp_path_factory.mktemp("migrated")
    (folder / "puur.sqlite3").write_bytes(lzma.decompress((HERE / f"{request.param}.db.xz").read_bytes()))
    if (key := HERE / f"{request.param}.data_key").exists():
        own = folder / "own_key"
        own.touch(0o600)
        own.write_bytes(key.read_bytes())
    _run_in(folder, "manage.py", "migrate", "--verbosity", "0")
    return folder


@pytest.fixture
def run(migrated: Path, tmp_path: Path) -> Run:
    """A command over a copy of the migrated database; it returns the output."""
    folder = tmp_path / "copy"
    shutil.copytree(migrated, folder)
    return partial(_run_in, folder)


def _run_in(folder: Path, *arguments: str) -> str:
    dropped = ("DJANGO_SETTINGS_MODULE", "PUUR_ORIGIN", "PUUR_SEAL_KEY", "DATABASE_URL")
    environment = {name: value for name, value in os.environ.items() if name not in dropped}
    environment |= {"PUUR_VAR": str(folder), "DEBUG": "1", "PUUR_CHANNEL_PREFIX": "upgraded"}
    if (folder / "own_key").exists():
        environment["PUUR_DATA_KEY"] = str(folder / "own_key")
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=BASE_DIR, env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_migrated_tables_equal_those_of_a_new_database(migrated: Path) -> None:
    """An older database takes all steps; a new one creates its tables at once (`CreateTables`)."""
    assert _list_columns(migrated / "puur.sqlite3") == _list_columns(templates.sqlite())


def _list_columns(file: Path) -> dict[str, object]:
    """The columns of each table, and the number of its constraints; the kind of all that is no table."""
    with closing(sqlite3.connect(file)) as database:
        parts = database.execute("SELECT name, type, sql FROM sqlite_master").fetchall()
        return {
            name: (
                sorted((row[1], *row[2:4], row[5]) for row in database.execute(f"PRAGMA table_info({name})")),
                sql.count("CONSTRAINT"),
            )
            if kind == "table"
            else kind
            for name, kind, sql in parts
        }


@pytest.mark.long(1)
@pytest.mark.slow
def test_honest_games_of_an_older_version_are_not_accused(run: Run) -> None:
    assert "7 games, 0 wrong, 0 under other rules" in run("manage.py", "audit")
    assert " 0 differences" in run("manage.py", "verify_deals")


@pytest.mark.long(1)
@pytest.mark.slow
def test_the_open_tables_of_an_older_version_go_on_to_their_end(run: Run) -> None:
    assert run(str(HERE / "go_on.py")).splitlines()[-1] == "3 tables went on, pages answer [200]"
    assert "7 games, 0 wrong, 0 under other rules" in run("manage.py", "audit")
    assert " 0 differences" in run("manage.py", "verify_deals")


@pytest.mark.long(1)
@pytest.mark.slow
def test_a_verifier_finds_nothing_in_the_file_of_an_older_championship(run: Run, tmp_path: Path) -> None:
    run("manage.py", "make-seal-key")  # what was sealed then and signed by nobody now would be a difference
    with pytest.raises(AssertionError, match="--accept-key") as refused:
        run("manage.py", "audit")
    old = re.search(r"is signed with the key ([0-9a-f]{64})", str(refused.value))
    assert old is not None
    run("manage.py", "audit", "--accept-key", old[1])
    for slug in ("santiago", "plus_minus"):
        run("manage.py", "export_championship", slug, str(tmp_path / f"{slug}.zip"))
        run("-I", str(BASE_DIR / "docs/verify/puur_verify.py"), str(tmp_path / f"{slug}.zip"))
