"""Calls to Redis for data that processes share, such as counts and pages.

Redis may vanish or hang at any moment without holding up callers: each call has a timeout, and for a while
after a failed call no other call is made.

    redis_client.ask_redis(lambda redis: redis.incr(redis_client.key("tries", name)), otherwise=0)
"""

import logging
import threading
from collections.abc import Callable
from time import monotonic
from typing import Final, TypeVar

from django.conf import settings
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

TIMEOUT_SECONDS: Final = 0.25
"""Timeout of one call, in seconds."""
REST_SECONDS: Final = 2.0
"""Seconds after a failed call during which no call is made."""

T = TypeVar("T")
log = logging.getLogger(__name__)


class _Carrier:
    """The Redis client of this process, and the time until which it makes no calls. After a fork redis-py
    opens new connections.
    """

    def __init__(self, url: str) -> None:
        self.redis: Redis = Redis.from_url(
            url,
            socket_timeout=TIMEOUT_SECONDS,
            socket_connect_timeout=TIMEOUT_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        self.rests_until = 0.0
        self.gone = False


def ask_redis(question: Callable[[Redis], T], otherwise: T) -> T:
    """Return the result of `question`, or `otherwise` if Redis is not available. Waits for a short time
    only.
    """
    carrier = _of_this_process()
    if monotonic() < carrier.rests_until:
        return otherwise
    try:
        answer = question(carrier.redis)
    except (RedisError, OSError) as error:
        carrier.rests_until = monotonic() + REST_SECONDS
        if not carrier.gone:
            log.warning("Redis does not answer, going on without it: %s", type(error).__name__)
        carrier.gone = True
        return otherwise
    if carrier.gone:
        carrier.gone = False
        log.warning("Redis answers again")
    return answer


def key(*parts: object) -> str:
    """Return the key of a value in Redis. Its prefix (settings.REDIS_PREFIX) separates installations that
    share one Redis.
    """
    return ":".join([settings.REDIS_PREFIX, *map(str, parts)])


_carriers: dict[str, _Carrier] = {}
_making = threading.Lock()


def _of_this_process() -> _Carrier:
    url: str = settings.REDIS_URL
    with _making:
        if url not in _carriers:
            _carriers[url] = _Carrier(url)
        return _carriers[url]
