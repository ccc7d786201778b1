"""The reader for whom names are loaded. It is set once per request, like the language.

Entries and teams that are loaded during the request have the names that this reader may see. Workers and
commands have no reader and get the real names.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class NameReader(Protocol):
    """The names of a championship that one reader may see."""

    def kind(self, championship: int) -> str:
        """Return the kind of names in the championship: "full", "consented", "initials" or "numbers"."""

    def names(self, championship: int) -> "dict[int, str]":
        """Return replacement names by entry id. Entries whose real name is shown are missing."""

    def set_kind_if_unset(self, championship: int, kind: str) -> None:
        """Record the kind of public names of a loaded championship, unless one is recorded already."""


_reader: ContextVar[NameReader | None] = ContextVar("name_reader", default=None)


def reader() -> NameReader | None:
    """Return the current reader. None: real names are loaded."""
    return _reader.get()


@contextmanager
def reading_for(who: NameReader | None) -> Iterator[None]:
    """Set the reader for the duration of the block."""
    token = _reader.set(who)
    try:
        yield
    finally:
        _reader.reset(token)
