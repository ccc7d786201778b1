"""manage.py migrate under a lock: two nodes that start on one empty database do not both create tables."""

import contextlib
from collections.abc import Iterator
from typing import Any, Final

from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from deploy import migrating
from games.store import cleaning

LOCK: Final = 0x70757572
"""The number of our advisory lock in PostgreSQL."""


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
    """Wait for other migrations of this database; the server releases the lock of a dead client. An SQLite
    file belongs to one machine, where one process tree locks its folder.
    """
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
