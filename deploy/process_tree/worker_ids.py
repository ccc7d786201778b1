"""The number of this web process (1, 2, …) among the web processes of one var folder. A new process reuses
the number of an ended one, so that a metrics label has as few values as possible.
"""

import fcntl
import os
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings

MAX_WORKERS: Final = 64


@cache
def process_number() -> int:
    """Return the number, reserved until the process ends; 0 if the folder is not writable."""
    try:
        descriptor = os.open(Path(settings.VAR_DIR) / "web.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return 0
    for place in range(1, MAX_WORKERS + 1):
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except OSError:
            continue
        return place
    return 0
