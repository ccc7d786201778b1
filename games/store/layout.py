"""The byte layout of the log: envelope, commitment and hash chain, and the encrypted secrets beside it.
docs/developers/log-format.md describes it.

Any change of the layout needs a new domain prefix, because stored bytes are hashed as they are.

Secret parts and receipts are encrypted (`games.encryption`), each bound to its own row. The nonce of a part
is encrypted with its value: with the nonce, anybody could check a guess of a card against the public
commitment. The hash of a command is encrypted for the same reason: a prediction has only 158 possible values.
"""

import hashlib
import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from games import encryption
from games.encryption import Keyring
from games.store.errors import AlteredLog

CHAIN_DOMAIN = b"puur/log/1"
GENESIS_DOMAIN = b"puur/stream/1"
NONCE_BYTES = 32
PART_DOMAIN = b"puur/part/1"
RECEIPT_DOMAIN = b"puur/receipt/1"

encode_json = msgspec.json.Encoder().encode
decode_json = msgspec.json.Decoder().decode


class Envelope(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The content of one event that is hashed into the chain. `recorded_at`: UTC, ISO 8601. `commitments`:
    name of a secret part → 64 hex characters.
    """

    seq: int
    type: str
    body: dict[str, Any]
    actor: str
    command_id: str
    recorded_at: str
    commitments: dict[str, str] = {}


class Part(msgspec.Struct, frozen=True):
    """A secret part of an event. `body`: its value as JSON. A reader of nonce and body can check the
    commitment.
    """

    name: str
    nonce: bytes
    body: bytes


class Closed(NamedTuple):
    """An encrypted value. `key`: the id of its key. `value`: the ciphertext."""

    key: str
    value: bytes


decode_envelope = msgspec.json.Decoder(Envelope).decode


def secret_part(name: str, value: object) -> Part:
    """Return the secret part for a JSON value, with a new nonce of 256 bits."""
    return Part(name, secrets.token_bytes(NONCE_BYTES), encode_json(value))


def commitment(part: Part) -> str:
    """Return the commitment to a part: SHA-256(nonce ‖ body) as 64 hex characters."""
    return hashlib.sha256(part.nonce + part.body).hexdigest()


def write_envelope(
    seq: int,
    type_: str,
    body: Mapping[str, Any],
    parts: list[Part],
    *,
    actor: str,
    command_id: str,
    recorded_at: str,
) -> bytes:
    return encode_json(
        Envelope(
            seq=seq,
            type=type_,
            body=dict(body),
            actor=actor,
            command_id=command_id,
            recorded_at=recorded_at,
            commitments={part.name: commitment(part) for part in parts},
        )
    )


def closed(key: str, value: bytes | memoryview | str) -> Closed:
    """Return an encrypted value from the columns of a row."""
    return Closed(key, as_bytes(value))


def genesis(stream_id: str, kind: str) -> bytes:
    """Return the hash before the first event, which binds the chain to the stream and its kind."""
    return hashlib.sha256(_prefixed(GENESIS_DOMAIN, bytes.fromhex(stream_id), kind.encode())).digest()


def chain(stream_id: str, seq: int, previous: bytes, envelope: bytes) -> bytes:
    """Return the hash of event `seq`: SHA-256(domain ‖ stream ‖ seq ‖ previous hash ‖ envelope), each field
    with its length before it.
    """
    fields = (CHAIN_DOMAIN, bytes.fromhex(stream_id), seq.to_bytes(8, "big"), previous, envelope)
    return hashlib.sha256(_prefixed(*fields)).digest()


def encrypt_part(ring: Keyring, stream_id: str, seq: int, part: Part) -> Closed:
    """Encrypt a secret part of event `seq` for storage."""
    return Closed(ring.newest, ring.encrypt(part.nonce + part.body, _part_place(stream_id, seq, part.name)))


def decrypt_part(ring: Keyring, stream_id: str, seq: int, name: str, closed: Closed) -> Part:
    """Decrypt the secret part `name` of event `seq`.

    Raises AlteredLog if the ciphertext was changed, and DataKeyError `data/key_missing` if its key is
    unknown.
    """
    try:
        value = ring.decrypt(closed.key, closed.value, _part_place(stream_id, seq, name))
    except encryption.DecryptionError:
        raise AlteredLog(stream_id, seq, f"the secret part {name} is not what was closed") from None
    return Part(name, value[:NONCE_BYTES], value[NONCE_BYTES:])


def encrypt_receipt(ring: Keyring, stream_id: str, command_id: str, body_hash: bytes) -> Closed:
    """Encrypt the hash of a command for storage."""
    return Closed(ring.newest, ring.encrypt(body_hash, _receipt_place(stream_id, command_id), block=1))


def decrypt_receipt_hash(
    ring: Keyring, stream_id: str, command_id: str, first_seq: int, closed: Closed
) -> bytes:
    """Decrypt the hash of a command.

    Raises AlteredLog if the ciphertext was changed, and DataKeyError `data/key_missing` if its key is
    unknown.
    """
    try:
        return ring.decrypt(closed.key, closed.value, _receipt_place(stream_id, command_id))
    except encryption.DecryptionError:
        raise AlteredLog(
            stream_id, first_seq, f"the receipt of {command_id} is not what was closed"
        ) from None


def as_bytes(value: bytes | memoryview | str) -> bytes:
    """Convert the value of a binary column to bytes. SQLite also allows text there; then the result is empty,
    since this package did not write the row.
    """
    return b"" if isinstance(value, str) else bytes(value)


def _prefixed(*fields: bytes) -> bytes:
    return b"".join(len(field).to_bytes(8, "big") + field for field in fields)


def _part_place(stream_id: str, seq: int, name: str) -> bytes:
    return b"%s\0%s\0%d\0%s" % (PART_DOMAIN, stream_id.encode(), seq, name.encode())


def _receipt_place(stream_id: str, command_id: str) -> bytes:
    return b"%s\0%s\0%s" % (RECEIPT_DOMAIN, stream_id.encode(), command_id.encode())
