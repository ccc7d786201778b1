"""The Ed25519 key that signs checkpoints: 32 bytes in a file of its own, outside the database and its
backups.

A person who has the key can sign false checkpoints, so a file that other users can read is refused.
"""

from functools import lru_cache
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from django.conf import settings

from games.encryption import key_files
from games.sealing.errors import SealKeyError

KEY_BYTES = 32


class SealKey:
    """A private key. `public`: its public key, 32 bytes."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def sign(self, message: bytes) -> bytes:
        """Return the signature of 64 bytes by RFC 8032. The same message always gets the same signature."""
        return self._private.sign(message)


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether the holder of this public key has signed the message."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def make_seal_key(path: Path) -> SealKey:
    """Make a key in a new file that only its owner may read. Raises SealKeyError `sealing/key_exists`."""
    private = Ed25519PrivateKey.generate()
    raw = private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
    exists = SealKeyError(f"there is a key already: {path}", code="sealing/key_exists")
    key_files.create_key_file(path, raw.hex() + "\n", exists=exists)
    return SealKey(private)


def load_key(path: Path) -> SealKey:
    """Return the key in a file. Raises SealKeyError if the file is missing, unreadable, readable for others
    or malformed.
    """
    status = key_files.require_private(
        path,
        missing=SealKeyError(f"there is no key: {path} (manage.py make-seal-key)"),
        readable=SealKeyError(
            f"others can read the key {path}: chmod 600, and make a new one if they may have",
            code="sealing/key_readable",
        ),
    )
    return _read(path, status.st_mtime_ns)


def load_key_in_use() -> SealKey:
    """Return the key with which this platform signs (settings.SEAL_KEY). Raises SealKeyError like
    `load_key`.
    """
    return load_key(settings.SEAL_KEY)


@lru_cache(maxsize=8)
def _read(path: Path, changed: int) -> SealKey:
    """Read a key file. `changed`: its modification time in nanoseconds, so that a replaced file is read
    again.
    """
    try:
        raw = bytes.fromhex(path.read_text("ascii").strip())
    except OSError:
        raise SealKeyError(
            f"the key {path} belongs to somebody else: chown it to whom the platform runs as",
            code="sealing/key_unreadable",
        ) from None
    except ValueError:
        raw = b""
    if len(raw) != KEY_BYTES:
        raise SealKeyError(f"this is no key: {path}", code="sealing/key_malformed")
    return SealKey(Ed25519PrivateKey.from_private_bytes(raw))
