"""The whole database as one file, taken while everything runs, and back into an empty database.

SQLite copies itself, PostgreSQL is copied by its own `pg_dump` and `pg_restore`. Keys are never in it: stolen
together with the key that seals, a backup could be changed and sealed anew; together with the data key it
would show every hand. It says which data keys it needs.
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
    """What is in the way of a backup or of its return, with what to do about it; `code` is stable."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


def save(connection: BaseDatabaseWrapper, file: Path) -> int:
    """Copy the database into a new file that only its owner may read; its size in bytes. Other processes may
    go on writing: what was committed when it began is in it.

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
    """Fill an empty database from a backup of the same kind: all of it, or nothing. `known`: the ids of the
    data keys that are here.

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
    """The ids of the data keys that have closed what is in a backup; none in one of an earlier version."""
    if backup_kind_of(file) == "sqlite":
        try:
            with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as copy:
                query = " UNION ".join(f"SELECT key FROM {table}" for table in CLOSED)  # noqa: S608 - ours
                return {key for (key,) in copy.execute(query)}
        except sqlite3.DatabaseError:  # what is damaged is said when it is copied
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
    """Which database a backup was taken from. Raises BackupError for what is none."""
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
    """A file beside the one that is wanted, readable by its owner alone, gone if it does not get ready."""
    part = file.with_name(f"{file.name}.part")
    try:
        part.unlink(missing_ok=True)  # somebody else's, in a shared folder, would stay his, or lead elsewhere
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
        yield part
    except OSError as error:
        raise BackupError("backup/cannot_write", f"{file}: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    """SQLite's online copy of a database into an empty file, checked page by page before it counts."""
    try:
        with (
            contextlib.closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as of,
            contextlib.closing(sqlite3.connect(target)) as copy,
        ):
            of.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a -wal that would be forgotten
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
