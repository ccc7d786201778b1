"""The two families of errors of the platform. Every error has a stable code `area/what_happened`.

`Refused`: the request is not possible, and the requester can correct it. `Fault`: the record or the
installation is damaged. Code that handles `Refused` does not catch `Fault`, so that a fault is never reported
as a refusal.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final


def collapse_whitespace(text: str) -> str:
    """Return the text with each run of whitespace as one space, and without spaces at its ends."""
    return " ".join(text.split())


class Coded(Exception):
    """Base class of errors with a code.

    `code` is stable and is the key of translations. `detail` is one line of English. `params` are JSON values
    for the translation.
    """

    code = ""

    def __init__(self, detail: str, *, code: str = "", **params: object) -> None:
        super().__init__(detail)
        self.code = code or self.code
        self.detail = detail
        self.params = params


class Refused(Coded):
    """A request that is not possible. Nothing has changed."""


class Fault(Coded):
    """A defect of stored data or of the installation, which the requester cannot correct."""


class IllegalCommand(Refused):
    """A command, query or setting that the engine refuses."""

    def __init__(self, code: str, detail: str, **params: object) -> None:
        super().__init__(collapse_whitespace(detail), code=code, **params)

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


class CorruptLog(Fault):
    """A record that cannot be read: malformed, with gaps, impossible or of unknown rules."""

    def __init__(self, code: str, detail: str, **params: object) -> None:
        super().__init__(collapse_whitespace(detail), code=code, **params)

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


FOLD_ERRORS: Final = (ArithmeticError, LookupError, TypeError, ValueError)
"""Exceptions that the folding of an illegal log may raise, since the ledger checks no rules."""


@contextmanager
def convert_fold_errors() -> Iterator[None]:
    """In the block, which folds an unaudited log, convert `FOLD_ERRORS` to CorruptLog `log/impossible`."""
    try:
        yield
    except FOLD_ERRORS as error:
        why = repr(error)
        raise CorruptLog("log/impossible", f"an event cannot follow what comes before it: {why}") from None
