"""The two families of error the engine knows. Both carry a stable code `area/what_happened`."""

from typing import Any


class IllegalCommand(Exception):
    """A command that the rules refuse. Nothing has changed.

    `code` is stable and may be translated, `detail` is one English line, `params` are JSON values for the
    translation.
    """

    def __init__(self, code: str, detail: str, **params: Any) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.params = params


class CorruptLog(Exception):
    """A record that cannot be read as what it claims to be: malformed, truncated, reordered, of another
    program."""

    def __init__(self, code: str, detail: str, **params: Any) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.params = params
