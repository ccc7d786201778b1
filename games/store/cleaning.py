"""What once was secret in the clear is gone from an SQLite file too: it is written anew after the migration
that closed it, by whoever migrates next if that one came to grief before.

That it was is noted in the file, in the number that SQLite keeps there for its users.
"""

from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder

CLOSED_BY: Final = ("games", "0007_closed_secrets")
WRITTEN_ANEW: Final = 7


def write_anew(connection: BaseDatabaseWrapper) -> None:
    """Where that is still to be done, outside any transaction. PostgreSQL removes a dropped table's files."""
    done = MigrationRecorder(connection).applied_migrations
    if connection.vendor != "sqlite" or CLOSED_BY not in done():
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA user_version")
        if cursor.fetchone()[0] >= WRITTEN_ANEW:
            return
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        [is_busy, *_] = cursor.fetchone()
        if not is_busy:  # else somebody still reads the pages of before
            cursor.execute(f"PRAGMA user_version = {WRITTEN_ANEW}")
