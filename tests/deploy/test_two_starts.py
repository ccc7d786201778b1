"""Two nodes that start at once on one empty PostgreSQL."""

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from deploy.environment import BASE_DIR


@pytest.mark.slow
@pytest.mark.both
def test_two_that_migrate_an_empty_database_at_once_both_succeed(postgres_url: str, tmp_path: Path) -> None:
    environment = {
        **os.environ, "DATABASE_URL": postgres_url, "PUUR_VAR": str(tmp_path), "DEBUG": "1",
    }  # fmt: skip
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    starts = [
        subprocess.Popen(migrate, cwd=BASE_DIR, env=environment, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    said = [start.communicate(timeout=300)[1] for start in starts]
    assert [start.returncode for start in starts] == [0, 0, 0], said
    with psycopg.connect(postgres_url) as connection:
        [applied] = connection.execute("SELECT count(*) - count(DISTINCT (app, name)) FROM django_migrations")
    assert applied == (0,)
