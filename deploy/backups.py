"""Backup of the whole database to one file while the platform runs, and restore into an empty database.

SQLite copies itself; PostgreSQL uses `pg_dump` and `pg_restore`. A backup never contains keys: with the
sealing key, stolen backups could be changed and sealed again; with the data key, they would reveal every
hand. A backup lists the ids of the data keys that it needs.

Callers remove old backups: the nightly jobs keep thirty (`deploy/systemd/puur-backup.service`,
`deploy/container/compose.full.yaml`), `deploy.migrating` keeps five.
"""

import contextlib
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final, Literal

from django.db.backends.base.base import BaseDatabaseWrapper

Kind = Literal["sqlite", "postgresql"]
CLOSED: Final = ("games_secretpart", "games_receipt")
BEGINS: Final[dict[bytes, Kind]] = {b"SQLite format 3\0": "sqlite", b"PGDMP": "postgresql"}


class BackupError(Exception):
    """A failed backup or restore, with its remedy; `code` is stable."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


def save(connection: BaseDatabaseWrapper, file: Path) -> int:
    """Copy the database into a new file that only its owner may read; return its size in bytes. Other
    processes may write meanwhile: the copy contains all commits before its start.

    Raises BackupError; then there is no file.
    """
    if file.exists():
        raise BackupError("backup/file_exists", f"{file} is there already: name a new file")
    with _unfinished(file) as part:
        if connection.vendor == "postgresql":
            _tool("pg_dump", connection, "--format=custom", "--no-owner", "--no-privileges", f"--file={part}")
        else:
            _copy(Path(str(connection.settings_dict["NAME"])), part)
        size = part.stat().st_size
        part.rename(file)
    return size


def load(connection: BaseDatabaseWrapper, file: Path, known: Collection[str]) -> None:
    """Fill an empty database from a backup of the same kind, completely or not at all. `known`: the ids of
    the available data keys.

    Raises BackupError.
    """
    kind = backup_kind_of(file)
    if kind != connection.vendor:
        raise BackupError(
            "backup/other_database",
            f"{file} was taken from {kind}, and this is {connection.vendor}: set DATABASE_URL accordingly",
        )
    if connection.introspection.table_names():
        raise BackupError(
            "backup/not_empty",
            f"the database {connection.settings_dict['NAME']} is not empty: restore into a new one",
        )
    connection.close()
    if missing := key_ids_in(file) - set(known):
        raise BackupError(
            "backup/key_missing",
            f"{file} needs the data keys {', '.join(sorted(missing))}: put your copy of them there first",
        )
    if kind == "postgresql":
        options = ("--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction")
        _tool("pg_restore", connection, *options, f"--dbname={connection.settings_dict['NAME']}", str(file))
        return
    target = Path(str(connection.settings_dict["NAME"]))
    with _unfinished(target) as part:
        _copy(file, part)
        part.rename(target)


def key_ids_in(file: Path) -> set[str]:
    """Return the ids of the data keys that encrypt a backup's secrets; none for a backup of an earlier
    version.
    """
    if backup_kind_of(file) == "sqlite":
        try:
            with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as copy:
                query = " UNION ".join(f"SELECT key FROM {table}" for table in CLOSED)  # noqa: S608 - table names from the code
                return {key for (key,) in copy.execute(query)}
        except sqlite3.DatabaseError:  # The copy reports a damaged file.
            return set()
    found: set[str] = set()
    program = _program("pg_restore")
    tables = [f"--table={table}" for table in CLOSED]
    command = [program, "--data-only", *tables, "--file=-", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as reading:
        column: int | None = None
        for line in reading.stdout or ():
            if line.startswith(b"COPY "):
                names = line[line.index(b"(") + 1 : line.index(b")")].decode().split(", ")
                column = names.index("key") if "key" in names else None
            elif line.startswith(b"\\."):
                column = None
            elif column is not None:
                found.add(line.split(b"\t")[column].decode())
    return found


def backup_kind_of(file: Path) -> Kind:
    """Return the kind of a backup's database. Raises BackupError for another file."""
    try:
        with file.open("rb") as content:
            head = content.read(16)
    except OSError as error:
        raise BackupError("backup/unreadable", f"{file}: {error.strerror}") from None
    for begin, kind in BEGINS.items():
        if head.startswith(begin):
            return kind
    raise BackupError("backup/unknown", f"{file} is no backup of this platform")


@contextlib.contextmanager
def _unfinished(file: Path) -> Iterator[Path]:
    """Yield a temporary file beside the target, readable by its owner only, and remove it on failure."""
    part = file.with_name(f"{file.name}.part")
    try:
        # In a shared folder another user's file would keep its owner, or be a link.
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
        yield part
    except OSError as error:
        raise BackupError("backup/cannot_write", f"{file}: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    """Copy a SQLite database online into an empty file, and check its integrity."""
    try:
        with (
            contextlib.closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as of,
            contextlib.closing(sqlite3.connect(target)) as copy,
        ):
            of.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # One file, without a -wal that could be forgotten.
            (verdict,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        raise BackupError("backup/damaged", f"{source}: {error}") from None
    if verdict != "ok":
        raise BackupError("backup/damaged", f"{source}: {verdict}")


def _tool(name: str, connection: BaseDatabaseWrapper, *arguments: str) -> None:
    program = _program(name)
    place = connection.settings_dict
    named = {
        "PGDATABASE": "NAME",
        "PGHOST": "HOST",
        "PGPORT": "PORT",
        "PGUSER": "USER",
        "PGPASSWORD": "PASSWORD",
    }
    environment = {key: str(place[setting]) for key, setting in named.items() if place.get(setting)}
    done = subprocess.run(
        [program, *arguments], env={**os.environ, **environment}, capture_output=True, text=True
    )
    if done.returncode:
        raise BackupError("backup/failed", done.stderr.strip() or f"{name} ended with {done.returncode}")


def _program(name: str) -> str:
    program = shutil.which(name)
    if program is None:
        raise BackupError("backup/tool_missing", f"{name} is missing here: apt install postgresql-client")
    return program
