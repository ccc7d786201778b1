"""Errors of the keys that encrypt secrets."""

from engine import Fault


class DataKeyError(Fault):
    """A key cannot be used. Codes: `data/no_key`, `data/key_exists`, `data/key_readable`,
    `data/key_unreadable`, `data/key_malformed`, `data/key_missing` (a value names an unknown key).

    The request itself is valid, so clients may send it again. Players learn neither the path nor the id of a
    key.
    """

    code = "data/no_key"


class DecryptionError(Exception):
    """A ciphertext has been altered, or was moved from another place in the database."""
