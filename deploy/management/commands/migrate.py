"""manage.py migrate under a lock, so that two processes never create tables in one database at the same
time.
"""

import contextlib
import fcntl
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from deploy import migrating
from deploy.terminal import gettext as _
from games.store import cleaning

LOCK: Final = 0x70757572
"""The number of our advisory lock in PostgreSQL."""
ENDING: Final = ".migrating"
"""The ending of the locked file beside an SQLite database. It stays: without it two could lock two files."""


class Command(migrate.Command):
    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the checks under the lock too: they must not find half-created tables."""
        with one_at_a_time(connections[options["database"]]):
            return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            migrating.refuse_newer_schema()
        except migrating.NewerSchema as error:
            raise CommandError(f"{error} ({error.code})") from None
        try:
            super().handle(*args, **options)
        finally:  # Also if a migration after the encrypting one has failed.
            cleaning.write_anew(connections[options["database"]])


@contextlib.contextmanager
def one_at_a_time(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Hold the lock for migrations of this database. The lock of a dead process is released by PostgreSQL,
    or by the operating system for an SQLite file.
    """
    if connection.vendor != "postgresql":
        with _lock_of_file(connection):
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


@contextlib.contextmanager
def _lock_of_file(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Lock a file beside the SQLite database. Where no file can be made, nothing can be migrated either."""
    database = str(connection.settings_dict["NAME"])
    if ":memory:" in database or "mode=memory" in database:
        yield
        return
    try:
        lock = os.open(Path(f"{database}{ENDING}"), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError:
        yield
        return
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(_("waiting for another migration of this database ..."), file=sys.stderr, flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
