"""The restore of a backup into an empty database, completely or not at all.

The migrations named in the backup create the tables as they were when the backup was made. The caller then
migrates the database to the present version.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from deploy.backups import schema_state
from deploy.backups.atomic_files import BackupError, make_write_error, write_atomically
from deploy.backups.backup_file import BackupReader, Footer, Header, Row, check_file
from deploy.backups.saving import Progress
from deploy.backups.schema_state import TableState


def load(
    connection: BaseDatabaseWrapper,
    file: Path,
    known: Collection[str],
    progress: Progress = lambda rows: None,
) -> list[str]:
    """Fill an empty database from a backup. Return the names of its tables that this version cannot restore.

    known: ids of available data keys, which must include those of the backup. Verifies the file first. Raises
    BackupError; the database is then unchanged.
    """
    header, footer = check_file(file)
    _check_restorable(header, footer, file, known)
    _require_empty(connection)
    try:
        with _load_in_transaction(connection), BackupReader(file) as reader:
            return _fill_database(connection, reader, progress)
    except DatabaseError as error:
        cause = error.__cause__
        if isinstance(cause, sqlite3.Error) and cause.sqlite_errorcode == sqlite3.SQLITE_FULL:
            raise make_write_error(Path(str(connection.settings_dict["NAME"])), cause) from None
        raise BackupError("backup/failed", f"the database does not take {file}: {error}") from None


def _check_restorable(header: Header, footer: Footer, file: Path, known: Collection[str]) -> None:
    """Check that this version can restore a backup, and that its data keys are available. Raises BackupError
    if not.
    """
    loader = MigrationLoader(None)
    replaced = {step for squashed in loader.replacements.values() for step in squashed.replaces}
    newer = _parse_version(header.version) > _parse_version(settings.VERSION)
    unknown = [
        f"{app}.{name}"
        for app, name in header.migrations
        if (app, name) not in loader.disk_migrations.keys() | replaced
        and (newer or app in loader.migrated_apps)
    ]
    if unknown:
        raise BackupError(
            "backup/newer_version",
            f"{file} is of Puur {header.version}, and this is {settings.VERSION}, which does not know "
            f"{', '.join(unknown)}: install that version first",
        )
    if missing := set(footer.keys) - set(known):
        raise BackupError(
            "backup/key_missing",
            f"{file} needs the data keys {', '.join(sorted(missing))}: put your copy of them at "
            f"{settings.DATA_KEY} first",
        )


def _parse_version(version: str) -> tuple[int, ...]:
    return tuple(int(word) for word in version.split(".") if word.isdigit())


def _require_empty(connection: BaseDatabaseWrapper) -> None:
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite" and not Path(name).exists():
        return  # A query would create the file.
    try:
        tables = connection.introspection.table_names()
    except DatabaseError as error:
        raise BackupError("backup/failed", f"the database {name} does not answer: {error}") from None
    if tables:
        raise BackupError("backup/not_empty", f"the database {name} is not empty: restore into a new one")


@contextlib.contextmanager
def _load_in_transaction(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Undo everything that the block has written if it fails: in PostgreSQL by a transaction, in SQLite by a
    separate file.
    """
    if connection.vendor == "postgresql":
        with transaction.atomic(using=connection.alias):
            yield
        return
    target = Path(str(connection.settings_dict["NAME"]))
    connection.close()
    with write_atomically(target) as part:
        connection.settings_dict["NAME"] = str(part)
        try:
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA synchronous=OFF")  # The whole file is synced before it counts.
            yield
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            connection.close()
            connection.settings_dict["NAME"] = str(target)


def _fill_database(connection: BaseDatabaseWrapper, reader: BackupReader, progress: Progress) -> list[str]:
    executor = MigrationExecutor(connection)
    nodes = schema_state.choose_nodes(executor.loader, reader.header.migrations)
    graph = executor.loader.graph
    parents = {
        parent.key for node in nodes for parent in graph.node_map[node].parents if parent.key[0] == node[0]
    }
    # Not `manage.py migrate`, which would install the guards of the log, before there is a log.
    executor.migrate(sorted(nodes - parents))
    tables = {table.name: table for table in schema_state.load_tables(executor.loader, nodes)}
    dropped = []
    with transaction.atomic(using=connection.alias), connection.wrap_database_errors:
        if connection.vendor == "postgresql":
            _execute_statement(
                connection, "SET CONSTRAINTS ALL DEFERRED"
            )  # Migrations have made some immediate.
        for name in tables:
            _execute_statement(connection, f"DELETE FROM {connection.ops.quote_name(name)}")  # noqa: S608 - of a migration
        for section in reader.tables():
            table = tables.get(section.table)
            if table is None:
                dropped.append(section.table)
            elif section != table.section:
                raise BackupError(
                    "backup/other_columns",
                    f"the table {section.table} of the backup has other columns than its version had",
                )
            take = _make_row_writer(connection, table) if table else None
            for rows in reader.row_groups():
                if take:
                    take(rows)
                    progress(len(rows))
            if table and table.auto and reader.end.last_id:
                _set_last_id(connection, table, reader.end.last_id)
    return dropped


def _make_row_writer(connection: BaseDatabaseWrapper, table: TableState) -> Callable[[list[Row]], None]:
    """Return the function that stores rows in a table."""
    convert = schema_state.make_writer(connection, table)
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in table.fields)
    where = f"{quote(table.name)} ({columns})"

    def copy_rows(rows: list[Row]) -> None:
        with connection.cursor() as cursor, cursor.cursor.copy(f"COPY {where} FROM STDIN") as copy:
            for row in convert(rows):
                copy.write_row(row)

    def insert_rows(rows: list[Row]) -> None:
        marks = ", ".join(["%s"] * len(table.fields))
        with connection.cursor() as cursor:
            cursor.executemany(f"INSERT INTO {where} VALUES ({marks})", convert(rows))  # noqa: S608 - of a migration

    return copy_rows if connection.vendor == "postgresql" else insert_rows


def _set_last_id(connection: BaseDatabaseWrapper, table: TableState, last: int) -> None:
    if connection.vendor == "sqlite":
        _execute_statement(connection, "DELETE FROM sqlite_sequence WHERE name = %s", table.name)
        _execute_statement(
            connection, "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", table.name, last
        )
    else:
        quoted = connection.ops.quote_name(table.name)
        _execute_statement(
            connection, "SELECT setval(pg_get_serial_sequence(%s, %s), %s)", quoted, str(table.auto), last
        )


def _execute_statement(connection: BaseDatabaseWrapper, statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, list(values) or None)
