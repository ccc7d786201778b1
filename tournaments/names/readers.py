"""For whom names are read. Like the language of a page it belongs to whoever asks, not to what is asked for.
It is set once for a request, and every entry that is read meanwhile has the name that this reader may see.

Nobody is set in services, workers and commands: there names are what they are.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class NameReader(Protocol):
    """What one reader may see of the names of a championship."""

    def kind(self, championship: int) -> str:
        """ "full", "initials" or "numbers"."""

    def names(self, championship: int) -> "dict[int, str]":
        """Row of an entry → what is shown of its name, where that is not the name itself."""

    def set_kind_if_unset(self, championship: int, kind: str) -> None:
        """A championship was read: what it shows in public."""


_reader: ContextVar[NameReader | None] = ContextVar("name_reader", default=None)


def reader() -> NameReader | None:
    """Whoever reads now; None: somebody who may read every name."""
    return _reader.get()


@contextmanager
def reading_for(who: NameReader | None) -> Iterator[None]:
    """While it lasts, names are read for this reader."""
    token = _reader.set(who)
    try:
        yield
    finally:
        _reader.reset(token)
