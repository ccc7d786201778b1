"""Encryption of the secrets beside the log: secret parts and receipts (docs/developers/log-format.md).

Each is bound to its own row. A part's nonce is encrypted with its value: with the nonce, a guess of a card
could be checked against the commitment, which is public. The same holds for the hash of a command: a
prediction has 158 values. Any change of the bytes here needs a new domain.
"""

from typing import NamedTuple

from games import encryption
from games.encryption import Keyring
from games.store.errors import AlteredLog
from games.store.layout import NONCE_BYTES, Part, as_bytes

PART_DOMAIN = b"puur/part/1"
RECEIPT_DOMAIN = b"puur/receipt/1"


class Closed(NamedTuple):
    """The id of the key, and the ciphertext."""

    key: str
    value: bytes


def closed(key: str, value: bytes | memoryview | str) -> Closed:
    """The content of a row."""
    return Closed(key, as_bytes(value))


def encrypt_part(ring: Keyring, stream_id: str, seq: int, part: Part) -> Closed:
    """Encrypt a part for storage."""
    return Closed(ring.newest, ring.close(part.nonce + part.body, _part_place(stream_id, seq, part.name)))


def decrypt_part(ring: Keyring, stream_id: str, seq: int, name: str, closed: Closed) -> Part:
    """Decrypt a part. Raises AlteredLog, DataKeyError `data/key_missing`."""
    try:
        value = ring.open(closed.key, closed.value, _part_place(stream_id, seq, name))
    except encryption.DecryptionError:
        raise AlteredLog(stream_id, seq, f"the secret part {name} is not what was closed") from None
    return Part(name, value[:NONCE_BYTES], value[NONCE_BYTES:])


def close_receipt(ring: Keyring, stream_id: str, command_id: str, body_hash: bytes) -> Closed:
    """Encrypt the hash of a command for storage."""
    return Closed(ring.newest, ring.close(body_hash, _receipt_place(stream_id, command_id), block=1))


def open_receipt(ring: Keyring, stream_id: str, command_id: str, first_seq: int, closed: Closed) -> bytes:
    """Decrypt the hash of a command. Raises AlteredLog, DataKeyError `data/key_missing`."""
    try:
        return ring.open(closed.key, closed.value, _receipt_place(stream_id, command_id))
    except encryption.DecryptionError:
        raise AlteredLog(
            stream_id, first_seq, f"the receipt of {command_id} is not what was closed"
        ) from None


def _part_place(stream_id: str, seq: int, name: str) -> bytes:
    return b"%s\0%s\0%d\0%s" % (PART_DOMAIN, stream_id.encode(), seq, name.encode())


def _receipt_place(stream_id: str, command_id: str) -> bytes:
    return b"%s\0%s\0%s" % (RECEIPT_DOMAIN, stream_id.encode(), command_id.encode())
