"""The format of a backup: gzip around lines of JSON, with rows by table and a checksum at the end.

    {"puur_backup": 1, "version": …, "made_at": …, "database": …, "migrations": [[app, name], …]}
    {"table": "games_stream", "columns": [["id", "text"], …]}
    ["0f3a…", "game", 12, "base64…"]            one line a row
    {"rows": 1, "last_id": null}                 the end of the table; the highest number ever given
    …
    {"tables": 63, "rows": 1, "keys": […], "sha256": …}    of all bytes before this line

Rows hold only JSON: bytes in base64, times in ISO 8601, decimals as text. A JSON column is a text, as it was
stored. docs/operators/backups.md names the promises.
"""

import datetime as dt
import gzip
import hashlib
import uuid
import zlib
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, Final, Literal

import msgspec

from deploy.backups.atomic_files import BackupError

FORMAT: Final = 1
BUFFER_BYTES: Final = 256 * 1024
ROWS_A_GROUP: Final = 500
COLUMN_TYPES: Final[dict[str, Any]] = {
    "bool": bool,
    "bytes": bytes,
    "date": dt.date,
    "decimal": Decimal,
    "duration": dt.timedelta,
    "float": float,
    "int": int,
    "json": str,
    "text": str,
    "time": dt.time,
    "timestamp": dt.datetime,
    "uuid": uuid.UUID,
}
NULLABLE: Final = "?"
"""Suffix of the type of a column that can be null."""
NATIVE: Final = {
    b"SQLite format 3\0": "a copy of an SQLite database itself: put it in the place of the database file "
    "(without -wal and -shm), then call manage.py upgrade",
    b"PGDMP": "written by pg_dump: call pg_restore --no-owner --no-privileges --dbname=NAME with it, then "
    "manage.py upgrade",
}
_READING: Final = (EOFError, zlib.error, gzip.BadGzipFile)


class Header(msgspec.Struct, frozen=True):
    """The first line of a backup. `puur_backup`: version of the format; `version`: of Puur; `database`: kind
    of database; `migrations`: those applied, as (app, name).
    """

    puur_backup: int
    version: str
    made_at: str
    database: str
    migrations: list[tuple[str, str]]


class Section(msgspec.Struct, frozen=True):
    """The line that begins a table. `columns`: (name, type), where the type is a word of COLUMN_TYPES, with
    `?` if it can be null.
    """

    table: str
    columns: list[tuple[str, str]]


class SectionEnd(msgspec.Struct, frozen=True):
    """The line that ends a table. rows: their number; last_id: the highest automatic id that a row of the
    table ever had, if any.
    """

    rows: int
    last_id: int | None


class Footer(msgspec.Struct, frozen=True):
    """The last line of a backup. `keys`: ids of the data keys needed to decrypt its secrets; `sha256`: of all
    bytes before this line.
    """

    tables: int
    rows: int
    keys: list[str]
    sha256: str


Row = Sequence[Any]
_encoder: Final = msgspec.json.Encoder()


@lru_cache(maxsize=256)
def make_row_decoder(types: tuple[str, ...]) -> "msgspec.json.Decoder[Any]":
    """Return a decoder of a table's rows for these column types. Raises KeyError for an unknown type."""
    columns = tuple(
        COLUMN_TYPES[name[:-1]] | None if name.endswith(NULLABLE) else COLUMN_TYPES[name] for name in types
    )
    return msgspec.json.Decoder(tuple.__class_getitem__(columns))


class BackupWriter:
    """A writer of a backup to an open file, in constant memory."""

    def __init__(self, file: IO[bytes], header: Header) -> None:
        self._file = file
        self._gzip = zlib.compressobj(1, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
        self._buffer = bytearray()
        self._digest = hashlib.sha256()
        self._tables = self._rows = 0
        self._write(_encoder.encode(header) + b"\n")

    def begin_table(self, section: Section) -> None:
        """Write the line that begins a table."""
        self._write(_encoder.encode(section) + b"\n")
        self._decoder = make_row_decoder(tuple(kind for _, kind in section.columns))
        self._table, self._in_table = section.table, 0

    def add_rows(self, rows: Sequence[Row]) -> None:
        """Write rows, and decode them again, because a cell whose type differs from that of its column could
        not be restored.

        Raises BackupError for a wrong type.
        """
        for row in rows:
            line = _encoder.encode(row)
            try:
                self._decoder.decode(line)
            except msgspec.ValidationError as error:
                raise BackupError(
                    "backup/odd_row",
                    f"table {self._table}, row {self._in_table + 1}: {error}. Something else than Puur has "
                    "written it",
                ) from None
            self._in_table += 1
            self._write(line + b"\n")

    def end_table(self, last_id: int | None) -> None:
        """Write the line that ends a table, with the highest automatic id that a row ever had."""
        self._write(_encoder.encode(SectionEnd(self._in_table, last_id)) + b"\n")
        self._tables += 1
        self._rows += self._in_table

    def close(self, keys: set[str]) -> Footer:
        """Write the last line, and complete the file. Return that line."""
        self._flush()
        footer = Footer(self._tables, self._rows, sorted(keys), self._digest.hexdigest())
        self._write(_encoder.encode(footer) + b"\n")
        self._flush()
        self._file.write(self._gzip.flush())
        return footer

    def _write(self, data: bytes) -> None:
        self._buffer += data
        if len(self._buffer) > BUFFER_BYTES:
            self._flush()

    def _flush(self) -> None:
        self._digest.update(self._buffer)
        self._file.write(self._gzip.compress(self._buffer))
        self._buffer.clear()


class BackupReader:
    """A reader of a backup in constant memory: the header at once, then tables, with rows in groups."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            with path.open("rb") as raw:
                begin = raw.read(16)
            self._file = gzip.GzipFile(path, "rb")
        except OSError as error:
            raise BackupError("backup/unreadable", f"{path}: {error.strerror}") from None
        for word, remedy in NATIVE.items():
            if begin.startswith(word):
                raise BackupError("backup/native", f"{path} is {remedy}")
        self._digest = hashlib.sha256()
        self._left = b""
        try:
            self.header = msgspec.json.decode(self._read_line(), type=Header)
        except (*_READING, OSError, msgspec.MsgspecError, BackupError):
            raise BackupError(
                "backup/unknown", f"{path} is no backup of Puur, or only its first bytes"
            ) from None
        if self.header.puur_backup != FORMAT:
            raise BackupError(
                "backup/newer_version",
                f"{path} has format {self.header.puur_backup} of Puur {self.header.version}: restore it with "
                "that version",
            )

    def tables(self) -> Iterator[Section]:
        """Yield the beginning of each table; the caller must then read the table's rows. After the last
        table, `footer` is set and the checksum is verified.

        Raises BackupError for a damaged or truncated file.
        """
        tables = rows = 0
        while True:
            digest = self._digest.hexdigest()
            line = self._read_line()
            if line.startswith(b'{"tables"'):
                self.footer = found = self._decode_line(line, Footer)
                if (found.tables, found.rows, found.sha256) != (tables, rows, digest) or self._read_line(
                    last=True
                ):
                    raise self._make_damage_error("its checksum is not right")
                return
            section = self._decode_line(line, Section)
            self._section: Section | None = section
            yield section
            if self._section is not None:
                raise ValueError("the rows of a table must be read before the next")
            tables += 1
            rows += self.end.rows

    def row_groups(self) -> Iterator[list[Row]]:
        """Yield the rows of the current table in groups, then set `end`. Raises BackupError."""
        section = self._section
        if section is None:
            raise ValueError("there is no present table")
        try:
            decoder = make_row_decoder(tuple(kind for _, kind in section.columns))
        except KeyError as unknown:
            raise self._make_damage_error(f"{section.table}: the type {unknown}") from None
        number, rows = 0, list[Row]()
        while (line := self._read_line()).startswith(b"["):
            try:
                rows.append(decoder.decode(line))
            except msgspec.MsgspecError as error:
                raise self._make_damage_error(f"{section.table}: {error}") from None
            number += 1
            if len(rows) == ROWS_A_GROUP:
                yield rows
                rows = []
        if rows:
            yield rows
        self.end = self._decode_line(line, SectionEnd)
        if self.end.rows != number:
            raise self._make_damage_error(f"{section.table} has {number} rows of {self.end.rows}")
        self._section = None

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> "BackupReader":
        return self

    def __exit__(self, *_: object) -> Literal[False]:
        self.close()
        return False

    def _read_line(self, *, last: bool = False) -> bytes:
        try:
            line = self._file.readline()
        except _READING as error:
            raise self._make_damage_error(str(error)) from None
        except OSError as error:
            raise BackupError("backup/unreadable", f"{self._path}: {error.strerror or error}") from None
        if not last and not line.endswith(b"\n"):
            raise self._make_damage_error("its end is missing")
        self._digest.update(line)
        return line

    def _decode_line(self, line: bytes, kind: Any) -> Any:
        try:
            return msgspec.json.decode(line, type=kind)
        except msgspec.MsgspecError as error:
            raise self._make_damage_error(str(error)) from None

    def _make_damage_error(self, reason: str) -> BackupError:
        return BackupError(
            "backup/damaged", f"{self._path} is damaged or was not copied completely: {reason}. Take another"
        )


def check_file(path: Path) -> tuple[Header, Footer]:
    """Read a whole backup and verify its checksum. Return its first and last line. Raises BackupError if it
    is damaged or unreadable.
    """
    with BackupReader(path) as reader:
        for _ in reader.tables():
            for _ in reader.row_groups():
                pass
        return reader.header, reader.footer
