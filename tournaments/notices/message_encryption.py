"""A message that only one browser can open: `aes128gcm` (RFC 8188) with its keys (RFC 8291), in one record.

The push service carries it and cannot read it. Every message is filled up to one length, so that it does not
tell either how long a name is.
"""

import secrets
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tournaments.notices.keys import CURVE

RECORD: Final = 4096
"""The length of a record that a receiver reckons with; ours is the only one, and shorter."""
LENGTH: Final = 1500
"""Of every message with its filling: far below what services carry (4096)."""
END: Final = b"\x02"
"""The mark between the last record and its filling."""


def close_message(
    text: bytes,
    receiver: bytes,
    auth: bytes,
    *,
    salt: bytes | None = None,
    sender: ec.EllipticCurvePrivateKey | None = None,
    length: int = LENGTH,
) -> bytes:
    """The body of the request. `receiver`: the browser's point, 65 bytes; `auth`: its secret, 16 bytes.
    `salt` and `sender` are fresh for each message, unless a test vector names them. Raises ValueError for a
    text that is too long, or a point that is none.
    """
    if len(text) + len(END) > length:
        raise ValueError(f"a message of {len(text)} bytes is too long")
    salt = salt if salt is not None else secrets.token_bytes(16)
    sender = sender if sender is not None else ec.generate_private_key(CURVE)
    own = sender.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    common = sender.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, receiver))
    secret = _derived(common, auth, b"WebPush: info\0" + receiver + own, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    filled = text + END + bytes(length - len(text) - len(END))
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(own)]) + own
    return head + AESGCM(key).encrypt(nonce, filled, None)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)
