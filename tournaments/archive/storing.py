"""Public exports kept for a while: one of a checkpoint is made once, however many people want it."""

import fcntl
import os
import time
from pathlib import Path
from typing import Final

from django.conf import settings

from games import sealing
from tournaments.archive.writing import PUBLIC, export_championship
from tournaments.models import Championship

KEPT_SECONDS: Final = 120
"""A name that is erased is gone from downloads after so long."""
MOST_EVENTS: Final = 400_000
"""More than that takes too long for a page: `manage.py export-championship` writes it."""


def stored_export(championship: Championship) -> Path | None:
    """The public export as of the last checkpoint; None where none is, or it is too much for a page."""
    last = sealing.latest(championship.stream_id)
    if last is None or last.says.events > MOST_EVENTS:
        return None
    folder: Path = settings.VAR_DIR / "exports"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{championship.stream_id}-{last.says.number}.zip"
    # Whoever comes while it is written waits for it instead of writing another one.
    with (folder / f"{championship.stream_id}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (path.exists() and time.time() - path.stat().st_mtime < KEPT_SECONDS):
            _write(championship, path)
    return path


def _write(championship: Championship, path: Path) -> None:
    """Write the file under another name first, and take away those of earlier checkpoints."""
    written = path.with_suffix(".part")
    with written.open("wb") as out:
        export_championship(championship, out, level=PUBLIC, fresh=False)
    os.replace(written, path)
    for other in path.parent.glob(f"{championship.stream_id}-*.zip"):
        if other != path:
            other.unlink(missing_ok=True)


def forget(championship: Championship) -> None:
    """Take away what is kept of a championship: a name in it has been erased."""
    for path in (Path(settings.VAR_DIR) / "exports").glob(f"{championship.stream_id}-*.zip"):
        path.unlink(missing_ok=True)
