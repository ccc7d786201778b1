"""Two that start at once on one empty database, PostgreSQL or SQLite."""

import contextlib
import fcntl
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from deploy.environment import BASE_DIR
from deploy.management.commands.migrate import ENDING, LOCK
from games.store.guard import LOG_TABLES, STREAM_TABLE

pytestmark = pytest.mark.long


@pytest.mark.both
def test_two_that_migrate_an_empty_database_at_once_both_succeed(postgres_url: str, tmp_path: Path) -> None:
    starts = [_migrating(postgres_url, tmp_path) for _ in range(3)]
    said = [start.communicate(timeout=300)[1] for start in starts]
    assert [start.returncode for start in starts] == [0, 0, 0], said
    with psycopg.connect(postgres_url) as connection:
        [applied] = connection.execute("SELECT count(*) - count(DISTINCT (app, name)) FROM django_migrations")
    assert applied == (0,)


@pytest.mark.both
def test_who_starts_while_another_makes_the_tables_waits_before_he_checks_them(
    postgres_url: str, tmp_path: Path
) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as other:
        other.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        half_made = (*LOG_TABLES, STREAM_TABLE)  # without the triggers, which come last
        for table in half_made:
            other.execute(f"CREATE TABLE {table} (id int)")
        start = _migrating(postgres_url, tmp_path)
        while start.poll() is None and not _waits(other):
            pass  # each turn asks the server
        for table in half_made:
            other.execute(f"DROP TABLE {table}")
        other.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
        said = start.communicate(timeout=300)[1]
    assert start.returncode == 0, said


def test_two_that_migrate_an_empty_sqlite_file_at_once_both_succeed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/two.sqlite3"
    starts = [_migrating(url, tmp_path) for _ in range(2)]
    said = [start.communicate(timeout=300)[1] for start in starts]
    assert [start.returncode for start in starts] == [0, 0], said
    assert sum("waiting for another migration" in one for one in said) == 1, said
    with contextlib.closing(sqlite3.connect(tmp_path / "two.sqlite3")) as database:
        [twice] = database.execute("SELECT count(*) - count(DISTINCT app || name) FROM django_migrations")
    assert twice == (0,)


def test_a_lock_of_a_process_that_died_holds_nobody_up(tmp_path: Path) -> None:
    url, database = f"sqlite:///{tmp_path}/dead.sqlite3", tmp_path / "dead.sqlite3"
    hold = (
        "import fcntl, os, sys\n"
        f"lock = os.open({str(database) + ENDING!r}, os.O_CREAT | os.O_RDWR)\n"
        "fcntl.flock(lock, fcntl.LOCK_EX); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        start = _migrating(url, tmp_path)
        assert start.stderr is not None
        assert "waiting for another migration" in start.stderr.readline()
        assert not database.exists() or database.stat().st_size == 0, "it waits before it looks"
        holder.kill()
    said = start.communicate(timeout=300)[1]
    assert start.returncode == 0, said
    with (tmp_path / f"dead.sqlite3{ENDING}").open("rb+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _migrating(url: str, folder: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "DATABASE_URL": url, "PUUR_VAR": str(folder), "DEBUG": "1"}
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    return subprocess.Popen(migrate, cwd=BASE_DIR, env=environment, stderr=subprocess.PIPE, text=True)


def _waits(connection: psycopg.Connection) -> bool:
    [(waiting,)] = connection.execute(
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s AND NOT granted", [LOCK]
    )
    return bool(waiting)
