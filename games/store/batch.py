"""The columns of one append, for all databases."""

from typing import NamedTuple

from games.store.layout import Closed
from games.store.types import Head


class Batch(NamedTuple):
    """All rows of one append, as columns."""

    stream_id: str
    expected: Head
    head: Head
    command_id: str
    receipt: Closed
    events: list[tuple[int, str, bytes, bytes]]
    """(seq, type, envelope, hash)"""
    parts: list[tuple[int, str, str, bytes]]
    """(seq, name, key, closed)"""
