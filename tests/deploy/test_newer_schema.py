"""A database that a newer version has prepared: nothing starts on it, and everything says why."""

import contextlib
import shutil
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.environment import BASE_DIR
from deploy.web import NEWER_SCHEMA_EXIT_CODE
from games import encryption
from tests import live_tree as trees
from tests.games import databases

NEWER = "INSERT INTO django_migrations (app, name, applied) VALUES (?, ?, CURRENT_TIMESTAMP)"


@pytest.fixture
def var(tmp_path: Path) -> Path:
    """The folder of an installation whose database has one migration more."""
    made = databases.template("sqlite")
    shutil.copy(str(made["NAME"]), tmp_path / "puur.sqlite3")
    with contextlib.closing(sqlite3.connect(tmp_path / "puur.sqlite3")) as database:
        database.execute(NEWER, ["tournaments", "9999_of_tomorrow"])
        database.execute(NEWER, ["a_former_dependency", "0001_initial"])
        database.commit()
    encryption.make_data_key(tmp_path / "data_key")
    return tmp_path


def forget_tomorrow(var: Path) -> None:
    with contextlib.closing(sqlite3.connect(var / "puur.sqlite3")) as database:
        database.execute("DELETE FROM django_migrations WHERE name = '9999_of_tomorrow'")
        database.commit()


def run(var: Path, *command: str, **more: str) -> "subprocess.CompletedProcess[str]":
    environment = {**trees.outside(), "PUUR_VAR": str(var), "PUUR_LANGUAGE": "en", **more}
    return subprocess.run(
        [sys.executable, *command], cwd=BASE_DIR, env=environment, capture_output=True, text=True, timeout=120
    )


@pytest.mark.slow
@pytest.mark.parametrize("command", [("serve", "--port", "0"), ("migrate",), ("upgrade",)])
def test_no_command_prepares_or_serves_it(var: Path, command: tuple[str, ...]) -> None:
    before = (var / "puur.sqlite3").read_bytes()
    done = run(var, "manage.py", *command, PUUR_ORGANISER="fredi", PUUR_PASSWORD="Ein-Trumpf-im-Aermel-7")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "tournaments.9999_of_tomorrow" in done.stderr
    assert "database/newer_version" in done.stderr
    assert "a_former_dependency" not in done.stderr
    assert (var / "puur.sqlite3").read_bytes() == before


@pytest.mark.slow
def test_the_web_process_ends_at_once_with_its_own_exit_code(var: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    done = run(var, "-m", "deploy.web", "--bind", f"127.0.0.1:{port}")
    assert done.returncode == NEWER_SCHEMA_EXIT_CODE, done.stderr
    assert "database/newer_version" in done.stdout + done.stderr


WORKER = ("-m", "celery", "--app=deploy.celery", "--quiet", "worker", "--concurrency=1", "--pool=solo")


@pytest.mark.slow
def test_the_worker_does_not_start(var: Path) -> None:
    done = run(var, *WORKER)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "tournaments.9999_of_tomorrow" in done.stderr
    assert "(database/newer_version)" in done.stderr


@pytest.mark.slow
def test_a_worker_without_the_data_key_does_not_start(var: Path) -> None:
    forget_tomorrow(var)
    (var / "data_key").unlink()
    done = run(var, *WORKER)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "(data/no_key)" in done.stderr


@pytest.mark.slow
def test_an_upgrade_of_a_known_database_audits_and_says_that_it_is_ready(var: Path) -> None:
    forget_tomorrow(var)
    done = run(var, "manage.py", "upgrade")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "is ready: restart the processes" in done.stdout
