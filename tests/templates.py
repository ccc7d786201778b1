"""An empty, migrated database of each kind, made once a run, to be copied.

A migration takes seconds of processor, and each worker and dozens of tests begin with an empty database.
"""

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
from psycopg import sql

from deploy.environment import BASE_DIR
from tests import servers

HOME = "PUUR_TEST_HOME"
"""The environment variable with the folder of the run, which all its workers share."""


def sqlite() -> Path:
    """The template file to copy."""
    return Path(_made("sqlite", _sqlite))


def postgresql() -> str:
    """The name of the template database on the test server, for TEMPLATE."""
    return _made("postgresql", _postgresql)


def forget() -> None:
    """Drop the template databases at the end of the run. Files go with the run's folder."""
    made = Path(os.environ[HOME]) / "postgresql.template"
    if made.exists():
        administer("DROP DATABASE IF EXISTS {} WITH (FORCE)", made.read_text())


def administer(statement: str, *names: str) -> None:
    """Execute a statement about whole databases; its {} are filled with their names."""
    with psycopg.connect(servers.postgres_url(), autocommit=True) as connection:
        connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def _made(vendor: str, make: Callable[[Path], str]) -> str:
    """Make the template in the worker that asks first; the others wait."""
    home = Path(os.environ[HOME])
    made = home / f"{vendor}.template"
    with (home / f"{vendor}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            made.write_text(make(home))
    return made.read_text()


def _sqlite(home: Path) -> str:
    file = home / "template.sqlite3"
    _migrate(f"sqlite:///{file}")  # closing the connection writes the write-ahead log into the file
    return str(file)


def _postgresql(home: Path) -> str:
    name = f"{home.name}_template".replace("-", "_").lower()
    administer("CREATE DATABASE {}", name)
    _migrate(servers.with_database(servers.postgres_url(), name))
    return name


def _migrate(address: str) -> None:
    environment = {**os.environ, "DATABASE_URL": address}
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
    subprocess.run(migrate, cwd=BASE_DIR, env=environment, check=True)
