"""What can be wrong with the keys that close secrets."""

from typing import Any


class DataKeyError(Exception):
    """A key cannot be used. Codes: `data/no_key`, `data/key_exists`, `data/key_readable`,
    `data/key_unreadable`, `data/key_malformed`, `data/key_missing` (a value names a key that is not known).

    Not Refused: what was asked for is possible and is tried again, and players learn neither path nor id.
    """

    def __init__(self, detail: str, *, code: str = "data/no_key", **params: Any) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.params = params


class CannotBeOpened(Exception):
    """A closed value is not what was closed, or lies where another one belongs."""
