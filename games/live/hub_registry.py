"""The hubs of this process, and the sockets that attach to them. `games.live.hub_polling` tells the hubs of
new events.
"""

import asyncio
import logging
from collections.abc import Coroutine
from functools import partial
from typing import Final
from weakref import WeakKeyDictionary

from games.game_state import GameSnapshot
from games.live import admission, viewer_count
from games.live.admission import Admission
from games.live.batching import Batcher
from games.live.hub import Hub, HubKey, Watcher, disconnect_revoked
from games.live.hub_polling import HubPoller
from games.live.side_tables import SideTables
from games.live.socket_rate_limits import ConnectRateLimit, SocketLimit
from games.live.socket_slots import client_slots
from games.live.threads import in_read_thread

log = logging.getLogger(__name__)
_registries: WeakKeyDictionary[asyncio.AbstractEventLoop, "HubRegistry"] = WeakKeyDictionary()

connect_rate_limit = ConnectRateLimit()
"""The rate limiter of this process for new sockets."""


def get_hub_registry() -> "HubRegistry":
    """Return the registry of the running event loop; the first call of a loop starts it."""
    loop = asyncio.get_running_loop()
    if loop not in _registries:
        _registries[loop] = HubRegistry()
    return _registries[loop]


def count_hubs() -> int:
    """Return the number of hubs in this process."""
    return sum(len(registry.hubs()) for registry in list(_registries.values()))


class HubRegistry:
    """All hubs of one event loop."""

    def __init__(self) -> None:
        self._hubs: dict[HubKey, Hub] = {}
        self.side_tables: Final = SideTables(self)
        self._admit_batcher: Batcher[tuple[str | None, str], Admission | None] = Batcher(
            admission.admit_sessions
        )
        self._revoked_batcher: Batcher[Admission, bool] = Batcher(admission.find_revoked)
        self._connect_rate_batcher: Batcher[str, int] = Batcher(connect_rate_limit.count)
        self._slot_batcher: Batcher[SocketLimit, bool] = Batcher(client_slots.acquire)
        self._publishing_slots = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._poller = HubPoller(self)

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
        client_slots.release(socket_limit[0])
        if not self._publishing_slots:
            self._publishing_slots = True
            self._spawn(self._publish_slots())

    async def _publish_slots(self) -> None:
        try:
            while client_slots.has_unpublished:
                await in_read_thread(client_slots.publish)
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
