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
RETRY_SECONDS: Final = 2.0
"""Seconds after a failed call during which no call is made."""

T = TypeVar("T")
log = logging.getLogger(__name__)


class _Client:
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
        self.retry_at = 0.0
        self.is_away = False


def ask_redis(call: Callable[[Redis], T], otherwise: T) -> T:
    """Return the result of `call`, or `otherwise` if Redis is not available. Waits for a short time
    only.
    """
    client = _get_client()
    if monotonic() < client.retry_at:
        return otherwise
    try:
        result = call(client.redis)
    except (RedisError, OSError) as error:
        client.retry_at = monotonic() + RETRY_SECONDS
        if not client.is_away:
            log.warning("Redis does not answer, going on without it: %s", type(error).__name__)
        client.is_away = True
        return otherwise
    if client.is_away:
        client.is_away = False
        log.warning("Redis answers again")
    return result


def key(*parts: object) -> str:
    """Return the key of a value in Redis. Its prefix (settings.REDIS_PREFIX) separates installations that
    share one Redis.
    """
    return ":".join([settings.REDIS_PREFIX, *map(str, parts)])


_clients: dict[str, _Client] = {}
_clients_lock = threading.Lock()


def _get_client() -> _Client:
    url: str = settings.REDIS_URL
    with _clients_lock:
        if url not in _clients:
            _clients[url] = _Client(url)
        return _clients[url]
