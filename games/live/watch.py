"""The hubs of this process. Hints tell them of new events, and a poll every few seconds finds what no hint
announced.
"""

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from contextlib import aclosing, suppress
from functools import partial
from time import monotonic
from typing import Final
from weakref import WeakKeyDictionary

from django.conf import settings

from games.game_state import GameSnapshot
from games.live import admission, viewer_count
from games.live.admission import Admission
from games.live.batching import MAX_BATCH_SIZE as TOGETHER
from games.live.batching import Batcher
from games.live.hub import Hub, Watcher, disconnect_revoked
from games.live.side_tables import SideTables
from games.live.socket_rate_limits import ConnectRateLimit, SocketLimit
from games.live.socket_slots import SocketSlots
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

Key = tuple[str, bool]
"""Key of a hub: (game id, whether the hub is the delayed one)."""

log = logging.getLogger(__name__)
_watches: WeakKeyDictionary[asyncio.AbstractEventLoop, "Watch"] = WeakKeyDictionary()


slots = SocketSlots()
connect_rate_limit = ConnectRateLimit()
"""The rate limiter of this process for new sockets."""


def get_watch() -> "Watch":
    """Return the watch of the running event loop; the first call of a loop starts it."""
    loop = asyncio.get_running_loop()
    if loop not in _watches:
        _watches[loop] = Watch()
    return _watches[loop]


def count_hubs() -> int:
    """Return the number of hubs in this process."""
    return sum(len(watch.hubs()) for watch in list(_watches.values()))


class Watch:
    """All hubs of one event loop. It listens and polls for as long as the process lives."""

    def __init__(self) -> None:
        self._hubs: dict[Key, Hub] = {}
        self.side_tables: Final = SideTables(self)
        self._admit_batcher: Batcher[tuple[str | None, str], Admission | None] = Batcher(
            admission.admit_sessions
        )
        self._revoked_batcher: Batcher[Admission, bool] = Batcher(admission.find_revoked)
        self._connect_rate_batcher: Batcher[str, int] = Batcher(connect_rate_limit.count)
        self._slot_batcher: Batcher[SocketLimit, bool] = Batcher(slots.acquire)
        self._publishing_slots = False
        self._without_hints = asyncio.Event()
        self._without_hints.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._background_tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._poll())]

    def hubs(self) -> list[Hub]:
        """Return the hubs of this event loop."""
        return list(self._hubs.values())

    async def admit(self, key: str | None, game_id: str) -> Admission | None:
        """Admit the session with this key to a game; None if it may not see the game. Concurrent calls are
        looked up together.
        """
        return await self._admit_batcher.enqueue((key, game_id))

    async def check_connect_rate(self, who: str) -> int:
        """Count a new socket of a client. Return the seconds it has to wait; 0: admitted."""
        return connect_rate_limit.wait(who) or await self._connect_rate_batcher.enqueue(who)

    async def acquire_slot(self, socket_limit: SocketLimit) -> bool:
        """Take a socket slot under (key, limit). Return whether it was granted."""
        granted = self._slot_batcher.enqueue(socket_limit)
        try:
            return await asyncio.shield(granted)
        except asyncio.CancelledError:
            granted.add_done_callback(partial(self._release_unclaimed_slot, socket_limit))
            raise

    def _release_unclaimed_slot(self, socket_limit: SocketLimit, granted: "asyncio.Future[bool]") -> None:
        if not granted.cancelled() and granted.exception() is None and granted.result():
            self.release_slot(socket_limit)

    def release_slot(self, socket_limit: SocketLimit) -> None:
        """Release a socket slot. The new count is published soon, since the client may reconnect to another
        process.
        """
        slots.release(socket_limit[0])
        if not self._publishing_slots:
            self._publishing_slots = True
            self._spawn(self._publish_slots())

    async def _publish_slots(self) -> None:
        try:
            while slots.has_unpublished:
                await in_read_thread(slots.publish)
        finally:
            self._publishing_slots = False

    async def attach(self, game_id: str, watcher: Watcher, since: int | None) -> Hub:
        """Attach a watcher to a game, and return its hub. The watcher gets the events after `since`; None:
        only new events.
        """
        late = watcher.admission.late
        hub = self._hubs.setdefault((game_id, late), Hub(game_id, late=late))
        viewer_count.add_viewer(watcher.admission)
        try:
            await hub.attach(watcher, since, self._is_admitted)
        except BaseException:
            viewer_count.remove_viewer(watcher.admission)
            raise
        finally:
            self._drop_if_unused(hub)
        return hub

    async def _is_admitted(self, entry: Admission) -> bool:
        return not await self._revoked_batcher.enqueue(entry)

    def detach(self, hub: Hub, watcher: Watcher) -> None:
        """Detach a watcher that has gone. A hub without watchers is dropped."""
        hub.detach(watcher)
        viewer_count.remove_viewer(watcher.admission)
        self._drop_if_unused(hub)

    def notify_new_events(
        self, game_id: str, seq: int, snapshot: GameSnapshot | None = None, *, late: bool = False
    ) -> None:
        """Tell a hub that there may be events up to `seq`. Costs nothing for an unwatched game.

        `snapshot`: the snapshot that this process has just stored. `late`: the delayed broadcast shows the
        game up to `seq`.
        """
        hub = self._hubs.get((game_id, late))
        if hub is not None and hub.seq < seq:
            self._spawn(self._send_new_events(hub, seq, snapshot))

    def recheck_rights(self, game_id: str) -> None:
        """Disconnect the watchers of this game that have lost the right to their view, before the next
        heartbeat.
        """
        for late in (False, True):
            if hub := self._hubs.get((game_id, late)):
                self._spawn(self._disconnect_revoked(hub))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _drop_if_unused(self, hub: Hub) -> None:
        if not hub.is_needed:
            self._hubs.pop((hub.game_id, hub.late), None)

    async def _send_new_events(self, hub: Hub, seq: int, snapshot: GameSnapshot | None) -> None:
        try:
            await hub.send_new_events(seq, snapshot)
        except Exception:
            log.exception("a hub could not read on", extra={"game": hub.game_id})

    async def _disconnect_revoked(self, hub: Hub) -> None:
        try:
            await disconnect_revoked(hub.list_watchers())
        except Exception:
            log.exception("a hub could not look at rights", extra={"game": hub.game_id})

    async def _listen(self) -> None:
        """Listen for hints. They only make updates faster: without Redis, polling continues."""
        while True:
            try:
                async with aclosing(game_pubsub.receive_hints(self._without_hints.clear)) as hearing:
                    async for hint in hearing:
                        if hint.seq is None:
                            self.recheck_rights(hint.game)
                        else:
                            self.notify_new_events(hint.game, hint.seq, late=hint.late)
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
                heads = await in_read_thread(_publish_counts_and_load_heads, list(self._hubs))
                last_missed = monotonic() if self._is_behind(heads) else last_missed
                for (game_id, late), seq in heads:
                    self.notify_new_events(game_id, seq, late=late)
                if heartbeat_due:
                    games = [hub.game_id for hub in self.hubs()]
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

    def _is_behind(self, heads: list[tuple[Key, int]]) -> bool:
        return any(key in self._hubs and self._hubs[key].seq < seq for key, seq in heads)

    async def _send_heartbeats(self, watching: Mapping[str, int]) -> None:
        hubs = self.hubs()
        for hub in hubs:
            hub.send_heartbeat(watching.get(hub.game_id, 0))
        watchers = [watcher for hub in hubs for watcher in hub.list_watchers()]
        for start in range(0, len(watchers), TOGETHER):
            await disconnect_revoked(watchers[start : start + TOGETHER])


def _publish_counts_and_load_heads(keys: list[Key]) -> list[tuple[Key, int]]:
    """Publish the numbers of sockets and viewers of this process, and return the last seq of each watched
    game.
    """
    slots.publish()
    viewer_count.viewer_slots.publish()
    live = queries.load_heads([game_id for game_id, late in keys if not late])
    shown = queries.load_shown_heads([game_id for game_id, late in keys if late])
    return [((game_id, False), seq) for game_id, seq in live] + [
        ((game_id, True), seq) for game_id, seq in shown
    ]
