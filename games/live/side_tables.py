"""Side tables: other tables on the socket of a viewer of one table.

The client names them (`{"also": {game: seq}}`) and gets the frames of an anonymous viewer at those tables.
Each frame is encoded once per table and change, and written once a second for all clients with the same side
tables.

In its hub a side table is one anonymous watcher for all clients, so rights are checked once. A table that
anonymous viewers may not see is absent, and a delayed table is delayed. Side tables do not count as viewers,
and their frames never hold up a client's own frames. A client that names many tables does not hold up others:
tables are opened one after the other, not at all if no client names them any more, and their number is
limited.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from games.close_codes import Closing
from games.live.admission import Admission
from games.live.frame_sink import Message, Outbox, make_message
from games.live.hub import Hub, Watcher
from games.observed import frames

MAX_SIDE_TABLES: Final = 12
"""Largest number of side tables of one client."""
MAX_SIDE_TABLES_OF_PROCESS: Final = 200
"""Largest number of side tables of a process. Clients of a round mostly share the closest tables; pages poll
for the tables beyond the limit.
"""
MAX_MISSED_EVENTS: Final = 64
"""Largest number of missed events that are sent to a client; a client that lacks more reads its page
again.
"""
BATCH_SECONDS: Final = 1.0
"""Seconds for which frames of side tables are gathered before they are sent together."""

Games = frozenset[str]
log = logging.getLogger(__name__)


class HubAccess(Protocol):
    """The part of `games.live.hub_registry.HubRegistry` that this module needs."""

    async def admit(self, key: str | None, game_id: str) -> Admission | None: ...

    async def attach(self, game_id: str, watcher: Watcher, since: int | None) -> Hub: ...

    def detach(self, hub: Hub, watcher: Watcher) -> None: ...


class SideTables:
    """All side tables of this process."""

    def __init__(self, registry: HubAccess) -> None:
        self._registry = registry
        self._tables: dict[str, _SideTable] = {}
        self._groups: dict[Games, _FollowerGroup] = {}
        self._waiting: dict[str, _SideTable] = {}
        self._opening: asyncio.Task[None] | None = None

    def subscribe(self, outbox: Outbox, previous: Games, since_by_game: Mapping[str, int]) -> None:
        """Subscribe a client to the games in `since_by_game`, as far as MAX_SIDE_TABLES_OF_PROCESS allows,
        and to no others. `since_by_game`: the last seq that the client has of each. `previous`: the previous
        subscriptions.
        """
        wanted = frozenset(since_by_game)
        if wanted:
            group = self._groups.setdefault(wanted, _FollowerGroup())
            group.followers.add(outbox)
            for game_id, since in since_by_game.items():
                table = self._tables.get(game_id) or self._queue_opening(game_id)
                if table is not None:
                    table.groups.add(group)
                    table.catch_up(outbox, since)
        if previous != wanted and (old_group := self._groups.get(previous)) is not None:
            old_group.followers.discard(outbox)
            if not old_group.followers:
                self._drop_group(previous)

    def _queue_opening(self, game_id: str) -> "_SideTable | None":
        if len(self._tables) >= MAX_SIDE_TABLES_OF_PROCESS:
            return None
        table = self._tables[game_id] = _SideTable(game_id, self._registry, self._forget)
        self._waiting[game_id] = table
        if self._opening is None:
            self._opening = asyncio.create_task(self._open_waiting())
        return table

    async def _open_waiting(self) -> None:
        try:
            while self._waiting:
                await self._waiting.pop(next(iter(self._waiting))).open()
        finally:
            self._opening = None

    def _drop_group(self, games: Games) -> None:
        group = self._groups.pop(games)
        for table in [self._tables[game_id] for game_id in games if game_id in self._tables]:
            table.groups.discard(group)
            if not table.groups:
                table.end()

    def _forget(self, table: "_SideTable") -> None:
        if self._tables.get(table.game_id) is table:
            del self._tables[table.game_id]
            self._waiting.pop(table.game_id, None)


class _FollowerGroup:
    """The clients with the same side tables."""

    def __init__(self) -> None:
        self.followers: set[Outbox] = set()
        self._gathered: list[Message] = []

    def gather(self, message: Message) -> None:
        """Send the message to all followers, together with the other messages of the same second."""
        if not self._gathered:
            asyncio.get_running_loop().call_later(BATCH_SECONDS, self._send_gathered)
        self._gathered.append(message)

    def _send_gathered(self) -> None:
        messages, self._gathered = self._gathered, []
        together = b"".join(message["frame"] for message in messages)
        for outbox in self.followers:
            outbox.offer(messages, together)


class _SideTable:
    """One side table. It is the frame sink of its one watcher in the hub of the game."""

    def __init__(self, game_id: str, registry: HubAccess, forget: Callable[["_SideTable"], None]) -> None:
        self.game_id = game_id
        self.groups: set[_FollowerGroup] = set()
        self._registry = registry
        self._forget = forget
        self._ended = False
        self._arriving: dict[Outbox, int] = {}
        self._attachment: tuple[Hub, Watcher] | None = None

    def put(self, message: Message, seq: int) -> None:
        """Forward a message of the hub to the clients."""
        for group in self.groups:
            group.gather(message)

    def close(self, code: int) -> None:
        """End the table: anonymous viewers may no longer see it, or see it with another delay. The clients
        get a resync frame and read their pages again.
        """
        for group in self.groups:
            group.gather(make_message(frames.resync(self.game_id, -1)))
        self.end()

    def catch_up(self, outbox: Outbox, since: int) -> None:
        """Send a client the events after `since`, or a resync frame if it lacks too many."""
        if self._attachment is None:
            self._arriving[outbox] = since
            return
        hub, watcher = self._attachment
        is_near = hub.seq - MAX_MISSED_EVENTS <= since
        message = hub.make_events_message(watcher.observer, since if is_near else hub.seq + 1)
        outbox.offer([message], message["frame"])

    async def open(self) -> None:
        """Attach to the game as an anonymous viewer. If the game is absent, the side table ends without a
        message.
        """
        try:
            admission = await self._registry.admit(None, self.game_id)
            if admission is None or self._ended:
                self.end()
                return
            watcher = Watcher(self, admission._replace(looks_on=False))
            self._attachment = await self._registry.attach(self.game_id, watcher, None), watcher
        except Exception:
            log.exception("a table beside others could not be read", extra={"game": self.game_id})
            self.close(Closing.TRY_LATER)
            return
        if self._ended:
            self.end()
            return
        for outbox, since in self._arriving.items():
            self.catch_up(outbox, since)
        self._arriving.clear()

    def end(self) -> None:
        """End the side table, and detach it from its hub."""
        self._ended = True
        self._forget(self)
        if self._attachment is not None:
            self._registry.detach(*self._attachment)
            self._attachment = None
