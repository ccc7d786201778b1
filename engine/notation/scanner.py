"""Scanner of one line of notation, from left to right."""

import json
import re
from collections.abc import Iterable
from typing import Any, Final, NoReturn

import msgspec

from engine.errors import CorruptLog

WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}(?!\w)")
CARD: Final = re.compile(r"[DHSC](?:10|[6-9JQKA])(?!\w)")
UNKNOWN: Final = re.compile(r"\?(?:x([0-9]{1,2}))?(?!\w)")
_BLANKS: Final = re.compile(r"[ \t\r]*")
_JSON: Final = json.JSONDecoder()


class Scanner:
    """A position in a line. All methods skip blanks before they look at the text."""

    __slots__ = ("at", "line", "text")

    def __init__(self, text: str, line: int = 1) -> None:
        self.text = text
        self.line = line
        self.at = 0

    def fail(self, expected: str, *, code: str = "notation/unexpected", at: int | None = None) -> NoReturn:
        """Raise CorruptLog with line, column and `expected`, as one printable line."""
        expected = "".join(sign if sign.isprintable() else "?" for sign in expected)
        column = (self.here() if at is None else at) + 1
        raise CorruptLog(
            code,
            f"line {self.line}, column {column}: {expected}",
            line=self.line,
            column=column,
            expected=expected,
        )

    def done(self) -> bool:
        """Return whether nothing but a comment is left."""
        at = self.here()
        return at == len(self.text) or self.text[at] == "#"

    def take(self, symbol: str) -> bool:
        """Consume a symbol if it is next. Return whether it was."""
        at = self.here()
        if not self.text.startswith(symbol, at):
            return False
        self.at = at + len(symbol)
        return True

    def take_words(self, words: Iterable[str]) -> bool:
        """Consume these words if they are all next. Return whether they were."""
        before = self.at
        for word in words:
            found = self.find(WORD)
            if found is None or found[0] != word:
                self.at = before
                return False
        return True

    def find(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Consume and return the match of a pattern that is next; None if it is not next."""
        found = pattern.match(self.text, self.here())
        if found is not None:
            self.at = found.end()
        return found

    def need(self, pattern: re.Pattern[str], expected: str) -> str:
        """Consume and return a match of a pattern. Raises CorruptLog if there is none."""
        found = self.find(pattern)
        if found is None:
            self.fail(f"expected {expected}")
        return found[0]

    def json(self, expected: str) -> Any:
        """Consume a JSON value, and return it decoded as in a file of commands. Raises CorruptLog if there is
        none.
        """
        start = self.here()
        try:
            _, self.at = _JSON.raw_decode(self.text, start)
            return msgspec.json.decode(self.text[start : self.at].encode())
        except (ValueError, RecursionError, msgspec.MsgspecError):
            self.fail(f"expected {expected}", at=start)

    def here(self) -> int:
        """Skip blanks and return the new position."""
        blanks = _BLANKS.match(self.text, self.at)
        self.at = blanks.end() if blanks else self.at
        return self.at
