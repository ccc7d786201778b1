"""Encrypt and decrypt values with AES-256-GCM, bound to the place where the value is stored, and load the
keys for it.
"""

import contextlib
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from games.encryption.errors import DataKeyError, DecryptionError
from games.encryption.keys import id_of, keys_of

IV_BYTES: Final = 12
LENGTH_BYTES: Final = 4
BLOCK_BYTES: Final = 128
"""Bytes. Values are padded to a multiple of it, since the length of a number or a hand would tell something
about its value.
"""


class Keyring:
    """The known keys: the last key encrypts, every key decrypts."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._ciphers = {id_of(key): AESGCM(key) for key in keys}
        self.ids = tuple(self._ciphers)
        self.newest = self.ids[-1]
        self._cipher = self._ciphers[self.newest]

    def encrypt(self, value: bytes, place: bytes, *, block: int = BLOCK_BYTES) -> bytes:
        """Return the IV and the ciphertext of a value, encrypted with the newest key. Only the same `place`
        decrypts it.

        `block`: the length in bytes is padded to a multiple of it; 1 if all values of the kind are equally
        long.
        """
        length = LENGTH_BYTES + len(value)
        padded = len(value).to_bytes(LENGTH_BYTES, "big") + value + bytes(-length % block)
        iv = secrets.token_bytes(IV_BYTES)
        return iv + self._cipher.encrypt(iv, padded, place)

    def decrypt(self, key: str, closed: bytes, place: bytes) -> bytes:
        """Return the decrypted value. Raises DataKeyError `data/key_missing` if the key `key` is unknown, and
        DecryptionError if the ciphertext was changed or belongs to another place.
        """
        cipher = self._ciphers.get(key)
        if cipher is None:
            raise DataKeyError(
                f"the data key {key} is not among those that are known ({', '.join(self.ids)})",
                code="data/key_missing",
                key=key,
            )
        try:
            padded = cipher.decrypt(closed[:IV_BYTES], closed[IV_BYTES:], place)
        except (InvalidTag, ValueError):
            raise DecryptionError from None
        return padded[LENGTH_BYTES : LENGTH_BYTES + int.from_bytes(padded[:LENGTH_BYTES], "big")]


_cached_keyrings: dict[Path, tuple[tuple[int, ...], Keyring]] = {}


def load_keys(path: Path) -> Keyring:
    """Load the keys of a file. Keys are cached, and read again when the file was replaced or its mode
    changed, so a rotation needs no restart. Raises DataKeyError.
    """
    version: tuple[int, ...] = ()
    with contextlib.suppress(OSError):  # `keys_of` raises the error that applies
        status = path.stat()
        version = (status.st_mtime_ns, status.st_ino, status.st_mode)
        cached = _cached_keyrings.get(path)
        if cached is not None and cached[0] == version:
            return cached[1]
    ring = Keyring(keys_of(path))
    _cached_keyrings[path] = (version, ring)
    return ring


def keys_in_use() -> Keyring:
    """Return the keys of this platform (settings.DATA_KEY). Raises DataKeyError."""
    return load_keys(settings.DATA_KEY)


def key_ids(path: Path) -> tuple[str, ...]:
    """Return the ids of the keys in a file; empty if there is no usable file."""
    with contextlib.suppress(DataKeyError):
        return load_keys(path).ids
    return ()
