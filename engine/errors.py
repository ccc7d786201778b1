"""The two families of error of the whole platform. Every one carries a stable code `area/what_happened`.

`Refused`: something is not possible, and who asks for it can put it right. Everything else that is raised by
intent is a `Fault`: of the record, or of the installation. What refuses catches no faults, so that none is
taken for a plain no.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final


def one_line(text: str) -> str:
    """The words of a text: what somebody wrote may be quoted in it, with line breaks."""
    return " ".join(text.split())


class Coded(Exception):
    """`code` is stable and may be translated, `detail` is one English line, `params` are JSON values for the
    translation.
    """

    code = ""

    def __init__(self, detail: str, *, code: str = "", **params: object) -> None:
        super().__init__(detail)
        self.code = code or self.code
        self.detail = detail
        self.params = params


class Refused(Coded):
    """Something that is not possible. Nothing has changed."""


class Fault(Coded):
    """Something is wrong with what is stored or installed, and nobody who asks can put it right."""


class IllegalCommand(Refused):
    """A command that the rules refuse."""

    def __init__(self, code: str, detail: str, **params: object) -> None:
        super().__init__(one_line(detail), code=code, **params)

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


class CorruptLog(Fault):
    """A record that cannot be read as what it claims to be: malformed, truncated, reordered, of another
    program."""

    def __init__(self, code: str, detail: str, **params: object) -> None:
        super().__init__(one_line(detail), code=code, **params)

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


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
