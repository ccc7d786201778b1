"""The hub of one game in this process: its snapshot and its watchers, each with an observer. A game with a
delayed broadcast has a second hub, which serves its delayed viewers.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from engine import Observer
from games import game_state
from games.close_codes import Closing
from games.game_state import GameSnapshot
from games.live import admission
from games.live.admission import Admission
from games.live.frame_sink import Message, message_of
from games.live.threads import in_read_thread
from games.monitoring import counters
from games.projections.delayed_broadcast import read_shown
from games.redaction import frames

StillMay = Callable[[Admission], Awaitable[bool]]
FIRST_FRAMES: Final = 16
"""Largest number of cached frames. Clients with the same observer share a cached frame if they read from the
same seq.
"""


class FrameSink(Protocol):
    """Receiver of frames: the outbox of one client, or the object that serves all clients that show this game
    as a side table.
    """

    def put(self, message: Message, seq: int) -> None:
        """Queue a message. `seq`: the last seq of the game when the message was made."""

    def close(self, code: int) -> None:
        """End the stream of messages with this close code."""


@dataclass(eq=False, slots=True)
class Watcher:
    """A receiver of a game's frames (see `FrameSink`), and the admission that it has."""

    outbox: FrameSink
    entry: Admission

    @property
    def observer(self) -> Observer:
        """The observer whose view the watcher gets."""
        return self.entry.observer


class Hub:
    """One game and its watchers. Each watcher gets events in order and without gaps from the seq it asked
    for. `late`: the hub sees only the part of the log that the delayed broadcast shows by now.
    """

    def __init__(self, game_id: str, *, late: bool = False) -> None:
        self.game_id = game_id
        self.late = late
        self._now: GameSnapshot | None = None
        self._watchers: dict[Observer, set[Watcher]] = {}
        self._arriving: set[Watcher] = set()
        self._reading = asyncio.Lock()
        self._readings = 0
        self._first: dict[tuple[Observer, int], Message] = {}

    @property
    def seq(self) -> int:
        """The last seq this hub has sent; -1 before it has read the game."""
        return -1 if self._now is None else self._now.head.seq

    @property
    def needed(self) -> bool:
        """Whether any watcher is present or arriving."""
        return bool(self._watchers or self._arriving)

    def watchers(self) -> Iterator[Watcher]:
        """Yield all current watchers."""
        for group in self._watchers.values():
            yield from group

    def present(self) -> list[Watcher]:
        """Return all current and arriving watchers, whose rights are checked again."""
        return [*self.watchers(), *self._arriving]

    async def attach(self, watcher: Watcher, since: int | None, still_may: StillMay) -> None:
        """Send the watcher the events after `since`, and all later ones. `since` None: only the later ones.

        `still_may` checks the watcher's rights after the watcher is listed in `present`, so that a right lost
        while it arrives is noticed.
        """
        self._arriving.add(watcher)
        try:
            await self._read_since_now()
            if not await still_may(watcher.entry):
                watcher.outbox.close(Closing.NOT_ALLOWED)
            self._watchers.setdefault(watcher.observer, set()).add(watcher)
        finally:
            self._arriving.discard(watcher)
        if since is not None:
            self.resend(watcher, since)

    def resend(self, watcher: Watcher, since: int) -> None:
        """Send the events after `since`, or a resync frame if `since` is ahead of the game."""
        watcher.outbox.put(self.since(watcher.observer, since), self.seq)

    def since(self, observer: Observer, since: int) -> Message:
        """Return the frame with the events after `since`; a resync frame if `since` is ahead of the game."""
        if self._now is None or since > self.seq:
            counters.resyncs.add("ahead")
            return message_of(frames.resync(self.game_id, self.seq))
        key = (observer, since)
        if key not in self._first:
            if len(self._first) >= FIRST_FRAMES:
                self._first.clear()
            self._first[key] = message_of(frames.News(self._now, since).frame(observer))
        return self._first[key]

    def detach(self, watcher: Watcher) -> None:
        """Remove a watcher."""
        group = self._watchers.get(watcher.observer, set())
        group.discard(watcher)
        if not group:
            self._watchers.pop(watcher.observer, None)

    async def read_on(self, least: int, now: GameSnapshot | None = None) -> None:
        """Send new events to the watchers, unless the hub has already reached seq `least`. `now`: the
        snapshot that this process has just stored; None: read the store.
        """
        async with self._reading:
            if self.seq < least:
                await self._go_on(now or await self._read())

    async def _read_since_now(self) -> None:
        """Read the game from the store; calls made during a read share the next one."""
        asked = self._readings
        async with self._reading:
            if self._readings == asked:
                await self._go_on(await self._read())

    async def _read(self) -> GameSnapshot:
        self._readings += 1
        return await in_read_thread(read_shown if self.late else game_state.at, self.game_id)

    async def _go_on(self, now: GameSnapshot) -> None:
        before = self.seq
        if now.head.seq <= before:
            return
        if frames.brings_secrets(now, before):
            await disconnect_revoked([one for one in self.present() if frames.is_private(one.observer)])
        self._now = now  # no await from here on: each watcher gets each event once
        self._first.clear()
        news = frames.News(now, before)
        for observer, group in self._watchers.items():
            self._hand_out(group, news.frame(observer))

    def beat(self, watching: int) -> None:
        """Send all watchers the same heartbeat, with the last seq of the game. `watching`: the number of
        viewers.
        """
        self._hand_out(self.watchers(), frames.heartbeat(self.game_id, self.seq, watching))

    def _hand_out(self, watchers: Iterable[Watcher], text: str) -> None:
        one, seq = message_of(text), self.seq
        for watcher in watchers:
            watcher.outbox.put(one, seq)


async def disconnect_revoked(watchers: list[Watcher]) -> None:
    """Disconnect the watchers, maybe of several games, that have lost the right to their view."""
    if not watchers:
        return
    lost = await in_read_thread(admission.lost, [watcher.entry for watcher in watchers])
    for watcher, gone in zip(watchers, lost, strict=True):
        if gone:
            watcher.outbox.close(Closing.NOT_ALLOWED)
