"""Rate limits on analysis by bots. In some games one comparison takes seconds."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time
from typing import Final

from django.http import HttpRequest

from games.errors import TooMuch
from games.messaging import rate_limit

ADDRESS_BUDGET: Final = rate_limit.Budget("bots-think-address", most=10_000, seconds=60)
"""Milliseconds of bot time a minute for one address, from which a whole hall may come. Rating a card takes
0.1 to 5 ms. Comparing the first cards of a deal takes up to two seconds.
"""
OF_ALL: Final = rate_limit.Budget("bots-think-all", most=20_000, seconds=60)


@contextmanager
def limit_bot_time(request: HttpRequest) -> Iterator[None]:
    """Subtract the block's CPU time from the budgets of its address and of all. If one is used up, raise
    TooMuch `what_if/too_often` before the block.
    """
    network = rate_limit.address_of(request)
    if seconds := ADDRESS_BUDGET.wait(network) or OF_ALL.wait():
        raise TooMuch("bots have thought for long", code="what_if/too_often", seconds=seconds)
    begun = thread_time()
    try:
        yield
    finally:
        took = 1 + round(1000 * (thread_time() - begun))
        ADDRESS_BUDGET.spend(network, count=took)
        OF_ALL.spend(count=took)
