"""File permissions: files get 0600 and folders 0700, whatever umask the process was started with.

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
"""Name of the folder that `collectstatic` fills. It contains only public files."""


def set_umask() -> None:
    """Set the umask of this process and its children, so that only their user can read new files."""
    os.umask(UMASK)


def make_folder(folder: Path) -> None:
    """Create a folder and its missing parents; do not change an existing folder. A folder created by root
    gets the owner of its parent folder, because `upgrade` runs as root and the nightly backup must be able to
    write into the folder.
    """
    for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        with contextlib.suppress(FileExistsError):
            missing.mkdir(0o700)
            if os.geteuid() == 0:
                around = missing.parent.stat()
                os.chown(missing, around.st_uid, around.st_gid)


def restrict_database_file(connection: Any, **_: Any) -> None:
    """Allow only this user to access an SQLite database and its -wal and -shm files. This is a receiver of
    connection_created.
    """
    if connection.vendor == "sqlite":
        name = str(connection.settings_dict["NAME"])
        restrict_permissions(*(Path(name + ending) for ending in ("", "-wal", "-shm")))


def restrict_permissions(*places: Path) -> None:
    """Remove permissions of other users, which an earlier version or another umask has given; in folders
    recursively, except in their subfolder PUBLIC. Files of other users, and folders with the sticky bit, are
    not changed.
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
    """Yield what is below a folder, except PUBLIC; nothing below a folder with the sticky bit."""
    with contextlib.suppress(OSError):
        status = place.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_mode & stat.S_ISVTX:
            return
    for folder, folders, files in os.walk(place):
        if Path(folder) == place:
            folders[:] = [name for name in folders if name != PUBLIC]
        yield from (Path(folder, name) for name in (*folders, *files))
