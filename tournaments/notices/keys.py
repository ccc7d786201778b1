"""The platform's VAPID key (RFC 8292): P-256, 32 bytes in a file outside the database and its backups.

With the key and a subscription anyone could send to a phone in the platform's name, so a file readable by
others is refused. Browsers subscribe to one key: if the key changes, everyone has to subscribe again.
"""

import base64
import time
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

from engine import Fault
from games.encryption import key_files

KEY_BYTES: Final = 32
CURVE: Final = ec.SECP256R1()
TOKEN_SECONDS: Final = 3600
"""Validity of a VAPID token, in seconds. RFC 8292 allows at most 24 hours."""
NONE: Final = "none"
"""Value of PUUR_PUSH_HOSTS that disables notices."""
NOBODY: Final = "https://puur.invalid"
"""Contact stated to push services if the platform has no address of its own."""


class PushKeyError(Fault):
    """Error of an unusable key.

    Codes: `notices/no_key`, `notices/key_exists`, `notices/key_readable`, `notices/key_unreadable`,
    `notices/key_malformed`.
    """

    code = "notices/no_key"


class PushKey:
    """A private VAPID key. `public`: its public key for browsers, base64url of the uncompressed point."""

    def __init__(self, private: ec.EllipticCurvePrivateKey) -> None:
        self._private = private
        point = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public = base64url(point)

    def authorization(self, origin: str) -> str:
        """Return the value of the Authorization header for the push service at `origin`."""
        claims = {"aud": origin, "exp": int(time.time()) + TOKEN_SECONDS, "sub": _contact()}
        signing_input = ".".join(base64url(msgspec.json.encode(part)) for part in (_HEADER, claims))
        signature = self._private.sign(signing_input.encode(), ec.ECDSA(SHA256()))
        r, s = decode_dss_signature(signature)
        token = f"{signing_input}.{base64url(r.to_bytes(KEY_BYTES, 'big') + s.to_bytes(KEY_BYTES, 'big'))}"
        return f"vapid t={token}, k={self.public}"


_HEADER: Final = {"typ": "JWT", "alg": "ES256"}


def base64url(data: bytes) -> str:
    """Encode in base64url without padding, as web push requires."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _contact() -> str:
    return settings.ORIGIN if settings.TLS else NOBODY


def make_push_key(path: Path) -> PushKey:
    """Create a key in a new file that only its owner may read. Raises PushKeyError `notices/key_exists`."""
    private = ec.generate_private_key(CURVE)
    raw = private.private_numbers().private_value.to_bytes(KEY_BYTES, "big")
    exists = PushKeyError(f"there is a key already: {path}", code="notices/key_exists")
    key_files.create_key_file(path, raw.hex() + "\n", exists=exists)
    return PushKey(private)


def push_key() -> PushKey:
    """Load the platform's key from the file settings.PUSH_KEY. Raises PushKeyError."""
    path: Path = settings.PUSH_KEY
    status = key_files.require_private(
        path,
        missing=PushKeyError(f"there is no key: {path} (manage.py make-push-key)"),
        readable=PushKeyError(
            f"others can read the key {path}: chmod 600, and make a new one if they may have",
            code="notices/key_readable",
        ),
    )
    return _read_key(path, status.st_mtime_ns)


def public_push_key() -> str:
    """Return the public key that browsers subscribe to; "" if notices are disabled or there is no key."""
    if settings.PUSH_HOSTS == [NONE]:
        return ""
    try:
        return push_key().public
    except PushKeyError:
        return ""


@lru_cache(maxsize=8)
def _read_key(path: Path, changed: int) -> PushKey:
    """Read a key file. Raises PushKeyError.

    `changed`: modification time of the file, so that a replaced file is not taken from the cache.
    """
    try:
        raw = bytes.fromhex(path.read_text("ascii").strip())
    except OSError:
        raise PushKeyError(
            f"the key {path} belongs to somebody else: chown it to whom the platform runs as",
            code="notices/key_unreadable",
        ) from None
    except ValueError:
        raw = b""
    try:
        if len(raw) != KEY_BYTES:
            raise ValueError
        return PushKey(ec.derive_private_key(int.from_bytes(raw, "big"), CURVE))
    except ValueError:
        raise PushKeyError(f"this is no key: {path}", code="notices/key_malformed") from None
