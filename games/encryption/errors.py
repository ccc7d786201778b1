"""Errors of the keys that encrypt secrets."""

from engine import Fault


class DataKeyError(Fault):
    """A key cannot be used. Codes: `data/no_key`, `data/key_exists`, `data/key_readable`,
    `data/key_unreadable`, `data/key_malformed`, `data/key_missing` (a value names an unknown key).

    The request itself is valid and is tried again; players learn neither path nor id.
    """

    code = "data/no_key"


class DecryptionError(Exception):
    """A ciphertext has been altered, or is in the place of another one."""
