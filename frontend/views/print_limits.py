"""Rate limits on prints: a preview costs half a second of CPU, a list for a hall two, and their content
changes with each card. Cached prints are not limited.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.http import HttpRequest

from games.errors import TooMuch
from games.messaging import rate_limit
from games.monitoring.unavailable_errors import Overloaded

OF_OFFICE: Final = rate_limit.Budget("prints-office", most=120, seconds=60)
"""Budget of an official's account: the page of prints shows a dozen pictures for each language and round."""
FIRST_OF_ADDRESS: Final = rate_limit.Budget("prints-first-address", most=5, seconds=60)
"""The first prints of each address, so that one address leaves budget to the others."""
FIRST_OF_ALL: Final = rate_limit.Budget("prints-first", most=25, seconds=60)
MORE_OF_ALL: Final = rate_limit.Budget("prints-more", most=15, seconds=60)
"""Budgets shared by all without an office: the first prints of each address, and further ones."""
_others = threading.BoundedSemaphore(1)
"""One print at a time, so that the desk finds a free slot."""
QUEUE_TIMEOUT_SECONDS: Final = 8
"""The waiting time for a slot: a browser requests all pictures of a page at once."""


@contextmanager
def limit_printing(request: HttpRequest, *, office: bool) -> Iterator[None]:
    """Reserve budget and a slot for a print. `office`: the reader is an official, or keeps the club's roll.

    Raises TooMuch `prints/too_often`, Overloaded.
    """
    if office:
        _spend(OF_OFFICE, f"{request.user.pk}")
        yield
        return
    if not _others.acquire(timeout=QUEUE_TIMEOUT_SECONDS):
        raise Overloaded("something is printed for somebody without an office already")
    try:
        is_first = not FIRST_OF_ADDRESS.spend(rate_limit.address_of(request))
        _spend(FIRST_OF_ALL if is_first else MORE_OF_ALL)
        yield
    finally:
        _others.release()


def _spend(budget: rate_limit.Budget, *who: str) -> None:
    if seconds := budget.spend(*who):
        raise TooMuch("much was printed just now", code="prints/too_often", seconds=seconds)
