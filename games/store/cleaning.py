"""Remove plaintext secrets of earlier versions from an SQLite file. VACUUM rewrites the file after the
migration that encrypted the secrets, or at the next `migrate` if it failed then. SQLite's user_version of the
file records that this was done.
"""

from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder

CLOSED_BY: Final = ("games", "0007_closed_secrets")
WRITTEN_ANEW: Final = 7


def write_anew(connection: BaseDatabaseWrapper) -> None:
    """Rewrite the SQLite file once, after its secrets are encrypted, outside a transaction. PostgreSQL needs
    no rewrite.
    """
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
        if not is_busy:  # otherwise a reader still uses the old pages
            cursor.execute(f"PRAGMA user_version = {WRITTEN_ANEW}")
