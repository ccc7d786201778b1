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
        self._untold: set[str] = set()
        self._to_say_all = True
        self._counting = threading.Lock()
        self._telling = threading.Lock()

    def all(self) -> int:
        """Return the number of open sockets of this process, over all keys."""
        with self._counting:
            return self._open.total()

    def take(self, asked: Sequence[tuple[str, int]]) -> list[bool]:
        """Take a socket for each (key, limit), and return for each whether it was granted. Waits for Redis.

        A process publishes its counts before it reads those of others. Two processes at once may therefore
        refuse too many sockets. They grant too many only without Redis.
        """
        before: dict[str, int] = {}
        with self._counting:
            for who, _ in asked:
                before.setdefault(who, self._open[who])
                self._open[who] += 1
                self._untold.add(who)
        elsewhere, given, answers = self.tell(before), Counter[str](), []
        for who, most in asked:
            answers.append(before[who] + given[who] + elsewhere[who] < most)
            if answers[-1]:
                given[who] += 1
            else:
                self.leave(who)
        return answers

    def add(self, who: str) -> None:
        """Count one more socket without checking a limit. Other processes get the count with the next
        publication.
        """
        with self._counting:
            self._untold.add(who)
            self._open[who] += 1

    def everywhere(self, asked: Collection[str]) -> Counter[str]:
        """Return the number of sockets for each key in `asked`, in all processes. Waits for Redis."""
        asking = list(asked)
        with self._counting:
            found = Counter({who: self._open.get(who, 0) for who in asking})
        return found + redis_client.ask_redis(partial(self._asked, asking), otherwise=Counter[str]())

    def leave(self, who: str) -> None:
        """Count one socket less, as `add` counts one more."""
        with self._counting:
            self._untold.add(who)
            self._open[who] -= 1
            if self._open[who] <= 0:
                del self._open[who]

    @property
    def untold(self) -> bool:
        """Whether some counts have not been published yet."""
        return bool(self._untold)

    def tell(self, asking: Collection[str] = ()) -> Counter[str]:
        """Publish the changed counts, and return the counts of other processes for the keys in `asking`.
        Waits for Redis.
        """
        with self._telling:
            with self._counting:
                all_of_it = self._to_say_all
                names = set(self._open) if all_of_it else self._untold
                counts = {who: self._open.get(who, 0) for who in names}
                self._untold = set()
                if not counts and not self._open:
                    return Counter()
            say = partial(self._say, counts, all_of_it, list(asking))
            kept, elsewhere = redis_client.ask_redis(say, otherwise=(False, Counter[str]()))
            self._to_say_all = not kept
            return elsewhere

    def _say(
        self, counts: dict[str, int], all_of_it: bool, asking: list[str], redis: Redis
    ) -> tuple[bool, Counter[str]]:
        """Publish the counts. Return whether Redis still had the earlier publication of this process (true
        for a full publication), and the counts of other processes for the keys in `asking`.
        """
        everybody, mine = redis_client.key(self._kind), redis_client.key(self._kind, self._process)
        with redis.pipeline(transaction=False) as at_once:
            at_once.expire(mine, SLOT_LIFETIME_SECONDS)
            if all_of_it:
                at_once.delete(mine)
            if some := _non_zero(counts):
                at_once.hset(mine, mapping=some)
            if none := [who for who, count in counts.items() if not count]:
                at_once.hdel(mine, *none)
            at_once.expire(mine, SLOT_LIFETIME_SECONDS)
            at_once.sadd(everybody, self._process)
            at_once.expire(everybody, 10 * SLOT_LIFETIME_SECONDS)
            at_once.smembers(everybody)
            was_there, *_, processes = at_once.execute()
        return all_of_it or bool(was_there), self._elsewhere(redis, processes, asking)

    def _asked(self, asking: Sequence[str], redis: Redis) -> Counter[str]:
        return self._elsewhere(redis, redis.smembers(redis_client.key(self._kind)), asking)

    def _elsewhere(self, redis: Redis, processes: Any, asking: Sequence[str]) -> Counter[str]:
        found: Counter[str] = Counter()
        others = sorted(process.decode() for process in processes if process.decode() != self._process)
        if not others or not asking:
            return found
        with redis.pipeline(transaction=False) as at_once:
            for process in others:
                at_once.hmget(redis_client.key(self._kind, process), asking)
                at_once.exists(redis_client.key(self._kind, process))
            answers = at_once.execute()
        for row in answers[::2]:
            for who, count in zip(asking, row, strict=True):
                found[who] += int(count or 0)
        ended = [process for process, there in zip(others, answers[1::2], strict=True) if not there]
        if ended:
            redis.srem(redis_client.key(self._kind), *ended)
        return found


def _non_zero(counts: dict[str, int]) -> dict[bytes | bytearray | memoryview | str | int | float, Any]:
    return {who: count for who, count in counts.items() if count}
