"""The two families of error the engine knows. Both carry a stable code `area/what_happened`."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final


def one_line(text: str) -> str:
    """The words of a text: what somebody wrote may be quoted in it, with line breaks."""
    return " ".join(text.split())


class IllegalCommand(Exception):
    """A command that the rules refuse. Nothing has changed.

    `code` is stable and may be translated, `detail` is one English line, `params` are JSON values for the
    translation.
    """

    def __init__(self, code: str, detail: str, **params: Any) -> None:
        self.code = code
        self.detail = one_line(detail)
        super().__init__(f"{code}: {self.detail}")
        self.params = params


class CorruptLog(Exception):
    """A record that cannot be read as what it claims to be: malformed, truncated, reordered, of another
    program."""

    def __init__(self, code: str, detail: str, **params: Any) -> None:
        self.code = code
        self.detail = one_line(detail)
        super().__init__(f"{code}: {self.detail}")
        self.params = params


STUMBLES: Final = (ArithmeticError, LookupError, TypeError, ValueError)
"""What comes of a record that is followed though it is not by the rules."""


@contextmanager
def unchecked() -> Iterator[None]:
    """Around what is done with a log that nobody has audited. The ledger has no rules: it stumbles where an
    event cannot follow what comes before it, and that is CorruptLog `log/impossible`."""
    try:
        yield
    except STUMBLES as error:
        why = repr(error)
        raise CorruptLog("log/impossible", f"an event cannot follow what comes before it: {why}") from None
