"""What Redis carries besides hints: counts and pages that many processes share. It is never the record.

Redis may vanish or hang at any moment, and nobody is to wait for it: each question has a bound of time, and
after one that failed nothing is asked for a while.

    carrier.ask_redis(lambda redis: redis.incr(carrier.key("tries", name)), otherwise=0)
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

SECONDS: Final = 0.25
"""The longest one question may take."""
REST_SECONDS: Final = 2.0
"""For how long nothing is asked after a question that failed."""

T = TypeVar("T")
log = logging.getLogger(__name__)


class _Carrier:
    """The connections of this process (after a fork redis-py makes new ones), and until when they rest."""

    def __init__(self, url: str) -> None:
        self.redis: Redis = Redis.from_url(
            url, socket_timeout=SECONDS, socket_connect_timeout=SECONDS, retry=Retry(NoBackoff(), 0)
        )
        self.rests_until = 0.0
        self.gone = False


def ask_redis(question: Callable[[Redis], T], otherwise: T) -> T:
    """The answer, or `otherwise` where Redis cannot be asked now. Never waits long."""
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
    """The name of something kept there; two installations on one Redis have different prefixes."""
    return ":".join([settings.REDIS_PREFIX, *map(str, parts)])


_carriers: dict[str, _Carrier] = {}
_making = threading.Lock()


def _of_this_process() -> _Carrier:
    url: str = settings.REDIS_URL
    with _making:
        if url not in _carriers:
            _carriers[url] = _Carrier(url)
        return _carriers[url]
