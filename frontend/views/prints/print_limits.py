"""Rate limits on prints. A preview takes half a second of CPU time, a list for a large hall two, and their
content changes with each card. Prints from the cache are not limited.
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
"""Budget of an official's account. The page of prints shows a dozen pictures for each language and round."""
FIRST_OF_ADDRESS: Final = rate_limit.Budget("prints-first-address", most=5, seconds=60)
"""Budget of one address within FIRST_OF_ALL, so that one address cannot use that up."""
FIRST_OF_ALL: Final = rate_limit.Budget("prints-first", most=25, seconds=60)
MORE_OF_ALL: Final = rate_limit.Budget("prints-more", most=15, seconds=60)
"""Budget for the prints of all people without an office, except the first prints of each address."""
_others = threading.BoundedSemaphore(1)
"""Lets people without an office print only one document at a time, so that officials find a free typesetting
process.
"""
QUEUE_TIMEOUT_SECONDS: Final = 8
"""Seconds that a print waits for its turn, because a browser requests all pictures of a page at once."""


@contextmanager
def limit_printing(request: HttpRequest, *, office: bool) -> Iterator[None]:
    """Take a print from its budget and wait for its turn. `office`: the reader may enter people or keeps the
    club's roll, and need not wait.

    Raises TooMuch `prints/too_often` if the budget is used up, and Overloaded if the turn does not come in
    time.
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
