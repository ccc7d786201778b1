"""The byte layout of the log: envelope, commitment and chain. docs/developers/log-format.md describes it.

Any change here needs a new domain: stored bytes are hashed as they are.
"""

import hashlib
import secrets
from collections.abc import Mapping
from typing import Any

import msgspec

CHAIN_DOMAIN = b"puur/log/1"
GENESIS_DOMAIN = b"puur/stream/1"
NONCE_BYTES = 32

encode_json = msgspec.json.Encoder().encode
decode_json = msgspec.json.Decoder().decode


class Envelope(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The chained content of one event. `commitments`: name of a secret part → 64 hex characters."""

    seq: int
    type: str
    body: dict[str, Any]
    actor: str
    command_id: str
    recorded_at: str
    commitments: dict[str, str] = {}


class Part(msgspec.Struct, frozen=True):
    """A secret part: nonce and body together allow a check of the commitment."""

    name: str
    nonce: bytes
    body: bytes


decode_envelope = msgspec.json.Decoder(Envelope).decode


def secret_part(name: str, value: object) -> Part:
    """A secret value (any JSON value) under a fresh nonce of 256 bits."""
    return Part(name, secrets.token_bytes(NONCE_BYTES), encode_json(value))


def commitment(part: Part) -> str:
    """SHA-256(nonce ‖ body) as 64 hex characters."""
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


def genesis(stream_id: str, kind: str) -> bytes:
    """The hash before the first event: binds the chain to its stream and the stream's kind."""
    return hashlib.sha256(_prefixed(GENESIS_DOMAIN, bytes.fromhex(stream_id), kind.encode())).digest()


def chain(stream_id: str, seq: int, previous: bytes, envelope: bytes) -> bytes:
    """hash_n = SHA-256(domain ‖ stream ‖ n ‖ hash_{n-1} ‖ envelope), each with its length before it."""
    fields = (CHAIN_DOMAIN, bytes.fromhex(stream_id), seq.to_bytes(8, "big"), previous, envelope)
    return hashlib.sha256(_prefixed(*fields)).digest()


def as_bytes(value: bytes | memoryview | str) -> bytes:
    """Convert a column to bytes. SQLite allows text in a column of bytes; such a row was not written by this
    package."""
    return b"" if isinstance(value, str) else bytes(value)


def _prefixed(*fields: bytes) -> bytes:
    return b"".join(len(field).to_bytes(8, "big") + field for field in fields)
