"""Faults of this installation, each with a code.

`/readyz` and a banner for officials show the faults; `deploy.doctor.trouble_alerts` logs when each begins and
ends.
"""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import Final

import msgspec
from django.conf import settings
from django.db import Error as AnyDatabaseError
from django.db import connection
from django.db.models import Count, Max, Min
from django.utils import timezone
from redis import Redis, ResponseError

from games.messaging import redis_client
from games.models import Deadline, Heartbeat
from games.store import queries
from games.timers.clock_jumps import JUMP_SECONDS, SILENCE_SECONDS

SLOW_SECONDS: Final = 1.0
LATE_SECONDS: Final = 10.0
CLOCK_JUMP_SHOWN_FOR: Final = timedelta(minutes=10)
"""Time for which a jump of the clock is reported."""
MIN_FREE_MEGABYTES: Final = 500
CACHE_SECONDS: Final = 3.0


class Trouble(msgspec.Struct, frozen=True):
    """A fault of the installation. `part`: one of PARTS. `code`: one of CODES. `figure`: the number that
    belongs to the code (seconds, megabytes or overdue deadlines); 0 if it has none.
    """

    part: str
    code: str
    figure: int = 0

    def __str__(self) -> str:
        return f"{self.code} ({self.figure})" if self.figure else self.code


CODES: Final = (
    "condition/database_away",
    "condition/database_slow",
    "condition/redis_away",
    "condition/redis_full",
    "condition/worker_silent",
    "condition/overdue",
    "condition/clock_behind",
    "condition/clock_differs",
    "condition/clock_jumped",
    "condition/disk_low",
)
PARTS: Final = ("database", "redis", "worker", "deadlines", "clock", "disk")


def find_troubles() -> list[Trouble]:
    """Look for faults, and return them; empty if there are none."""
    found = [*_find_database_troubles(), *_find_redis_troubles(), *_find_disk_troubles()]
    _recent.keep(found)
    return found


def recent_troubles() -> list[Trouble]:
    """Return the faults found in the last three seconds by this process, or look for faults now. Pages that
    poll use it.
    """
    recent = _recent.get()
    return find_troubles() if recent is None else recent


def worker_silence_seconds() -> float | None:
    """Return the seconds since the last heartbeat of a worker; None if no worker has ever sent a heartbeat,
    or the database does not answer.
    """
    try:
        heard = Heartbeat.objects.aggregate(at=Max("at"))["at"]
    except AnyDatabaseError:
        return None
    return max(0.0, (timezone.now() - heard).total_seconds()) if heard else None


def disk_is_low() -> bool:
    """Return whether a disk with the platform's data is nearly full."""
    return any(_find_disk_troubles())


def _find_database_troubles() -> Iterator[Trouble]:
    began, now = monotonic(), timezone.now()
    try:
        heard = Heartbeat.objects.aggregate(at=Max("at"), jumped_at=Max("jumped_at"))
        late = Deadline.objects.filter(due_at__lt=now - timedelta(seconds=LATE_SECONDS))
        overdue = late.aggregate(count=Count("pk"), since=Min("due_at"))
        ahead = _database_clock_lead()
    except AnyDatabaseError:
        yield Trouble("database", "condition/database_away")
        return
    took = monotonic() - began
    if took > SLOW_SECONDS:
        yield Trouble("database", "condition/database_slow", round(took))
    silent = (now - heard["at"]).total_seconds() if heard["at"] else 0.0
    if silent > SILENCE_SECONDS:
        yield Trouble("worker", "condition/worker_silent", round(silent))
    if overdue["count"]:
        yield Trouble("deadlines", "condition/overdue", overdue["count"])
    if silent < -JUMP_SECONDS:
        yield Trouble("clock", "condition/clock_behind", round(-silent))
    elif abs(ahead) > JUMP_SECONDS:
        yield Trouble("clock", "condition/clock_differs", round(abs(ahead)))
    elif heard["jumped_at"] and abs(now - heard["jumped_at"]) < CLOCK_JUMP_SHOWN_FOR:
        jumps = Heartbeat.objects.filter(jumped_at=heard["jumped_at"]).values_list("jump", flat=True)
        yield Trouble("clock", "condition/clock_jumped", round(max(map(abs, jumps), default=0.0)))


def _database_clock_lead() -> float:
    """Return the seconds by which the database's clock is ahead of this machine's; 0.0 for SQLite, which has
    no clock of its own.
    """
    if connection.vendor != "postgresql":
        return 0.0
    return queries.database_time() - timezone.now().timestamp()


def _find_redis_troubles() -> Iterator[Trouble]:
    def write(redis: Redis) -> str:
        try:
            redis.set(redis_client.key("condition"), 1, ex=10)
        except ResponseError:  # out of memory, or a replica: Redis answers, and accepts no writes
            return "condition/redis_full"
        return ""

    if code := redis_client.ask_redis(write, otherwise="condition/redis_away"):
        yield Trouble("redis", code)


def _find_disk_troubles() -> Iterator[Trouble]:
    folders = {Path(settings.VAR_DIR)}
    if connection.vendor == "sqlite":
        folders.add(Path(str(settings.DATABASES["default"]["NAME"])).parent)
    free = []
    for folder in folders:
        with suppress(OSError):  # not there, or out of reach
            free.append(shutil.disk_usage(folder).free)
    left = min(free, default=MIN_FREE_MEGABYTES << 20) >> 20
    if left < MIN_FREE_MEGABYTES:
        yield Trouble("disk", "condition/disk_low", left)


class _Recent:
    """The faults that this process found when it last looked."""

    def __init__(self) -> None:
        self._found: list[Trouble] = []
        self._at = float("-inf")

    def keep(self, found: list[Trouble]) -> None:
        self._found, self._at = found, monotonic()

    def get(self) -> list[Trouble] | None:
        return self._found if monotonic() - self._at < CACHE_SECONDS else None


_recent = _Recent()
