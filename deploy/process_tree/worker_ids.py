"""Which web process this is among those on one folder: 1, 2, … A new one takes the number of one that ended,
so that a label of figures has as many values as there are processes at once.
"""

import fcntl
import os
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings

MOST: Final = 64


@cache
def process_number() -> int:
    """Kept until the process ends; 0 where the folder lets nobody keep one."""
    try:
        descriptor = os.open(Path(settings.VAR_DIR) / "web.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return 0
    for place in range(1, MOST + 1):
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except OSError:
            continue
        return place
    return 0
