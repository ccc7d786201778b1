"""Redis holds counts and shared pages for many processes, and no request waits for a hanging one."""

import time
from pathlib import Path
from typing import Any

import pytest
from redis import Redis, ResponseError

from deploy.process_tree import valkey
from games.messaging import redis_client
from tests import servers


def ping(redis: Redis) -> bool:
    return bool(redis.ping())


def test_what_many_processes_count_is_counted_together() -> None:
    name = redis_client.key("counted", time.monotonic_ns())
    assert name.startswith("puur-tests-")
    assert [redis_client.ask_redis(lambda redis: int(redis.incr(name)), 0) for _ in range(3)] == [1, 2, 3]
    assert redis_client.ask_redis(lambda redis: redis.delete(name), 0) == 1


def test_a_redis_that_hangs_costs_one_short_wait_and_then_none(settings: Any, silent: str) -> None:
    settings.REDIS_URL = silent
    begun = time.perf_counter()
    assert [redis_client.ask_redis(ping, False) for _ in range(1000)] == [False] * 1000
    # A thousand waits would be four minutes; a few fit in where the machine is slow.
    assert time.perf_counter() - begun < 20 * redis_client.TIMEOUT_SECONDS


def test_it_is_asked_again_after_a_rest(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(redis_client, "monotonic", lambda: clock[0])
    broken = [True]

    def question(redis: Redis) -> str:
        if broken[0]:
            raise ResponseError("OOM command not allowed when used memory > 'maxmemory'.")
        return "answer"

    assert redis_client.ask_redis(question, "") == ""
    broken[0] = False
    assert redis_client.ask_redis(question, "") == ""
    clock[0] += redis_client.RETRY_SECONDS
    assert redis_client.ask_redis(question, "") == "answer"


def test_that_it_went_and_came_back_is_logged_once_each(
    settings: Any, silent: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(redis_client, "RETRY_SECONDS", 0.0)
    working, settings.REDIS_URL = settings.REDIS_URL, silent
    assert [redis_client.ask_redis(ping, False) for _ in range(2)] == [False, False]
    state = redis_client._clients[silent]
    state.redis = Redis.from_url(working)
    assert [redis_client.ask_redis(ping, False) for _ in range(2)] == [True, True]
    assert [record.getMessage() for record in caplog.records] == [
        "Redis does not answer, going on without it: TimeoutError",
        "Redis answers again",
    ]


def test_shared_pages_never_push_a_task_out_of_the_memory(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(valkey, "LARGEST", "4mb")
    with servers.own_valkey(tmp_path) as (_, url), Redis.from_url(url) as redis:
        redis.rpush("task", "the first", "the last")
        for number in range(200):
            redis.set(f"page:{number}", b"x" * 64_000, ex=60)
        assert redis.lrange("task", 0, -1) == [b"the first", b"the last"]
        assert 0 < len(redis.keys("page:*")) < 200
        assert redis.rpush("task", "one more") == 3
