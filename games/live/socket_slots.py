"""Counts of open sockets by client or by game: across all processes in Redis, or in this process alone while
Redis is away.

Each process publishes its counts under a key of its own, which it renews every few seconds; the counts of a
process that has ended expire with its key. Reading waits for Redis: call it in a thread.
"""

import secrets
import threading
from collections import Counter
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any, Final

from redis import Redis

from games.messaging import redis_client

SLOT_LIFETIME_SECONDS: Final = 12
"""Seconds after its last publication for which the sockets of a process count."""


class SocketSlots:
    """Counts of sockets by key, of this process and, in Redis, of all processes. `kind`: part of the Redis
    keys.
    """

    def __init__(self, kind: str = "places") -> None:
        self._kind = kind
        self._process = secrets.token_hex(8)
        self._open: Counter[str] = Counter()
        self._unpublished: set[str] = set()
        self._publish_all = True
        self._counts_lock = threading.Lock()
        self._publish_lock = threading.Lock()

    def all(self) -> int:
        """Return the number of open sockets of this process, over all keys."""
        with self._counts_lock:
            return self._open.total()

    def acquire(self, asked: Sequence[tuple[str, int]]) -> list[bool]:
        """Take a socket for each (key, limit), and return for each whether it was granted. Waits for Redis.

        A process publishes its counts before it reads those of others. Two processes at once may therefore
        refuse too many sockets. They grant too many only without Redis.
        """
        before: dict[str, int] = {}
        with self._counts_lock:
            for who, _ in asked:
                before.setdefault(who, self._open[who])
                self._open[who] += 1
                self._unpublished.add(who)
        elsewhere, granted_by_key, granted = self.publish(before), Counter[str](), []
        for who, limit in asked:
            granted.append(before[who] + granted_by_key[who] + elsewhere[who] < limit)
            if granted[-1]:
                granted_by_key[who] += 1
            else:
                self.release(who)
        return granted

    def add(self, who: str) -> None:
        """Count one more socket without checking a limit. Other processes get the count with the next
        publication.
        """
        with self._counts_lock:
            self._unpublished.add(who)
            self._open[who] += 1

    def count_everywhere(self, asked: Collection[str]) -> Counter[str]:
        """Return the number of sockets for each key in `asked`, in all processes. Waits for Redis."""
        keys = list(asked)
        with self._counts_lock:
            counts = Counter({who: self._open.get(who, 0) for who in keys})
        return counts + redis_client.ask_redis(partial(self._read_counts, keys), otherwise=Counter[str]())

    def release(self, who: str) -> None:
        """Count one socket less, as `add` counts one more."""
        with self._counts_lock:
            self._unpublished.add(who)
            self._open[who] -= 1
            if self._open[who] <= 0:
                del self._open[who]

    @property
    def has_unpublished(self) -> bool:
        """Whether some counts have not been published yet."""
        return bool(self._unpublished)

    def publish(self, keys: Collection[str] = ()) -> Counter[str]:
        """Publish the changed counts, and return the counts of other processes for the keys in `keys`.
        Waits for Redis.
        """
        with self._publish_lock:
            with self._counts_lock:
                publish_all = self._publish_all
                names = set(self._open) if publish_all else self._unpublished
                counts = {who: self._open.get(who, 0) for who in names}
                self._unpublished = set()
                if not counts and not self._open:
                    return Counter()
            write = partial(self._write_counts, counts, publish_all, list(keys))
            published, elsewhere = redis_client.ask_redis(write, otherwise=(False, Counter[str]()))
            self._publish_all = not published
            return elsewhere

    def _write_counts(
        self, counts: dict[str, int], publish_all: bool, keys: list[str], redis: Redis
    ) -> tuple[bool, Counter[str]]:
        """Publish the counts. Return whether Redis still had the earlier publication of this process (true
        for a full publication), and the counts of other processes for the keys in `keys`.
        """
        processes_key, own_key = redis_client.key(self._kind), redis_client.key(self._kind, self._process)
        with redis.pipeline(transaction=False) as pipeline:
            pipeline.expire(own_key, SLOT_LIFETIME_SECONDS)
            if publish_all:
                pipeline.delete(own_key)
            if present := _non_zero(counts):
                pipeline.hset(own_key, mapping=present)
            if absent := [who for who, count in counts.items() if not count]:
                pipeline.hdel(own_key, *absent)
            pipeline.expire(own_key, SLOT_LIFETIME_SECONDS)
            pipeline.sadd(processes_key, self._process)
            pipeline.expire(processes_key, 10 * SLOT_LIFETIME_SECONDS)
            pipeline.smembers(processes_key)
            existed, *_, processes = pipeline.execute()
        return publish_all or bool(existed), self._count_elsewhere(redis, processes, keys)

    def _read_counts(self, keys: Sequence[str], redis: Redis) -> Counter[str]:
        return self._count_elsewhere(redis, redis.smembers(redis_client.key(self._kind)), keys)

    def _count_elsewhere(self, redis: Redis, processes: Any, keys: Sequence[str]) -> Counter[str]:
        counts: Counter[str] = Counter()
        others = sorted(process.decode() for process in processes if process.decode() != self._process)
        if not others or not keys:
            return counts
        with redis.pipeline(transaction=False) as pipeline:
            for process in others:
                pipeline.hmget(redis_client.key(self._kind, process), keys)
                pipeline.exists(redis_client.key(self._kind, process))
            answers = pipeline.execute()
        for row in answers[::2]:
            for who, count in zip(keys, row, strict=True):
                counts[who] += int(count or 0)
        ended = [process for process, exists in zip(others, answers[1::2], strict=True) if not exists]
        if ended:
            redis.srem(redis_client.key(self._kind), *ended)
        return counts


def _non_zero(counts: dict[str, int]) -> dict[bytes | bytearray | memoryview | str | int | float, Any]:
    return {who: count for who, count in counts.items() if count}


client_slots: Final = SocketSlots()
"""The sockets of this process, by client."""
