"""CPU time and memory of worker, pool and beat processes. Workers and a separate beat write them to Redis,
and every web process shows them.
"""

import socket
from collections.abc import Iterable
from time import time
from typing import Final

import msgspec
from prometheus_client.process_collector import ProcessCollector
from redis import Redis

from games.messaging import redis_client

KEPT_SECONDS: Final = 60
"""Seconds without a report after which a process counts as ended."""
WORKER, POOL, BEAT = "worker", "pool", "beat"


class ProcessReport(msgspec.Struct, frozen=True):
    """The report of one process. kind: worker, pool or beat; at: time in seconds since 1970."""

    kind: str
    host: str
    pid: int
    at: float
    cpu_seconds: float
    memory_bytes: float


def publish_processes(processes: Iterable[tuple[str, int]]) -> None:
    """Store in Redis the figures of processes of this machine. processes: (kind, process id) of each."""
    host, now = socket.gethostname(), time()
    reports = [report for kind, pid in processes if (report := _measure(kind, host, pid, now))]

    def write(redis: Redis) -> None:
        pipe = redis.pipeline(transaction=False)
        for report in reports:
            key = redis_client.key("processes", host, report.pid)
            pipe.set(key, msgspec.json.encode(report), ex=KEPT_SECONDS)
        pipe.execute()

    if reports:
        redis_client.ask_redis(write, None)


def _measure(kind: str, host: str, pid: int, now: float) -> ProcessReport | None:
    """Measure a process. None if it cannot be measured, because it has ended or this is not Linux."""
    found = {
        sample.name: sample.value
        for family in ProcessCollector(pid=lambda: pid, registry=None).collect()
        for sample in family.samples
    }
    if "process_resident_memory_bytes" not in found:
        return None
    cpu, memory = found["process_cpu_seconds_total"], found["process_resident_memory_bytes"]
    return ProcessReport(kind, host, pid, now, cpu, memory)


def load_reports() -> list[ProcessReport]:
    """Return the last minute's reports, ordered by machine and kind; none without Redis."""

    def read(redis: Redis) -> list[bytes | str | None]:
        keys = list(redis.scan_iter(match=redis_client.key("processes", "*"), count=1000))
        return list(redis.mget(keys)) if keys else []

    nothing: list[bytes | str | None] = []
    bodies = redis_client.ask_redis(read, nothing)
    reports = [msgspec.json.decode(body, type=ProcessReport) for body in bodies if body]
    return sorted(reports, key=lambda report: (report.host, report.kind, report.pid))
