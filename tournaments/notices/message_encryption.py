"""Encryption of a message for one browser: `aes128gcm` (RFC 8188) with its keys (RFC 8291), in one record.

The push service cannot read the message. All messages are padded to one length, so that the length of a name
stays hidden.
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
"""Record size that the message states. The single record is shorter."""
LENGTH: Final = 1500
"""Length of every message with padding, in bytes; push services accept 4096."""
END: Final = b"\x02"
"""Delimiter after the text of the last record, before the padding."""


def encrypt_message(
    text: bytes,
    receiver: bytes,
    auth: bytes,
    *,
    salt: bytes | None = None,
    sender: ec.EllipticCurvePrivateKey | None = None,
    length: int = LENGTH,
) -> bytes:
    """Encrypt a message into the body of the request.

    `receiver`: the browser's point, 65 bytes; `auth`: the browser's secret, 16 bytes. `salt` and `sender` are
    fresh for each message, unless a test vector gives them. Raises ValueError if the text is too long or the
    point is invalid.
    """
    if len(text) + len(END) > length:
        raise ValueError(f"a message of {len(text)} bytes is too long")
    salt = salt if salt is not None else secrets.token_bytes(16)
    sender = sender if sender is not None else ec.generate_private_key(CURVE)
    own = sender.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    common = sender.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, receiver))
    secret = _derive(common, auth, b"WebPush: info\0" + receiver + own, 32)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    filled = text + END + bytes(length - len(text) - len(END))
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(own)]) + own
    return head + AESGCM(key).encrypt(nonce, filled, None)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)
