"""manage.py migrate, one at a time: two nodes that start on one empty database do not both make tables."""

import contextlib
from collections.abc import Iterator
from typing import Any, Final

from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from games.store import cleaning

LOCK: Final = 0x70757572
"""Of PostgreSQL's advisory locks the one with this number is ours."""


class Command(migrate.Command):
    def execute(self, *args: Any, **options: Any) -> str | None:
        """The checks before it wait too: they must not find tables that somebody else has half made."""
        with one_at_a_time(connections[options["database"]]):
            return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            super().handle(*args, **options)
        finally:  # also where a later migration failed than the one that closed what was in the clear
            cleaning.write_anew(connections[options["database"]])


@contextlib.contextmanager
def one_at_a_time(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Wait until nobody else migrates this database; the server forgets the lock of whoever dies. An SQLite
    file is of one machine, where one process tree holds its folder."""
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
