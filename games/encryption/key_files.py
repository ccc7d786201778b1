"""Key files: private to their owner, and replaced atomically.

A file that its group may read is accepted, because container platforms mount secrets with such a mode.
"""

import os
import stat
import tempfile
from pathlib import Path

OTHERS = stat.S_IWGRP | stat.S_IRWXO


def create_key_file(path: Path, text: str, *, exists: Exception) -> None:
    """Create a file that has its content from the beginning. If root creates it, it gets the owner of its
    folder. Raises `exists` if there is such a file.
    """
    if path.exists():
        raise exists
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, part = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".part", dir=path.parent)
    try:
        _keep_owner(descriptor, path.parent.stat())
        _fill(descriptor, text)
        os.link(part, path)
    except FileExistsError:
        raise exists from None
    finally:
        os.unlink(part)
    _keep_name(path)


def replace(path: Path, text: str) -> None:
    """Replace the content of the file, and keep its owner."""
    status = path.stat()
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    _keep_owner(descriptor, status)
    _fill(descriptor, text)
    os.replace(part, path)
    _keep_name(path)


def require_private(path: Path, *, missing: Exception, readable: Exception) -> os.stat_result:
    """Return the status of a key file. Raises `missing` if there is none, and `readable` if `others_can_read`
    it.
    """
    try:
        status = path.stat()
    except OSError:
        raise missing from None
    if others_can_read(status):
        raise readable
    return status


def others_can_read(status: os.stat_result) -> bool:
    """Return whether users outside the group can read or change the file, or the group can change it."""
    return bool(status.st_mode & OTHERS)


def _keep_owner(descriptor: int, status: os.stat_result) -> None:
    """Change the owner of a file that root writes to the owner given in `status`."""
    if os.geteuid() == 0:
        os.fchown(descriptor, status.st_uid, status.st_gid)


def _fill(descriptor: int, text: str) -> None:
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(descriptor)


def _keep_name(path: Path) -> None:
    """Sync the folder of a file: without it, the folder entry of the file may be lost in a power cut."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
