"""What one append writes, whichever database it is."""

from typing import NamedTuple

from games.store.layout import Closed
from games.store.types import Head


class Batch(NamedTuple):
    """Everything one append writes, as columns."""

    stream_id: str
    expected: Head
    head: Head
    command_id: str
    receipt: Closed
    events: list[tuple[int, str, bytes, bytes]]
    """(seq, type, envelope, hash)"""
    parts: list[tuple[int, str, str, bytes]]
    """(seq, name, key, closed)"""
