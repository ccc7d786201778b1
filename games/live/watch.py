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
from games.live.batching import Together
from games.live.hub import Hub, Watcher, disconnect_revoked
from games.live.side_tables import SideTables
from games.live.socket_rate_limits import Asked, NewSockets
from games.live.socket_slots import SocketSlots
from games.live.threads import in_read_thread
from games.messaging import game_pubsub
from games.store import queries

POLL_SECONDS: Final = 1.0
QUIET_SECONDS: Final = 5.0
"""Poll interval while hints announce everything that polls find. It is below twelve seconds, after which
other processes would no longer count the sockets of this one.
"""
DOUBT_SECONDS: Final = 60.0
"""Seconds with the short poll interval after a poll found events without a hint."""
HEARTBEAT_SECONDS: Final = 20.0
RETRY_SECONDS: Final = 1.0

Key = tuple[str, bool]
"""Key of a hub: (game id, whether the hub is the delayed one)."""

log = logging.getLogger(__name__)
_watches: WeakKeyDictionary[asyncio.AbstractEventLoop, "Watch"] = WeakKeyDictionary()


slots = SocketSlots()
new_sockets = NewSockets()
"""The rate limiter of this process for new sockets."""


def of_this_process() -> "Watch":
    """Return the watch of the running event loop; the first call of a loop starts it."""
    loop = asyncio.get_running_loop()
    if loop not in _watches:
        _watches[loop] = Watch()
    return _watches[loop]


def watched() -> int:
    """Return the number of hubs in this process."""
    return sum(len(watch.hubs()) for watch in list(_watches.values()))


class Watch:
    """All hubs of one event loop. It listens and polls for as long as the process lives."""

    def __init__(self) -> None:
        self._hubs: dict[Key, Hub] = {}
        self.side_tables: Final = SideTables(self)
        self._door: Together[tuple[str | None, str], Admission | None] = Together(admission.enter)
        self._second_door: Together[Admission, bool] = Together(admission.lost)
        self._knocking: Together[str, int] = Together(new_sockets.count)
        self._seating: Together[Asked, bool] = Together(slots.take)
        self._telling = False
        self._deaf = asyncio.Event()
        self._deaf.set()
        self._under_way: set[asyncio.Task[None]] = set()
        self._lasting = [asyncio.create_task(self._listen()), asyncio.create_task(self._look())]

    def hubs(self) -> list[Hub]:
        """Return the hubs of this event loop."""
        return list(self._hubs.values())

    async def enter(self, key: str | None, game_id: str) -> Admission | None:
        """Admit the session with this key to a game; None if it may not see the game. Concurrent calls are
        looked up together.
        """
        return await self._door.ask((key, game_id))

    async def check_connect_rate(self, who: str) -> int:
        """Count a new socket of a client. Return the seconds it has to wait; 0: admitted."""
        return new_sockets.wait(who) or await self._knocking.ask(who)

    async def take_place(self, asked: Asked) -> bool:
        """Take a socket slot under (key, limit). Return whether it was granted."""
        answer = self._seating.ask(asked)
        try:
            return await asyncio.shield(answer)
        except asyncio.CancelledError:
            answer.add_done_callback(partial(self._nobody_sits, asked))
            raise

    def _nobody_sits(self, asked: Asked, answer: "asyncio.Future[bool]") -> None:
        if not answer.cancelled() and answer.exception() is None and answer.result():
            self.leave_place(asked)

    def leave_place(self, asked: Asked) -> None:
        """Release a socket slot. The new count is published soon, since the client may reconnect to another
        process.
        """
        slots.leave(asked[0])
        if not self._telling:
            self._telling = True
            self._spawn(self._tell())

    async def _tell(self) -> None:
        try:
            while slots.untold:
                await in_read_thread(slots.tell)
        finally:
            self._telling = False

    async def attach(self, game_id: str, watcher: Watcher, since: int | None) -> Hub:
        """Attach a watcher to a game, and return its hub. The watcher gets the events after `since`; None:
        only new events.
        """
        late = watcher.entry.late
        hub = self._hubs.setdefault((game_id, late), Hub(game_id, late=late))
        viewer_count.come(watcher.entry)
        try:
            await hub.attach(watcher, since, self._still_may)
        except BaseException:
            viewer_count.go(watcher.entry)
            raise
        finally:
            self._drop_if_left(hub)
        return hub

    async def _still_may(self, entry: Admission) -> bool:
        return not await self._second_door.ask(entry)

    def detach(self, hub: Hub, watcher: Watcher) -> None:
        """Detach a watcher that has gone. A hub without watchers is dropped."""
        hub.detach(watcher)
        viewer_count.go(watcher.entry)
        self._drop_if_left(hub)

    def notify_new_events(
        self, game_id: str, seq: int, now: GameSnapshot | None = None, *, late: bool = False
    ) -> None:
        """Tell a hub that there may be events up to `seq`. Costs nothing for an unwatched game.

        `now`: the snapshot that this process has just stored. `late`: the delayed broadcast shows the game up
        to `seq`.
        """
        hub = self._hubs.get((game_id, late))
        if hub is not None and hub.seq < seq:
            self._spawn(self._read_on(hub, seq, now))

    def look_at_rights(self, game_id: str) -> None:
        """Disconnect the watchers of this game that have lost the right to their view, before the next
        heartbeat.
        """
        for late in (False, True):
            if hub := self._hubs.get((game_id, late)):
                self._spawn(self._show_out(hub))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    def _drop_if_left(self, hub: Hub) -> None:
        if not hub.needed:
            self._hubs.pop((hub.game_id, hub.late), None)

    async def _read_on(self, hub: Hub, seq: int, now: GameSnapshot | None) -> None:
        try:
            await hub.read_on(seq, now)
        except Exception:
            log.exception("a hub could not read on", extra={"game": hub.game_id})

    async def _show_out(self, hub: Hub) -> None:
        try:
            await disconnect_revoked(hub.present())
        except Exception:
            log.exception("a hub could not look at rights", extra={"game": hub.game_id})

    async def _listen(self) -> None:
        """Listen for hints. They only make updates faster: without Redis, polling continues."""
        while True:
            try:
                async with aclosing(game_pubsub.heard(self._deaf.clear)) as hearing:
                    async for hint in hearing:
                        if hint.seq is None:
                            self.look_at_rights(hint.game)
                        else:
                            self.notify_new_events(hint.game, hint.seq, late=hint.late)
            except Exception as error:
                log.warning("no hints from Redis: %s", type(error).__name__)
            self._deaf.set()
            await asyncio.sleep(RETRY_SECONDS)

    async def _look(self) -> None:
        """Poll the heads of all watched games in one read, and send the heartbeats."""
        interval = float(getattr(settings, "LIVE_HEARTBEAT_SECONDS", HEARTBEAT_SECONDS))
        beaten, doubted = monotonic(), -DOUBT_SECONDS
        while True:
            await self._pause(beaten + interval, doubted)
            due = monotonic() - beaten >= interval
            beaten = monotonic() if due else beaten
            try:
                ends = await in_read_thread(_looked, list(self._hubs))
                doubted = monotonic() if self._lags(ends) else doubted
                for (game_id, late), seq in ends:
                    self.notify_new_events(game_id, seq, late=late)
                if due:
                    games = [hub.game_id for hub in self.hubs()]
                    await self._beat(await in_read_thread(viewer_count.watching, games))
            except Exception:
                log.exception("the watched games could not be looked at")

    async def _pause(self, beat_at: float, doubted: float) -> None:
        """Wait until the next poll: POLL_SECONDS if hints do not arrive or have missed events; otherwise
        until QUIET_SECONDS are over, the next heartbeat is due, or the hints stop.
        """
        now = monotonic()
        if self._deaf.is_set() or now - doubted < DOUBT_SECONDS:
            await asyncio.sleep(POLL_SECONDS)
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(max(POLL_SECONDS, min(QUIET_SECONDS, beat_at - now))):
                await self._deaf.wait()

    def _lags(self, ends: list[tuple[Key, int]]) -> bool:
        return any(key in self._hubs and self._hubs[key].seq < seq for key, seq in ends)

    async def _beat(self, watching: Mapping[str, int]) -> None:
        hubs = self.hubs()
        for hub in hubs:
            hub.beat(watching.get(hub.game_id, 0))
        watchers = [watcher for hub in hubs for watcher in hub.present()]
        for at in range(0, len(watchers), TOGETHER):
            await disconnect_revoked(watchers[at : at + TOGETHER])


def _looked(watched_here: list[Key]) -> list[tuple[Key, int]]:
    """Publish the numbers of sockets and viewers of this process, and return the last seq of each watched
    game.
    """
    slots.tell()
    viewer_count.of_this_process.tell()
    live = queries.load_heads([game_id for game_id, late in watched_here if not late])
    shown = queries.load_shown_heads([game_id for game_id, late in watched_here if late])
    return [((game_id, False), seq) for game_id, seq in live] + [
        ((game_id, True), seq) for game_id, seq in shown
    ]
