"""Databases of older versions migrate, audit clean, and their open tables go on.

`tests/upgrade/build.py` made them. 22 November 2026 (commit ce62ba2): before La Pomme and Plus-Minus drew
lots for the first dealer, before two partners could change chairs after that, before secrets were encrypted.
24 November (commit bce3fcd2), with its key: with clubs, entrants and encrypted secrets; before delayed games.
0.2.0 (27 November, commit 774396ca), with its key: the first numbered version.
"""

import lzma
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.environment import BASE_DIR

HERE = Path(__file__).parent
VERSIONS = ("22-november-2026", "24-november-2026", "0.2.0")
Run = Callable[..., str]


@pytest.fixture(params=VERSIONS)
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    """A command over a copy of that database, migrated by today's code; what it printed."""
    (tmp_path / "puur.sqlite3").write_bytes(lzma.decompress((HERE / f"{request.param}.db.xz").read_bytes()))
    dropped = ("DJANGO_SETTINGS_MODULE", "PUUR_ORIGIN", "PUUR_SEAL_KEY", "DATABASE_URL")
    environment = {name: value for name, value in os.environ.items() if name not in dropped}
    environment |= {"PUUR_VAR": str(tmp_path), "DEBUG": "1", "PUUR_CHANNEL_PREFIX": "upgraded"}
    if (key := HERE / f"{request.param}.data_key").exists():
        own = tmp_path / "data_key"
        own.touch(0o600)
        own.write_bytes(key.read_bytes())
        environment["PUUR_DATA_KEY"] = str(own)

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=BASE_DIR, env=environment, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("manage.py", "migrate", "--verbosity", "0")
    return run


@pytest.mark.slow
def test_honest_games_of_an_older_version_are_not_accused(run: Run) -> None:
    assert "7 games, 0 wrong, 0 under other rules" in run("manage.py", "audit")
    assert " 0 differences" in run("manage.py", "verify_deals")


@pytest.mark.slow
def test_the_open_tables_of_an_older_version_go_on_to_their_end(run: Run) -> None:
    assert run(str(HERE / "go_on.py")).splitlines()[-1] == "3 tables went on, pages answer [200]"
    assert "7 games, 0 wrong, 0 under other rules" in run("manage.py", "audit")
    assert " 0 differences" in run("manage.py", "verify_deals")


@pytest.mark.slow
def test_a_verifier_finds_nothing_in_the_file_of_an_older_championship(run: Run, tmp_path: Path) -> None:
    run("manage.py", "make-seal-key")  # what was sealed then and signed by nobody now would be a difference
    for slug in ("santiago", "plus_minus"):
        run("manage.py", "export_championship", slug, str(tmp_path / f"{slug}.zip"))
        run("-I", str(BASE_DIR / "docs/verify/puur_verify.py"), str(tmp_path / f"{slug}.zip"))
