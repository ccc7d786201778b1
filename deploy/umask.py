"""File permissions: files 0600 and folders 0700, independent of the umask.

This module needs only the standard library, because the environment is prepared before Django is loaded.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

UMASK = 0o077
PUBLIC = "static"
"""The folder that `collectstatic` fills, with nothing but files of the repository."""


def set_umask() -> None:
    """Make new files of this process and its children readable for their user only."""
    os.umask(UMASK)


def make_folder(folder: Path) -> None:
    """Create the folder and its missing parents; an existing folder is unchanged. A folder that root creates
    gets the owner of its parent folder: `upgrade` runs as root, but the nightly backup has to write there
    too.
    """
    for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        with contextlib.suppress(FileExistsError):
            missing.mkdir(0o700)
            if os.geteuid() == 0:
                around = missing.parent.stat()
                os.chown(missing, around.st_uid, around.st_gid)


def restrict_database_file(connection: Any, **_: Any) -> None:
    """Restrict SQLite's file, its -wal and its -shm to this user; a receiver of connection_created."""
    if connection.vendor == "sqlite":
        name = str(connection.settings_dict["NAME"])
        restrict_permissions(*(Path(name + ending) for ending in ("", "-wal", "-shm")))


def restrict_permissions(*places: Path) -> None:
    """Remove permissions of others that an earlier version or a wider umask gave; for a folder recursively.
    Files of other users and world-writable folders are unchanged.
    """
    for place in places:
        for path in (place, *_inside(place)):
            with contextlib.suppress(OSError):  # The file vanished, or the disk has no modes.
                status = path.lstat()
                shared = status.st_mode & stat.S_ISVTX
                if stat.S_ISLNK(status.st_mode) or shared or status.st_uid != os.geteuid():
                    continue
                if status.st_mode & 0o077:
                    path.chmod(stat.S_IMODE(status.st_mode) & 0o700)


def _inside(place: Path) -> Iterator[Path]:
    """Yield all own files below a folder; nothing below a folder with other writers."""
    with contextlib.suppress(OSError):
        status = place.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_mode & stat.S_ISVTX:
            return
    for folder, folders, files in os.walk(place):
        if Path(folder) == place:
            folders[:] = [name for name in folders if name != PUBLIC]
        yield from (Path(folder, name) for name in (*folders, *files))
