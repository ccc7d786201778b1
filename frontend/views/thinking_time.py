"""How long bots think for whoever asks them: anybody may, and in some games a comparison costs seconds."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time
from typing import Final

from django.http import HttpRequest

from games.errors import TooMuch
from games.messaging import rate_limit

OF_ADDRESS: Final = rate_limit.Budget("bots-think-address", most=10_000, seconds=60)
"""Milliseconds for which bots think for one address; a hall is one. A card costs a tenth of one, in
Plus-Minus five, and to compare the first cards of such a deal two seconds."""
OF_ALL: Final = rate_limit.Budget("bots-think-all", most=20_000, seconds=60)


@contextmanager
def bots_think(request: HttpRequest) -> Iterator[None]:
    """As long as there is time left for whoever asks. Raises TooMuch `what_if/too_often`."""
    network = rate_limit.address_of(request)
    if seconds := OF_ADDRESS.wait(network) or OF_ALL.wait():
        raise TooMuch("bots have thought for long", code="what_if/too_often", seconds=seconds)
    begun = thread_time()
    try:
        yield
    finally:
        took = 1 + round(1000 * (thread_time() - begun))
        OF_ADDRESS.spend(network, count=took)
        OF_ALL.spend(count=took)
