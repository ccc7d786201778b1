"""Nightly backups: a folder with the newest backups, a trial restore, and the record of both.

`manage.py doctor` reads the record `backup-state.json` in the platform's folder.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
from django.conf import settings

from deploy import umask
from deploy.backups.atomic_files import BackupError, write_atomically

STATE: Final = "backup-state.json"
CLEAN: Final = "clean"
NOT_RESTORED: Final = "not restored"
SAMPLE: Final = 20
"""Largest number of games that are audited after a trial restore."""
_NAME: Final = re.compile(r"puur-\d{4}-\d\d-\d\d-\d{6}\.backup")


class BackupState(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The record of the last backup and of the last trial restore, with their times. `where`: path of the
    newest backup; `audit`: `clean`, `not clean` or `not restored` in the last trial.
    """

    last_backup: str | None = None
    where: str | None = None
    last_test_restore: str | None = None
    audit: str | None = None


def choose_file(folder: Path) -> Path:
    """Create this folder if it is missing, and return the path of a new backup in it. Raises BackupError if
    that fails.
    """
    try:
        umask.make_folder(folder)
    except OSError as error:
        raise BackupError("backup/cannot_write", f"{folder}: {error.strerror}") from None
    return folder / f"puur-{datetime.now():%Y-%m-%d-%H%M%S}.backup"


def require_mount(folder: Path) -> None:
    """Check that a disk or network share is mounted at this folder. Raises BackupError if not.

    Without the check, a backup meant for a missing disk would be written to the disk of the machine itself.
    """
    if not os.path.ismount(folder):
        raise BackupError("backup/not_mounted", f"nothing is mounted at {folder}: mount it, then try again")


def delete_oldest(folder: Path, keep: int) -> list[Path]:
    """Delete the oldest nightly backups in this folder: the newest `keep` (at least 1) and other files stay.
    Return the deleted files.
    """
    backups = sorted(path for path in folder.iterdir() if _NAME.fullmatch(path.name))
    for path in backups[:-keep]:
        path.unlink(missing_ok=True)
    return backups[:-keep]


def test_restore(file: Path, say: Callable[[str], object]) -> str:
    """Restore a backup into a temporary SQLite database, audit the newest games in it, and record the result.

    Returns `clean` or `not clean`. Raises BackupError if the backup cannot be restored.
    """
    with tempfile.TemporaryDirectory(prefix="puur-restore-") as folder:
        place = {
            "DATABASE_URL": f"sqlite:///{folder}/trial.sqlite3",
            "REDIS_URL": f"unix://{folder}/none",  # Workers must not be asked to audit rows of the trial.
            "PUUR_DATA_KEY": str(settings.DATA_KEY),
            "PUUR_SEAL_KEY": str(settings.SEAL_KEY),
            "LOG_LEVEL": "ERROR",
        }
        done = subprocess.run(
            [sys.executable, "manage.py", "restore", str(file.resolve()), "--sample", str(SAMPLE)],
            cwd=settings.BASE_DIR,
            env={**os.environ, **place},
            capture_output=True,
            text=True,
        )
    say(done.stdout.rstrip())
    if done.returncode not in (0, 3) and "checking everything" not in done.stdout:
        _write_state(last_test_restore=_format_now(), audit=NOT_RESTORED)
        reason = (done.stderr.strip().splitlines() or [""])[-1].removeprefix("CommandError: ")
        raise BackupError("backup/test_failed", f"{file} could not be restored: {reason}")
    audit = CLEAN if done.returncode in (0, 3) else "not clean"
    _write_state(last_test_restore=_format_now(), audit=audit)
    return audit


def record_backup(file: Path) -> None:
    """Record the time and the path of a complete backup."""
    _write_state(last_backup=_format_now(), where=str(file.resolve()))


def find_last_backup() -> Path:
    """Return the path of the newest backup, from the record. Raises BackupError if there is none."""
    where = load_backup_state().where
    if where is None:
        raise BackupError("backup/none_yet", "no backup was written yet: name a FILE, or a folder with --to")
    return Path(where)


def load_backup_state() -> BackupState:
    """Return the record of backups; an empty record if its file is missing or unreadable."""
    try:
        return msgspec.json.decode((settings.VAR_DIR / STATE).read_bytes(), type=BackupState)
    except (OSError, msgspec.MsgspecError):
        return BackupState()


def _write_state(**changes: str) -> None:
    state = msgspec.structs.replace(load_backup_state(), **changes)
    umask.make_folder(settings.VAR_DIR)
    with write_atomically(settings.VAR_DIR / STATE) as part:
        part.write_bytes(msgspec.json.encode(state) + b"\n")


def _format_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
