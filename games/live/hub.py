"""The hub of one game in this process: what it knows of the game, who watches it, and as whom. A game that is
shown late has another one, for those who see it late.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from engine import Observer
from games import game_state
from games.close_codes import Closing
from games.game_state import Fold
from games.live import admission
from games.live.admission import Admission
from games.live.frame_sink import Message, message_of
from games.live.threads import in_read_thread
from games.monitoring import counting
from games.projections.delayed_broadcast import read_shown
from games.redaction import frames

StillMay = Callable[[Admission], Awaitable[bool]]
FIRST_FRAMES: Final = 16
"""Frames kept for those who come or read again from the same seq; there are as many as there are events."""


class Outlet(Protocol):
    """The way out to whoever watches: one client's outbox, or that of all who have this table
    beside theirs."""

    def put(self, message: Message, seq: int) -> None:
        """Say something; `seq` is where the game ends."""

    def close(self, code: int) -> None:
        """Say nothing more."""


@dataclass(eq=False, slots=True)
class Watcher:
    """One socket at a game, and who was let in there."""

    outbox: Outlet
    entry: Admission

    @property
    def observer(self) -> Observer:
        """As whom it sees the game."""
        return self.entry.observer


class Hub:
    """One game and its watchers. What each gets is in order and without gaps from the seq it asked for.
    `late`: of the log it knows only what is shown to everybody by now.
    """

    def __init__(self, game_id: str, *, late: bool = False) -> None:
        self.game_id = game_id
        self.late = late
        self._now: Fold | None = None
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
        """Whether anybody is there or on his way."""
        return bool(self._watchers or self._arriving)

    def watchers(self) -> Iterator[Watcher]:
        """Everybody who watches now."""
        for group in self._watchers.values():
            yield from group

    def present(self) -> list[Watcher]:
        """Everybody who watches now or is about to: who loses a right is looked for among these."""
        return [*self.watchers(), *self._arriving]

    async def attach(self, watcher: Watcher, since: int | None, still_may: StillMay) -> None:
        """Send what the watcher lacks, and from then on whatever comes; None: nothing but that. Whether he
        still may see it is asked once he is present: what he loses after that is told here.
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
        """Send what lies between a seq and the end; a seq ahead of the game gets a resync."""
        watcher.outbox.put(self.since(watcher.observer, since), self.seq)

    def since(self, observer: Observer, since: int) -> Message:
        """The frame with all of that."""
        if self._now is None or since > self.seq:
            counting.resyncs.add("ahead")
            return message_of(frames.resync(self.game_id, self.seq))
        key = (observer, since)
        if key not in self._first:
            if len(self._first) >= FIRST_FRAMES:
                self._first.clear()
            self._first[key] = message_of(frames.News(self._now, since).frame(observer))
        return self._first[key]

    def detach(self, watcher: Watcher) -> None:
        """Forget a watcher."""
        group = self._watchers.get(watcher.observer, set())
        group.discard(watcher)
        if not group:
            self._watchers.pop(watcher.observer, None)

    async def read_on(self, least: int, now: Fold | None = None) -> None:
        """Send on what has come since, unless `least` is held already: `now`, where this process has just
        stored it, or what the store has.
        """
        async with self._reading:
            if self.seq < least:
                await self._go_on(now or await self._read())

    async def _read_since_now(self) -> None:
        """Read the game; those who ask while somebody else reads share the next reading."""
        asked = self._readings
        async with self._reading:
            if self._readings == asked:
                await self._go_on(await self._read())

    async def _read(self) -> Fold:
        self._readings += 1
        return await in_read_thread(read_shown if self.late else game_state.at, self.game_id)

    async def _go_on(self, now: Fold) -> None:
        before = self.seq
        if now.head.seq <= before:
            return
        if frames.brings_secrets(now, before):
            await show_out([one for one in self.present() if frames.is_private(one.observer)])
        self._now = now  # nothing is awaited from here on: whoever comes gets each event once
        self._first.clear()
        news = frames.News(now, before)
        for observer, group in self._watchers.items():
            self._hand_out(group, news.frame(observer))

    def beat(self, watching: int) -> None:
        """Tell everybody where the game ends, and how many watch it: the same words to all."""
        self._hand_out(self.watchers(), frames.heartbeat(self.game_id, self.seq, watching))

    def _hand_out(self, watchers: Iterable[Watcher], text: str) -> None:
        one, seq = message_of(text), self.seq
        for watcher in watchers:
            watcher.outbox.put(one, seq)


async def show_out(watchers: list[Watcher]) -> None:
    """Let go those of any games who may no longer see what they see."""
    if not watchers:
        return
    lost = await in_read_thread(admission.lost, [watcher.entry for watcher in watchers])
    for watcher, gone in zip(watchers, lost, strict=True):
        if gone:
            watcher.outbox.close(Closing.NOT_ALLOWED)
