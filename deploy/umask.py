"""What the platform writes is its own user's: files 0600, folders 0700, whatever the umask says.

Only the standard library is needed: the environment is prepared before Django is loaded.
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
"""The folder that `collectstatic` fills: there is nothing in it that is not in the repository."""


def from_now_on() -> None:
    """What this process and its children make is readable for their user alone."""
    os.umask(UMASK)


def make_folder(folder: Path) -> None:
    """The folder, with those above it that are missing; one that is there stays as it is."""
    for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        with contextlib.suppress(FileExistsError):
            missing.mkdir(0o700)


def mend_database(connection: Any, **_: Any) -> None:
    """Receiver of connection_created: SQLite makes its file as the umask says, and -wal and -shm like it."""
    if connection.vendor == "sqlite":
        name = str(connection.settings_dict["NAME"])
        mend(*(Path(name + ending) for ending in ("", "-wal", "-shm")))


def mend(*places: Path) -> None:
    """Take from others what an earlier version, or a wider umask, let them read: of a folder everything in
    it. What belongs to another user, and folders that everybody may write to, stay as they are.
    """
    for place in places:
        for path in (place, *_inside(place)):
            with contextlib.suppress(OSError):  # it went away meanwhile, or the disk takes no modes
                status = path.lstat()
                shared = status.st_mode & stat.S_ISVTX
                if stat.S_ISLNK(status.st_mode) or shared or status.st_uid != os.geteuid():
                    continue
                if status.st_mode & 0o077:
                    path.chmod(stat.S_IMODE(status.st_mode) & 0o700)


def _inside(place: Path) -> Iterator[Path]:
    """Everything of ours below a folder; nothing below one that is not ours alone to mend."""
    with contextlib.suppress(OSError):
        status = place.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_mode & stat.S_ISVTX:
            return
    for folder, folders, files in os.walk(place):
        if Path(folder) == place:
            folders[:] = [name for name in folders if name != PUBLIC]
        yield from (Path(folder, name) for name in (*folders, *files))
