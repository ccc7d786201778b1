"""The last X-Forwarded headers that arrived. Web processes write them to Redis, and the doctor reads them.

They contain the address of the sender (the proxy, or a client that pretends to be one), never the address of
a client behind it.
"""

from functools import partial
from typing import Final

import msgspec
from redis import Redis

from deploy.limits.proxied import Forwarded, last_forwarded
from games.messaging import redis_client

KEPT_SECONDS: Final = 3 * 24 * 3600
_published: dict[bool, Forwarded] = {}


def publish_forwarded() -> None:
    """Store the last forwarded headers of this process in Redis, unless they are stored already."""
    for trusted, forwarded in list(last_forwarded.items()):
        if _published.get(trusted) != forwarded:
            body = msgspec.json.encode(forwarded)
            key = _make_key(trusted)
            if redis_client.ask_redis(partial(_store_forwarded, key, body), otherwise=False):
                _published[trusted] = forwarded


def _store_forwarded(key: str, body: bytes, redis: Redis) -> bool:
    return bool(redis.set(key, body, ex=KEPT_SECONDS))


def load_last(*, trusted: bool) -> Forwarded | None:
    """Return the last headers from a trusted sender or, if `trusted` is false, from another one; None if
    unknown.
    """
    body = redis_client.ask_redis(lambda redis: redis.get(_make_key(trusted)), None)
    if not isinstance(body, bytes):
        return None
    try:
        return msgspec.json.decode(body, type=Forwarded)
    except msgspec.MsgspecError:
        return None


def _make_key(trusted: bool) -> str:
    return redis_client.key("forwarded", "trusted" if trusted else "strangers")
