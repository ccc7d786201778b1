"""Counters of the workers' tasks. They are in Redis, because processes of a pool come and go; every web
process shows them. A restart of Redis may reset them.
"""

from bisect import bisect_left
from typing import Final

from redis import Redis

from games.messaging import redis_client
from games.monitoring.counters import BUCKET_LIMITS

DONE: Final = "done"
FAILED: Final = "failed"
BUCKET_LABELS: Final = (*map(str, BUCKET_LIMITS), "+Inf")
"""The upper limits of the buckets in seconds, as labels."""


class TaskCounts:
    """The runs of one task with one outcome: their number in each bucket, and the sum of their seconds."""

    def __init__(self) -> None:
        self.buckets = [0] * len(BUCKET_LABELS)
        self.seconds = 0.0


def count_task(task: str, outcome: str, seconds: float) -> None:
    """Count a task that has ended, in one round trip to Redis."""
    bucket = BUCKET_LABELS[bisect_left(BUCKET_LIMITS, seconds)]

    def write(redis: Redis) -> None:
        pipe = redis.pipeline(transaction=False)
        pipe.hincrby(_key(), f"{task} {outcome} {bucket}", 1)
        pipe.hincrbyfloat(_key(), f"{task} {outcome} seconds", round(seconds, 6))
        pipe.execute()

    redis_client.ask_redis(write, None)


def load_task_counts() -> dict[tuple[str, str], TaskCounts]:
    """Return the counts by (task, outcome); empty if Redis is not available."""
    found: dict[tuple[str, str], TaskCounts] = {}
    empty: dict[bytes | str, bytes | str] = {}
    stored = redis_client.ask_redis(lambda redis: redis.hgetall(_key()), empty)
    for field, value in stored.items():
        name = field.decode() if isinstance(field, bytes) else field
        task, outcome, what = name.split(" ")
        counts = found.setdefault((task, outcome), TaskCounts())
        if what == "seconds":
            counts.seconds = float(value)
        elif what in BUCKET_LABELS:
            counts.buckets[BUCKET_LABELS.index(what)] = int(value)
    return found


def _key() -> str:
    return redis_client.key("tasks")
