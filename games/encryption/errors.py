"""What can be wrong with the keys that close secrets."""

from engine import Fault


class DataKeyError(Fault):
    """A key cannot be used. Codes: `data/no_key`, `data/key_exists`, `data/key_readable`,
    `data/key_unreadable`, `data/key_malformed`, `data/key_missing` (a value names a key that is not known).

    What was asked for is possible and is tried again, and players learn neither path nor id.
    """

    code = "data/no_key"


class CannotBeOpened(Exception):
    """A closed value is not what was closed, or lies where another one belongs."""
