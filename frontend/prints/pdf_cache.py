"""PDFs that this process has made, so that what many ask for is made once: the newest of each, by a mark that
changes with what it shows.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

MOST_BYTES: Final = 24 * 2**20
MOST_PRINTS: Final = 500
"""Those that could not be made among them, which have no bytes."""
Which = tuple[object, ...]


class _Kept:
    """`making`: one thread makes it, the others wait for it."""

    def __init__(self) -> None:
        self.making = threading.Lock()
        self.mark = ""
        self.pdf = b""


_kept: OrderedDict[Which, _Kept] = OrderedDict()
_guard = threading.Lock()


def kept(which: Which, mark: str, make: Callable[[], bytes]) -> bytes:
    """The PDF of this mark."""
    with _guard:
        one = _kept.setdefault(which, _Kept())
        _kept.move_to_end(which)
        while len(_kept) > MOST_PRINTS:
            _kept.popitem(last=False)
    with one.making:
        if one.mark != mark:
            one.pdf, one.mark = make(), mark
            _drop_oldest()
        return one.pdf


def forget_all() -> None:
    """In this process."""
    with _guard:
        _kept.clear()


def _drop_oldest() -> None:
    with _guard:
        held = sum(len(one.pdf) for one in _kept.values())
        while held > MOST_BYTES and len(_kept) > 1:
            _which, oldest = _kept.popitem(last=False)
            held -= len(oldest.pdf)
