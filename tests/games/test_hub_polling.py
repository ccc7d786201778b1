"""A process polls its watched games rarely while hints arrive, and often as soon as they do not."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from redis import RedisError

from games.live import hub_polling
from games.live.hub import HubKey
from games.live.hub_registry import HubRegistry
from games.messaging import game_pubsub
from games.messaging.game_pubsub import Hint

NEVER = 1e6
"""Seconds: a test that waits for so long has failed."""


class Looks:
    """What a poller reads, and the hints that it receives."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(hub_polling, "QUIET_SECONDS", NEVER)
        monkeypatch.setattr(hub_polling, "HEARTBEAT_SECONDS", NEVER)
        monkeypatch.setattr(hub_polling, "POLL_SECONDS", 0)
        monkeypatch.setattr(hub_polling, "RETRY_SECONDS", NEVER)
        monkeypatch.setattr(hub_polling, "_publish_counts_and_load_heads", self._looked)
        monkeypatch.setattr(hub_polling, "in_read_thread", self._at_once)
        monkeypatch.setattr(game_pubsub, "receive_hints", self._heard)
        self.ends: list[tuple[HubKey, int]] = []
        self.count = 0
        self.listening = asyncio.Event()
        self.gone = asyncio.Event()
        self.registry = HubRegistry()
        self.poller = self.registry._poller

    async def until_quiet(self) -> int:
        """How many looks there have been when the next one is far off."""
        while True:
            before = self.count
            for _ in range(20):
                await asyncio.sleep(0)
            if self.count == before:
                return before

    async def more(self) -> None:
        """Until there has been one more."""
        before = self.count
        while self.count == before:
            await asyncio.sleep(0)

    def end(self) -> None:
        for task in self.poller._background_tasks:
            task.cancel()

    async def _heard(self, begun: Callable[[], object]) -> AsyncGenerator[Hint]:
        await self.listening.wait()
        begun()
        await self.gone.wait()
        raise RedisError
        yield Hint("")

    def _looked(self, watched: list[HubKey]) -> list[tuple[HubKey, int]]:
        self.count += 1
        return self.ends

    async def _at_once(self, work: Callable[..., Any], *args: Any) -> Any:
        return work(*args)


def looking(monkeypatch: pytest.MonkeyPatch, test: Callable[[Looks], Any]) -> None:
    async def run() -> None:
        looks = Looks(monkeypatch)
        try:
            async with asyncio.timeout(60):
                await test(looks)
        finally:
            looks.end()

    asyncio.run(run())


def test_it_looks_often_until_hints_come_and_again_as_soon_as_they_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def test(looks: Looks) -> None:
        await looks.more()
        await looks.more()
        looks.listening.set()
        await looks.until_quiet()
        looks.gone.set()
        await looks.more()
        await looks.more()

    looking(monkeypatch, test)


def test_it_looks_often_where_something_was_found_that_no_hint_had_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def test(looks: Looks) -> None:
        read: list[int] = []

        async def send_new_events(least: int, now: object = None) -> None:
            read.append(least)

        hub: Any = SimpleNamespace(
            key=("g", False), seq=3, game_id="g", late=False, send_new_events=send_new_events
        )
        looks.registry._hubs["g", False] = hub
        looks.ends = [(("g", False), 4)]
        await looks.more()
        looks.ends = []
        looks.listening.set()
        while looks.poller._without_hints.is_set():
            await asyncio.sleep(0)
        await looks.more()
        await looks.more()
        assert read[0] == 4

    looking(monkeypatch, test)
