"""The backup of the whole database to one file while the platform runs."""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

from deploy.backups import schema_state
from deploy.backups.atomic_files import BackupError, make_write_error, write_atomically
from deploy.backups.backup_file import FORMAT, BackupWriter, Footer, Header
from deploy.backups.schema_state import TableState

ENCRYPTED: Final = ("games_secretpart", "games_receipt")
"""Tables with a column `key` that names the data key with which a row is encrypted."""
EMPTY: Final = "is empty or not there: set PUUR_VAR or DATABASE_URL as for the running platform"
GROUP: Final = 500
"""Number of rows that are in memory at a time."""
Progress = Callable[[int], None]


def save(connection: BaseDatabaseWrapper, file: Path, progress: Progress = lambda rows: None) -> Footer:
    """Write the database into a new file that only its owner can read. Return the last line of the file.
    Other processes may write to the database meanwhile; the file contains its state at one moment.

    Raises BackupError, and then leaves no new file.
    """
    if os.path.lexists(file):  # Also False if we may not read the folder; the next step reports that.
        raise BackupError("backup/file_exists", f"{file} is there already: name a new file")
    with write_atomically(file) as part, _open_snapshot(connection) as reading, part.open("wb") as written:
        try:
            return _write_backup(reading, written, progress)
        except DatabaseError as error:
            raise BackupError("backup/damaged", f"the database cannot be read: {error}") from None


def _write_backup(reading: BaseDatabaseWrapper, written: Any, progress: Progress) -> Footer:
    loader = MigrationLoader(reading)
    applied = sorted(loader.applied_migrations)
    if not applied:
        raise BackupError("backup/nothing_there", f"the database {reading.settings_dict['NAME']} {EMPTY}")
    now = datetime.now(UTC).isoformat(timespec="seconds")
    writer = BackupWriter(written, Header(FORMAT, settings.VERSION, now, reading.vendor, applied))
    keys: set[str] = set()
    for table in schema_state.load_tables(loader, schema_state.choose_nodes(loader, applied)):
        writer.begin_table(table.section)
        convert = schema_state.make_reader(reading, table)
        key = table.section.columns.index(("key", "text")) if _has_keys(table) else None
        with reading.chunked_cursor() as cursor:
            cursor.execute(schema_state.make_select_sql(reading, table))
            while rows := cursor.fetchmany(GROUP):
                if key is not None:
                    keys.update(row[key] for row in rows)
                writer.add_rows(convert(rows))
                progress(len(rows))
        writer.end_table(_read_last_id(reading, table))
    footer = writer.close(keys - {""})
    written.flush()
    os.fsync(written.fileno())
    return footer


def _has_keys(table: TableState) -> bool:
    """Return whether rows of this table are encrypted, which they are not in databases of earlier
    versions.
    """
    return table.name in ENCRYPTED and ("key", "text") in table.section.columns


@contextlib.contextmanager
def _open_snapshot(connection: BaseDatabaseWrapper) -> Iterator[BaseDatabaseWrapper]:
    """Yield a separate connection that sees the database as it was at one moment, and that blocks no other
    process.
    """
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite" and not Path(name).exists():
        raise BackupError("backup/nothing_there", f"the database {name} {EMPTY}")
    own = connection.copy()
    try:
        with own.cursor() as cursor:
            if own.vendor == "postgresql":
                cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            else:
                cursor.execute("BEGIN DEFERRED")
        yield own
    except DatabaseError as error:
        raise BackupError("backup/failed", f"the database does not answer: {error}") from None
    finally:
        own.close()


def _read_last_id(reading: BaseDatabaseWrapper, table: TableState) -> int | None:
    """Return the highest number that a row ever had, even if the row was deleted, because no number is used
    twice.
    """
    if table.auto is None:
        return None
    with reading.cursor() as cursor:
        if reading.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table.name])
            found = cursor.fetchone()
            return found[0] if found else None
        quoted = reading.ops.quote_name(table.name)
        cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [quoted, table.auto])
        [sequence] = cursor.fetchone()
        cursor.execute(f"SELECT last_value, is_called FROM {sequence}")  # noqa: S608 - PostgreSQL's own name
        value, called = cursor.fetchone()
        return int(value) if called else None


def copy_sqlite(source: Path, target: Path) -> None:
    """Copy an SQLite database in use into a new file, and check the integrity of the copy. Raises BackupError
    if it fails.
    """
    with write_atomically(target) as part:
        try:
            with (
                contextlib.closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as of,
                contextlib.closing(sqlite3.connect(part)) as copy,
            ):
                of.backup(copy)
                copy.execute(
                    "PRAGMA journal_mode=DELETE"
                )  # One file, without a -wal that could be forgotten.
                (verdict,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE):
                raise make_write_error(target, error) from None
            raise BackupError("backup/damaged", f"{source}: {error}") from None
        if verdict != "ok":
            raise BackupError("backup/damaged", f"{source}: {verdict}")
