"""A cache of PDFs in this process. For each print it has the newest version, recognised by a mark of the
content.
"""

import threading
from collections.abc import Callable
from typing import Final

from games.recently_used import RecentlyUsed

MAX_BYTES: Final = 24 * 2**20
MAX_PRINTS: Final = 500
"""Largest number of prints in the cache, including failed ones, which have no bytes."""
Which = tuple[object, ...]


class _PdfSlot:
    """A cached print. `making`: held by the thread that makes the print, so that other threads wait for
    it.
    """

    def __init__(self) -> None:
        self.making = threading.Lock()
        self.mark = ""
        self.pdf = b""


KEPT: Final = RecentlyUsed[Which, _PdfSlot](MAX_PRINTS, size=lambda one: len(one.pdf), most_size=MAX_BYTES)


def get_or_make_pdf(which: Which, mark: str, make: Callable[[], bytes]) -> bytes:
    """Return the PDF of the print `which` with this mark, from the cache or made by `make`."""
    one = KEPT.get_or_add(which, _PdfSlot)
    with one.making:
        if one.mark != mark:
            one.pdf, one.mark = make(), mark
            KEPT.drop_oldest()
        return one.pdf
