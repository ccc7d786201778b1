"""The vault: what stands in the database and nobody may read there is closed with a key from outside it."""

from games.encryption.errors import CannotBeOpened, DataKeyError
from games.encryption.keyring import Keyring, key_ids, keys_in_use, load_keys
from games.encryption.keys import make_data_key, next_key, prepare_key

__all__ = [
    "CannotBeOpened",
    "DataKeyError",
    "Keyring",
    "key_ids",
    "keys_in_use",
    "load_keys",
    "make_data_key",
    "next_key",
    "prepare_key",
]
