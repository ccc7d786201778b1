"""Encryption of secret values in the database, with a key from outside the database."""

from games.encryption.errors import DataKeyError, DecryptionError
from games.encryption.keyring import Keyring, key_ids, keys_in_use, load_keys
from games.encryption.keys import make_data_key, next_key, prepare_key

__all__ = [
    "DataKeyError",
    "DecryptionError",
    "Keyring",
    "key_ids",
    "keys_in_use",
    "load_keys",
    "make_data_key",
    "next_key",
    "prepare_key",
]
