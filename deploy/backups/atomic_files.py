"""The error of backups, and how a large file is written so that it is complete or missing."""

import contextlib
import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class BackupError(Exception):
    """A backup or restore failed. `code` is stable."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


@contextlib.contextmanager
def write_atomically(file: Path) -> Iterator[Path]:
    """Yield a temporary file beside `file`, readable by its owner only. After the block it is synced to the
    disk and replaces `file`; if the block fails, it is removed.

    Raises BackupError for errors of the disk.
    """
    part = file.with_name(f"{file.name}.part")
    try:
        # In a shared folder another user's file would keep its owner, or be a link.
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
        yield part
        for written in (part, file.parent):
            descriptor = os.open(written, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            if written == part:
                part.rename(file)
    except OSError as error:
        raise make_write_error(file, error) from None
    finally:
        for ending in ("", "-journal", "-wal", "-shm"):
            with contextlib.suppress(OSError):
                part.with_name(f"{part.name}{ending}").unlink(missing_ok=True)


def make_write_error(file: Path, error: Exception) -> BackupError:
    """Return the error of a failed write. If the disk is full, the message says so and names the free
    space.
    """
    full = isinstance(error, OSError) and error.errno in FULL
    if full or getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
        with contextlib.suppress(OSError):
            free = shutil.disk_usage(file.parent).free // 1_000_000
            return BackupError(
                "backup/disk_full",
                f"{file}: the disk is full ({free} MB are free), or the file may not become larger. "
                "Nothing was kept of it: make room, or take another folder",
            )
    reason = error.strerror if isinstance(error, OSError) else error
    return BackupError("backup/cannot_write", f"{file}: {reason}")
