"""Closing and opening values: AES-256-GCM, bound to the place where the value lies."""

import hashlib
import secrets
from collections.abc import Sequence
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from games.vault.errors import CannotBeOpened, DataKeyError

KEY_BYTES: Final = 32
IV_BYTES: Final = 12
LENGTH_BYTES: Final = 4
BLOCK: Final = 128
"""Values are filled up to whole blocks: how long a number or a hand is would else tell what it may be."""
ID_DOMAIN: Final = b"puur/data-key/1"


def id_of(key: bytes) -> str:
    """What a key is called beside what it has closed; it follows from the key and does not betray it."""
    return hashlib.sha256(ID_DOMAIN + key).hexdigest()[:12]


class Keyring:
    """The keys that are known: the last one closes, every one opens."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._ciphers = {id_of(key): AESGCM(key) for key in keys}
        self.ids = tuple(self._ciphers)
        self.newest = self.ids[-1]
        self._cipher = self._ciphers[self.newest]

    def close(self, value: bytes, place: bytes, *, block: int = BLOCK) -> bytes:
        """IV and ciphertext of a value under the newest key; it opens only at the same place. `block`: 1 for
        values that are all of one length.
        """
        length = LENGTH_BYTES + len(value)
        whole = len(value).to_bytes(LENGTH_BYTES, "big") + value + bytes(-length % block)
        iv = secrets.token_bytes(IV_BYTES)
        return iv + self._cipher.encrypt(iv, whole, place)

    def open(self, key: str, closed: bytes, place: bytes) -> bytes:
        """The value. Raises DataKeyError `data/key_missing`, CannotBeOpened."""
        cipher = self._ciphers.get(key)
        if cipher is None:
            raise DataKeyError(
                f"the data key {key} is not among those that are known ({', '.join(self.ids)})",
                code="data/key_missing",
                key=key,
            )
        try:
            whole = cipher.decrypt(closed[:IV_BYTES], closed[IV_BYTES:], place)
        except (InvalidTag, ValueError):
            raise CannotBeOpened from None
        return whole[LENGTH_BYTES : LENGTH_BYTES + int.from_bytes(whole[:LENGTH_BYTES], "big")]
