"""Where the hubs of this process are kept, told of news, and asked about once a second whatever gets lost."""

import asyncio
import logging
from collections.abc import Coroutine
from time import monotonic
from typing import Final
from weakref import WeakKeyDictionary

from channels.layers import get_channel_layer
from django.conf import settings

from games import hints
from games.live.hub import Hub, Watcher
from games.live.threads import in_thread
from games.models import Game

POLL_SECONDS: Final = 1.0
HEARTBEAT_SECONDS: Final = 15.0
RETRY_SECONDS: Final = 1.0

log = logging.getLogger(__name__)
_watches: WeakKeyDictionary[asyncio.AbstractEventLoop, "Watch"] = WeakKeyDictionary()


def of_this_process() -> "Watch":
    """The watch of the running loop, begun with the first socket."""
    loop = asyncio.get_running_loop()
    if loop not in _watches:
        _watches[loop] = Watch()
    return _watches[loop]


class Watch:
    """All hubs of one loop; it listens and polls for as long as the process lives."""

    def __init__(self) -> None:
        self._hubs: dict[str, Hub] = {}
        self._under_way: set[asyncio.Task[None]] = set()
        self._lasting = [asyncio.create_task(self._listen()), asyncio.create_task(self._look())]

    async def attach(self, game_id: str, watcher: Watcher, since: int) -> Hub:
        """Let a watcher see a game from a seq on."""
        hub = self._hubs.setdefault(game_id, Hub(game_id))
        try:
            await hub.attach(watcher, since)
        finally:
            self._drop_if_left(hub)
        return hub

    def detach(self, hub: Hub, watcher: Watcher) -> None:
        """The watcher has gone; a hub without any is forgotten."""
        hub.detach(watcher)
        self._drop_if_left(hub)

    def nudge(self, game_id: str, seq: int) -> None:
        """There may be something to read up to seq. Costs nothing where nobody watches."""
        hub = self._hubs.get(game_id)
        if hub is not None and hub.seq < seq:
            self._spawn(self._read_on(hub, seq))

    def look_at_rights(self, game_id: str) -> None:
        """Somebody has lost a right at this game: ask for its watchers before the next beat."""
        hub = self._hubs.get(game_id)
        if hub is not None:
            self._spawn(self._show_out(hub))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    def _drop_if_left(self, hub: Hub) -> None:
        if not hub.needed:
            self._hubs.pop(hub.game_id, None)

    async def _read_on(self, hub: Hub, seq: int) -> None:
        try:
            await hub.read_on(seq)
        except Exception:
            log.exception("a hub could not read on", extra={"game": hub.game_id})

    async def _show_out(self, hub: Hub) -> None:
        try:
            await hub.show_out(list(hub.watchers()))
        except Exception:
            log.exception("a hub could not look at rights", extra={"game": hub.game_id})

    async def _listen(self) -> None:
        """Hints, for speed. Whatever happens to the channel layer, looking goes on."""
        while (layer := get_channel_layer()) is not None:
            try:
                channel = await layer.new_channel()
                await layer.group_add(hints.GROUP, channel)
                while True:
                    hint = await layer.receive(channel)
                    if hint["type"] == hints.RIGHTS:
                        self.look_at_rights(hint["game"])
                    else:
                        self.nudge(hint["game"], hint["seq"])
            except Exception as error:
                log.warning("no hints from the channel layer: %s", type(error).__name__)
            await asyncio.sleep(RETRY_SECONDS)

    async def _look(self) -> None:
        """Ask for the heads of all watched games at once; and a heartbeat now and then."""
        interval = float(getattr(settings, "LIVE_HEARTBEAT_SECONDS", HEARTBEAT_SECONDS))
        beaten = monotonic()
        while True:
            await asyncio.sleep(POLL_SECONDS)
            due = monotonic() - beaten >= interval
            beaten = monotonic() if due else beaten
            try:
                for game_id, seq in await in_thread(_heads)(list(self._hubs)):
                    self.nudge(game_id, seq)
                if due:
                    await self._beat()
            except Exception:
                log.exception("the watched games could not be looked at")

    async def _beat(self) -> None:
        for hub in list(self._hubs.values()):
            hub.beat()
            await hub.show_out(list(hub.watchers()))


def _heads(game_ids: list[str]) -> list[tuple[str, int]]:
    if not game_ids:
        return []
    return list(Game.objects.filter(pk__in=game_ids).values_list("pk", "head_seq"))
