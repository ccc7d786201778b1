"""Bounded numbers from URLs, which may contain anything."""

from typing import Final

MAX_NUMBER: Final = 2**31 - 1
"""The largest number that a column of the database takes."""


def parse_bounded(text: str | None, *, least: int, most: int, default: int) -> int:
    """Parse a number within its bounds; `default` for anything else."""
    if not text or not text.isascii() or not text.isdigit() or len(text) > 9:
        return default
    return min(max(int(text), least), most)
