"""Numbers in URLs and forms, which may contain any text."""

from typing import Final

MAX_NUMBER: Final = 2**31 - 1
"""The largest number that an integer column of the database can store."""


def parse_bounded(text: str | None, *, least: int, most: int, default: int) -> int:
    """Return the number in `text`, limited to `least` to `most`; `default` unless it is 1 to 19 digits."""
    if not text or not text.isascii() or not text.isdigit() or len(text) > 19:
        return default
    return min(max(int(text), least), most)
