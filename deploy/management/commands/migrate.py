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
"""The number of the advisory lock in PostgreSQL."""
ENDING: Final = ".migrating"
"""Ending of the locked file beside an SQLite database. The file is not removed, otherwise two processes could
each lock a file of their own.
"""


class Command(migrate.Command):
    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the system checks under the lock too, so that they do not find half-created tables."""
        with lock_migrations(connections[options["database"]]):
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
def lock_migrations(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Wait for the lock for migrations of this database (in PostgreSQL, or on a file beside an SQLite
    database), and hold it. It is released if the process dies.
    """
    if connection.vendor != "postgresql":
        with _lock_file(connection):
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
def _lock_file(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Lock a file beside the SQLite database. If no file can be created there, the database cannot be
    migrated either.
    """
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
