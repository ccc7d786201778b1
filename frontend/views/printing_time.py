"""How much paper is made for whoever asks: a preview is half a second of processor, a list for a hall two,
and what is on it changes with each card. Whatever is made already costs nothing.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from frontend.views.championship_context import PageContext
from games.errors import TooMuch
from games.messaging import rate_limit
from games.monitoring.strain import Overloaded

OF_OFFICE: Final = rate_limit.Budget("prints-office", most=120, seconds=60)
"""For one account: the page of prints shows a dozen pictures, in each language and for each round others."""
FIRST_OF_ADDRESS: Final = rate_limit.Budget("prints-first-address", most=5, seconds=60)
"""What each address has had few of, so that one that asks for much leaves something to the others."""
FIRST_OF_ALL: Final = rate_limit.Budget("prints-first", most=25, seconds=60)
MORE_OF_ALL: Final = rate_limit.Budget("prints-more", most=15, seconds=60)
"""For all without an office here together: the first few of each address, and what is beyond them."""
_others = threading.BoundedSemaphore(1)
"""One at a time, so that the desk finds a place to print."""
QUEUE_TIMEOUT_SECONDS: Final = 8
"""Seconds for which one waits for another: a browser asks for all pictures of a page at once."""


@contextmanager
def printing_for(frame: PageContext) -> Iterator[None]:
    """Paper is made. Raises TooMuch `prints/too_often`, Overloaded."""
    if frame.roles.may("enter"):
        _spend(OF_OFFICE, f"{frame.request.user.pk}")
        yield
        return
    if not _others.acquire(timeout=QUEUE_TIMEOUT_SECONDS):
        raise Overloaded("something is printed for somebody without an office already")
    try:
        is_first = not FIRST_OF_ADDRESS.spend(rate_limit.address_of(frame.request))
        _spend(FIRST_OF_ALL if is_first else MORE_OF_ALL)
        yield
    finally:
        _others.release()


def _spend(budget: rate_limit.Budget, *who: str) -> None:
    if seconds := budget.spend(*who):
        raise TooMuch("much was printed just now", code="prints/too_often", seconds=seconds)
