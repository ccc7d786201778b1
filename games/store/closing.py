"""How secret parts and receipts lie in the database: closed in the vault, each bound to its own row.

A part's nonce is closed with its value: with the nonce, whoever guesses a card could check the guess against
the commitment, which is public. The hash of a command likewise: a prediction has 158 values.
"""

from typing import NamedTuple

from games import vault
from games.store import layout
from games.store.errors import AlteredLog
from games.vault import Keyring

PART_DOMAIN = b"puur/part/1"
RECEIPT_DOMAIN = b"puur/receipt/1"


class Closed(NamedTuple):
    """The id of the key, and what it closed."""

    key: str
    value: bytes


def close_part(ring: Keyring, stream_id: str, seq: int, part: layout.Part) -> Closed:
    """A part as it is stored."""
    return Closed(ring.newest, ring.close(part.nonce + part.body, _part_place(stream_id, seq, part.name)))


def open_part(ring: Keyring, stream_id: str, seq: int, name: str, closed: Closed) -> layout.Part:
    """The part that was closed. Raises AlteredLog, DataKeyError `data/key_missing`."""
    try:
        value = ring.open(closed.key, closed.value, _part_place(stream_id, seq, name))
    except vault.CannotBeOpened:
        raise AlteredLog(stream_id, seq, f"the secret part {name} is not what was closed") from None
    return layout.Part(name, value[: layout.NONCE_BYTES], value[layout.NONCE_BYTES :])


def close_receipt(ring: Keyring, stream_id: str, command_id: str, body_hash: bytes) -> Closed:
    """The hash of a command as it is stored."""
    return Closed(ring.newest, ring.close(body_hash, _receipt_place(stream_id, command_id), block=1))


def open_receipt(ring: Keyring, stream_id: str, command_id: str, first_seq: int, closed: Closed) -> bytes:
    """The hash of a command. Raises AlteredLog, DataKeyError `data/key_missing`."""
    try:
        return ring.open(closed.key, closed.value, _receipt_place(stream_id, command_id))
    except vault.CannotBeOpened:
        raise AlteredLog(
            stream_id, first_seq, f"the receipt of {command_id} is not what was closed"
        ) from None


def _part_place(stream_id: str, seq: int, name: str) -> bytes:
    return b"%s\0%s\0%d\0%s" % (PART_DOMAIN, stream_id.encode(), seq, name.encode())


def _receipt_place(stream_id: str, command_id: str) -> bytes:
    return b"%s\0%s\0%s" % (RECEIPT_DOMAIN, stream_id.encode(), command_id.encode())
