"""Two nodes that start at once on one empty PostgreSQL."""

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from deploy.environment import BASE_DIR
from deploy.management.commands.migrate import LOCK
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


def _migrating(url: str, folder: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "DATABASE_URL": url, "PUUR_VAR": str(folder), "DEBUG": "1"}
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    return subprocess.Popen(migrate, cwd=BASE_DIR, env=environment, stderr=subprocess.PIPE, text=True)


def _waits(connection: psycopg.Connection) -> bool:
    [(waiting,)] = connection.execute(
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s AND NOT granted", [LOCK]
    )
    return bool(waiting)
