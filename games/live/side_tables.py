"""Other tables on the socket of somebody who watches one: he says which (`{"also": {game: seq}}`) and gets
the frames that a stranger at those tables gets, the very same bytes, made once a table and change and written
once a second for all who have the same tables beside theirs.

In its hub a table beside others is one watcher: who may see it is asked once for all of them, as nobody in
particular, whoever they are, so that a table nobody may look at is none here and one that is shown late is
late. Nobody is counted there, and what these tables say never holds up a client's own. Nor does it hold up
others to name tables without end: they are looked up one after the other, and not at all once they are named
no more, and there are so many and no more.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from games.close_codes import Closing
from games.live.admission import Admission
from games.live.frame_sink import Message, Outbox, message_of
from games.live.hub import Hub, Watcher
from games.redaction import frames

MOST: Final = 12
"""Tables beside one, as many as are found where somebody looks for some."""
MOST_BESIDE: Final = 200
"""Tables beside others in a process: those of a round have mostly the same beside them, the closest. Beyond
that the page is not told of one and asks for it as before."""
FARTHEST: Final = 64
"""Events that are caught up with; whoever is further behind reads the page again."""
PAUSE: Final = 1.0
"""Seconds for which what these tables say is gathered."""

Games = frozenset[str]
log = logging.getLogger(__name__)


class Watching(Protocol):
    """What is needed of `games.live.watch.Watch`."""

    async def enter(self, key: str | None, game_id: str) -> Admission | None: ...

    async def attach(self, game_id: str, watcher: Watcher, since: int | None) -> Hub: ...

    def detach(self, hub: Hub, watcher: Watcher) -> None: ...


class SideTables:
    """All tables that somebody has beside his in this process."""

    def __init__(self, watching: Watching) -> None:
        self._watching = watching
        self._tables: dict[str, _SideTable] = {}
        self._rows: dict[Games, _Row] = {}
        self._waiting: dict[str, _SideTable] = {}
        self._opening: asyncio.Task[None] | None = None

    def tell(self, outbox: Outbox, had: Games, held: Mapping[str, int]) -> None:
        """Tell a client of these games what comes after the seq it holds of each, and of no others. `had`:
        those it was told of so far."""
        wanted = frozenset(held)
        if wanted:
            row = self._rows.setdefault(wanted, _Row())
            row.followers.add(outbox)
            for game_id, since in held.items():
                table = self._tables.get(game_id) or self._opened(game_id)
                if table is not None:
                    table.rows.add(row)
                    table.catch_up(outbox, since)
        if had != wanted and (left := self._rows.get(had)) is not None:
            left.followers.discard(outbox)
            if not left.followers:
                self._drop(had)

    def _opened(self, game_id: str) -> "_SideTable | None":
        if len(self._tables) >= MOST_BESIDE:
            return None
        table = self._tables[game_id] = _SideTable(game_id, self._watching, self._forget)
        self._waiting[game_id] = table
        if self._opening is None:
            self._opening = asyncio.create_task(self._open_in_turn())
        return table

    async def _open_in_turn(self) -> None:
        try:
            while self._waiting:
                await self._waiting.pop(next(iter(self._waiting))).open()
        finally:
            self._opening = None

    def _drop(self, games: Games) -> None:
        row = self._rows.pop(games)
        for table in [self._tables[game_id] for game_id in games if game_id in self._tables]:
            table.rows.discard(row)
            if not table.rows:
                table.end()

    def _forget(self, table: "_SideTable") -> None:
        if self._tables.get(table.game_id) is table:
            del self._tables[table.game_id]
            self._waiting.pop(table.game_id, None)


class _Row:
    """Those who have the same tables beside theirs."""

    def __init__(self) -> None:
        self.followers: set[Outbox] = set()
        self._gathered: list[Message] = []

    def gather(self, message: Message) -> None:
        """Say it to all of them, with whatever else is said within a second."""
        if not self._gathered:
            asyncio.get_running_loop().call_later(PAUSE, self._say)
        self._gathered.append(message)

    def _say(self) -> None:
        messages, self._gathered = self._gathered, []
        together = b"".join(message["frame"] for message in messages)
        for outbox in self.followers:
            outbox.offer(messages, together)


class _SideTable:
    """One game; to its hub it is the outbox of one watcher."""

    def __init__(self, game_id: str, watching: Watching, forget: Callable[["_SideTable"], None]) -> None:
        self.game_id = game_id
        self.rows: set[_Row] = set()
        self._watching = watching
        self._forget = forget
        self._ended = False
        self._arriving: dict[Outbox, int] = {}
        self._at: tuple[Hub, Watcher] | None = None

    def put(self, message: Message, seq: int) -> None:
        """What the hub has to say."""
        for row in self.rows:
            row.gather(message)

    def close(self, code: int) -> None:
        """Strangers may not see it any more, or later than before: who follows it reads his page again."""
        for row in self.rows:
            row.gather(message_of(frames.resync(self.game_id, -1)))
        self.end()

    def catch_up(self, outbox: Outbox, since: int) -> None:
        """What a client lacks."""
        if self._at is None:
            self._arriving[outbox] = since
            return
        hub, watcher = self._at
        is_near = hub.seq - FARTHEST <= since
        message = hub.since(watcher.observer, since if is_near else hub.seq + 1)
        outbox.offer([message], message["frame"])

    async def open(self) -> None:
        """Find the table as nobody in particular. One that is not there for him is not told of."""
        try:
            entry = await self._watching.enter(None, self.game_id)
            if entry is None or self._ended:
                self.end()
                return
            watcher = Watcher(self, entry._replace(looks_on=False))
            self._at = await self._watching.attach(self.game_id, watcher, None), watcher
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
        """Nobody is told of it any more."""
        self._ended = True
        self._forget(self)
        if self._at is not None:
            self._watching.detach(*self._at)
            self._at = None
