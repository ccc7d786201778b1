"""A cache of PDFs in this process, one version a print, keyed by a mark of its content."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

MAX_BYTES: Final = 24 * 2**20
MAX_PRINTS: Final = 500
"""The limit including failed prints, which have no bytes."""
Which = tuple[object, ...]


class _Kept:
    """A cached print. `making`: one thread makes it, the others wait."""

    def __init__(self) -> None:
        self.making = threading.Lock()
        self.mark = ""
        self.pdf = b""


_kept: OrderedDict[Which, _Kept] = OrderedDict()
_guard = threading.Lock()


def get_or_make_pdf(which: Which, mark: str, make: Callable[[], bytes]) -> bytes:
    """Return the PDF of this mark, from the cache or made now."""
    with _guard:
        one = _kept.setdefault(which, _Kept())
        _kept.move_to_end(which)
        while len(_kept) > MAX_PRINTS:
            _kept.popitem(last=False)
    with one.making:
        if one.mark != mark:
            one.pdf, one.mark = make(), mark
            _drop_oldest()
        return one.pdf


def forget_all() -> None:
    """Clear this process's cache."""
    with _guard:
        _kept.clear()


def _drop_oldest() -> None:
    with _guard:
        held = sum(len(one.pdf) for one in _kept.values())
        while held > MAX_BYTES and len(_kept) > 1:
            _which, oldest = _kept.popitem(last=False)
            held -= len(oldest.pdf)
