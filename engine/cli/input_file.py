"""The file, or the standard input, that a command line reads: whole, and of limited size."""

import sys
from pathlib import Path
from typing import Final

from engine.errors import CorruptLog

MAX_FILE_BYTES: Final = 256 << 20


def read_input(path: str = "-") -> bytes:
    """Return the bytes of a file; "-": of the standard input. Raises CorruptLog `file/unreadable`, or
    `file/too_large` for more than `MAX_FILE_BYTES`.
    """
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise CorruptLog("file/unreadable", f"{path!r}: {getattr(error, 'strerror', error)}") from None
    if len(data) > MAX_FILE_BYTES:
        raise CorruptLog("file/too_large", f"{path!r} is larger than {MAX_FILE_BYTES} bytes")
    return data
