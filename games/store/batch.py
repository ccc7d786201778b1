"""The rows of one append, as the statements of all databases take them."""

from typing import NamedTuple

from games.store.layout import Closed
from games.store.types import Head


class Batch(NamedTuple):
    """All rows of one append. `expected`, `head`: the head before and after. `receipt`: the encrypted hash of
    the command.
    """

    stream_id: str
    expected: Head
    head: Head
    command_id: str
    receipt: Closed
    events: list[tuple[int, str, bytes, bytes]]
    """(seq, type, envelope, hash) of each event."""
    parts: list[tuple[int, str, str, bytes]]
    """(seq, name, key id, ciphertext) of each secret part."""
