"""Rate limits, counted across all processes in Redis, and in this process alone while Redis is away.

`Budget.spend` counts attempts. `Budget.wait` returns the seconds until another is allowed, 0 if one is now.
"""

import ipaddress
import threading
from time import monotonic
from typing import Final, NamedTuple

from django.conf import settings
from django.http import HttpRequest
from redis import Redis

from games.messaging import redis_client

MAX_KEPT: Final = 20_000
"""Number of counts that a process keeps while Redis is away. If there are more, all are dropped."""
UNKNOWN_NETWORK: Final = "unknown"


class BudgetUse(NamedTuple):
    uses: int
    seconds: float
    """Seconds until the count starts again from 0."""


class Budget:
    """A limit of `most` uses in `seconds` for each key `who`, from its first use. No limit holds if
    settings.LIMITS is off.
    """

    def __init__(self, name: str, *, most: int, seconds: int) -> None:
        self.name, self.most, self.seconds = name, most, seconds
        self._local_counts: dict[str, tuple[int, float]] = {}
        self._lock = threading.Lock()

    def spend(self, *who: object, count: int = 1) -> int:
        """Count `count` uses; return the seconds to wait if the limit is exceeded, else 0."""
        if not settings.LIMITS:
            return 0
        key = redis_client.key("budget", self.name, *who)

        def ask(redis: Redis) -> BudgetUse | None:
            with redis.pipeline(transaction=True) as pipeline:
                pipeline.set(key, 0, ex=self.seconds, nx=True)
                pipeline.incrby(key, count)
                pipeline.ttl(key)
                _, spent, left = pipeline.execute()
            if left < 0:
                redis.expire(key, self.seconds)
                left = self.seconds
            return BudgetUse(int(spent), float(left))

        spent = redis_client.ask_redis(ask, otherwise=None) or self._spend_locally(key, count)
        return self._seconds_to_wait(spent, self.most)

    def wait(self, *who: object) -> int:
        """Return the seconds until one more use is allowed; 0 if it is allowed now. Counts nothing."""
        if not settings.LIMITS:
            return 0
        key = redis_client.key("budget", self.name, *who)

        def ask(redis: Redis) -> BudgetUse | None:
            with redis.pipeline(transaction=False) as pipeline:
                pipeline.get(key)
                pipeline.ttl(key)
                spent, left = pipeline.execute()
            return BudgetUse(int(spent or 0), float(left))

        spent = redis_client.ask_redis(ask, otherwise=None) or self._spend_locally(key, 0)
        return self._seconds_to_wait(spent, self.most - 1)

    def forget(self, *who: object) -> None:
        """Reset the count of a key."""
        key = redis_client.key("budget", self.name, *who)
        redis_client.ask_redis(lambda redis: redis.delete(key), otherwise=None)
        with self._lock:
            self._local_counts.pop(key, None)

    def _spend_locally(self, key: str, count: int) -> BudgetUse:
        now = monotonic()
        with self._lock:
            if len(self._local_counts) > MAX_KEPT:
                self._local_counts.clear()
            spent, until = self._local_counts.get(key, (0, now + self.seconds))
            if until <= now:
                spent, until = 0, now + self.seconds
            if count:
                self._local_counts[key] = (spent + count, until)
            return BudgetUse(spent + count, until - now)

    def _seconds_to_wait(self, spent: BudgetUse, most: int) -> int:
        return max(1, round(spent.seconds)) if spent.uses > most else 0


def address_of(request: HttpRequest) -> str:
    """Return the network of a request, the key of its rate limits. A host with IPv6 may use 2⁶⁴ addresses:
    they count as one.
    """
    return network_of(str(request.META.get("REMOTE_ADDR", "")))


def client_address(request: HttpRequest) -> str | None:
    """Return the first address of the network of a request; None if the address is unknown."""
    first = address_of(request).partition("/")[0]
    return None if first == UNKNOWN_NETWORK else first


def network_of(address: str) -> str:
    """Return an IPv4 address unchanged (also if written as IPv6), the network of 64 bits of an IPv6 address,
    and UNKNOWN_NETWORK for other text.
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return UNKNOWN_NETWORK
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((int(found), 64), strict=False))
    return str(found)


def supernet_of(network: str, bits: int) -> str:
    """Return the IPv6 network of `bits` bits that contains this network; any other text stays unchanged. The
    owner of 48 bits has 65,536 networks of 64 bits.
    """
    try:
        found = ipaddress.ip_network(network, strict=False)
    except ValueError:
        return network
    if found.version == 4 or found.prefixlen <= bits:
        return network
    return str(found.supernet(new_prefix=bits))
