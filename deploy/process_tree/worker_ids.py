"""The number (1, 2, …) of this web process among the web processes of one var folder. A new process takes the
number of one that has ended, so that the label in metrics has few values.
"""

import fcntl
import os
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings

MAX_WORKERS: Final = 64


@cache
def get_process_number() -> int:
    """Return the number of this process, reserved until it ends; 0 if no number is free or the folder cannot
    be written.
    """
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
