"""Polling of all hubs of an event loop. Hints tell the hubs of new events, and a poll every few seconds finds
what no hint announced.
"""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import aclosing, suppress
from time import monotonic
from typing import Final, Protocol

from django.conf import settings

from games.live import socket_slots, viewer_count
from games.live.batching import MAX_BATCH_SIZE
from games.live.hub import Hub, HubKey, disconnect_revoked
from games.live.threads import in_read_thread
from games.messaging import game_pubsub
from games.store import queries

POLL_SECONDS: Final = 1.0
QUIET_SECONDS: Final = 5.0
"""Poll interval while hints announce everything that polls find. It is below twelve seconds, after which
other processes would no longer count the sockets of this one.
"""
MISSED_HINT_SECONDS: Final = 60.0
"""Seconds with the short poll interval after a poll found events without a hint."""
HEARTBEAT_SECONDS: Final = 20.0
RETRY_SECONDS: Final = 1.0

log = logging.getLogger(__name__)


class PolledHubs(Protocol):
    """The part of `games.live.hub_registry.HubRegistry` that this module needs."""

    def hubs(self) -> list[Hub]: ...

    def notify_new_events(self, game_id: str, seq: int, *, late: bool = False) -> None: ...

    def recheck_rights(self, game_id: str) -> None: ...


class HubPoller:
    """Listens and polls for the hubs of one event loop for as long as the process lives."""

    def __init__(self, registry: PolledHubs) -> None:
        self._registry = registry
        self._without_hints = asyncio.Event()
        self._without_hints.set()
        self._background_tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._poll())]

    async def _listen(self) -> None:
        """Listen for hints. They only make updates faster: without Redis, polling continues."""
        while True:
            try:
                async with aclosing(game_pubsub.receive_hints(self._without_hints.clear)) as hearing:
                    async for hint in hearing:
                        if hint.seq is None:
                            self._registry.recheck_rights(hint.game)
                        else:
                            self._registry.notify_new_events(hint.game, hint.seq, late=hint.late)
            except Exception as error:
                log.warning("no hints from Redis: %s", type(error).__name__)
            self._without_hints.set()
            await asyncio.sleep(RETRY_SECONDS)

    async def _poll(self) -> None:
        """Poll the heads of all watched games in one read, and send the heartbeats."""
        interval = float(getattr(settings, "LIVE_HEARTBEAT_SECONDS", HEARTBEAT_SECONDS))
        last_heartbeat, last_missed = monotonic(), -MISSED_HINT_SECONDS
        while True:
            await self._pause(last_heartbeat + interval, last_missed)
            heartbeat_due = monotonic() - last_heartbeat >= interval
            last_heartbeat = monotonic() if heartbeat_due else last_heartbeat
            try:
                heads = await in_read_thread(
                    _publish_counts_and_load_heads, [hub.key for hub in self._registry.hubs()]
                )
                last_missed = monotonic() if self._is_behind(heads) else last_missed
                for (game_id, late), seq in heads:
                    self._registry.notify_new_events(game_id, seq, late=late)
                if heartbeat_due:
                    games = [hub.game_id for hub in self._registry.hubs()]
                    await self._send_heartbeats(await in_read_thread(viewer_count.count_viewers, games))
            except Exception:
                log.exception("the watched games could not be looked at")

    async def _pause(self, heartbeat_at: float, last_missed: float) -> None:
        """Wait until the next poll: POLL_SECONDS if hints do not arrive or have missed events; otherwise
        until QUIET_SECONDS are over, the next heartbeat is due, or the hints stop.
        """
        now = monotonic()
        if self._without_hints.is_set() or now - last_missed < MISSED_HINT_SECONDS:
            await asyncio.sleep(POLL_SECONDS)
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(max(POLL_SECONDS, min(QUIET_SECONDS, heartbeat_at - now))):
                await self._without_hints.wait()

    def _is_behind(self, heads: list[tuple[HubKey, int]]) -> bool:
        seq_by_key = {hub.key: hub.seq for hub in self._registry.hubs()}
        return any(seq_by_key.get(key, seq) < seq for key, seq in heads)

    async def _send_heartbeats(self, watching: Mapping[str, int]) -> None:
        hubs = self._registry.hubs()
        for hub in hubs:
            hub.send_heartbeat(watching.get(hub.game_id, 0))
        watchers = [watcher for hub in hubs for watcher in hub.list_watchers()]
        for start in range(0, len(watchers), MAX_BATCH_SIZE):
            await disconnect_revoked(watchers[start : start + MAX_BATCH_SIZE])


def _publish_counts_and_load_heads(keys: list[HubKey]) -> list[tuple[HubKey, int]]:
    """Publish the numbers of sockets and viewers of this process, and return the last seq of each watched
    game.
    """
    socket_slots.client_slots.publish()
    viewer_count.viewer_slots.publish()
    live = queries.load_heads([game_id for game_id, late in keys if not late])
    shown = queries.load_shown_heads([game_id for game_id, late in keys if late])
    return [((game_id, False), seq) for game_id, seq in live] + [
        ((game_id, True), seq) for game_id, seq in shown
    ]
