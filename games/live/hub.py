"""The hub of one game in this process: what it knows of the game, who watches it, and as whom."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from engine import Observer
from games import fold
from games.fold import Fold
from games.live import frames
from games.live.outbox import Message, Outbox, message
from games.live.threads import in_thread

REVOKED: Final = 4403


@dataclass(eq=False, slots=True)
class Watcher:
    """One socket at a game: as whom it sees it, and for which person ("" for nobody in particular).

    `allowed` asks the database whether that still holds.
    """

    outbox: Outbox
    observer: Observer
    person: str
    allowed: Callable[[], bool]


class Hub:
    """One game and its watchers. What each gets is in order and without gaps from the seq it asked for."""

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self._now: Fold | None = None
        self._watchers: dict[Observer, set[Watcher]] = {}
        self._arriving = 0
        self._reading = asyncio.Lock()
        self._first: dict[tuple[Observer, int], Message] = {}

    @property
    def seq(self) -> int:
        """The last seq this hub has sent; -1 before it has read the game."""
        return -1 if self._now is None else self._now.head.seq

    @property
    def needed(self) -> bool:
        """Whether anybody is there or on his way."""
        return bool(self._watchers) or self._arriving > 0

    def watchers(self) -> Iterator[Watcher]:
        """Everybody who watches now."""
        for group in self._watchers.values():
            yield from group

    async def attach(self, watcher: Watcher, since: int) -> None:
        """Send what the watcher lacks, and from then on whatever comes."""
        self._arriving += 1
        try:
            await self.read_on()
            self._watchers.setdefault(watcher.observer, set()).add(watcher)
        finally:
            self._arriving -= 1
        self.again(watcher, since)

    def again(self, watcher: Watcher, since: int) -> None:
        """Send what lies between a seq and the end; a seq ahead of the game gets a resync."""
        if self._now is None or since > self.seq:
            watcher.outbox.put(message(frames.resync(self.game_id, self.seq)), self.seq)
            return
        key = (watcher.observer, since)
        if key not in self._first:
            self._first[key] = message(frames.events(self._now, watcher.observer, since))
        watcher.outbox.put(self._first[key], self.seq)

    def detach(self, watcher: Watcher) -> None:
        """Forget a watcher."""
        group = self._watchers.get(watcher.observer, set())
        group.discard(watcher)
        if not group:
            self._watchers.pop(watcher.observer, None)

    async def read_on(self, least: int | None = None) -> None:
        """Read from the store what has come since, unless `least` is held already, and send it on."""
        async with self._reading:
            if least is not None and self.seq >= least:
                return
            before, now = self.seq, await in_thread(fold.at)(self.game_id)
            if now.head.seq == before:
                return
            if frames.brings_secrets(now, before):
                private = [one for one in self.watchers() if frames.is_private(one.observer)]
                await self.show_out(private)
            self._now = now  # nothing is awaited from here on: whoever comes gets each event once
            self._first.clear()
            for observer, group in self._watchers.items():
                self._hand_out(group, frames.events(self._now, observer, before))

    async def show_out(self, watchers: list[Watcher]) -> None:
        """Let go those who may no longer see what they see: with every beat, and before new secrets."""
        for watcher in await in_thread(_revoked)(watchers) if watchers else []:
            watcher.outbox.close(REVOKED)

    def beat(self) -> None:
        """Tell everybody where the game ends."""
        self._hand_out(self.watchers(), frames.heartbeat(self.game_id, self.seq))

    def _hand_out(self, watchers: Iterable[Watcher], text: str) -> None:
        one, seq = message(text), self.seq
        for watcher in watchers:
            watcher.outbox.put(one, seq)


def _revoked(watchers: list[Watcher]) -> list[Watcher]:
    """Those who may no longer see what they see; asked once for all sockets of one person."""
    answers: dict[tuple[str, Observer], bool] = {}
    for watcher in watchers:
        key = (watcher.person, watcher.observer)
        if key not in answers:
            answers[key] = watcher.allowed()
    return [watcher for watcher in watchers if not answers[watcher.person, watcher.observer]]
