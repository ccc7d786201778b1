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
from games.live.frame_sink import Message, make_message
from games.live.threads import in_read_thread
from games.monitoring import counters
from games.observed import frames
from games.projections.delayed_broadcast import load_public_snapshot

HubKey = tuple[str, bool]
"""Key of a hub: (game id, whether the hub is the delayed one)."""
AdmissionCheck = Callable[[Admission], Awaitable[bool]]
MAX_CACHED_FRAMES: Final = 16
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
    admission: Admission

    @property
    def observer(self) -> Observer:
        """The observer whose view the watcher gets."""
        return self.admission.observer


class Hub:
    """One game and its watchers. Each watcher gets events in order and without gaps from the seq it asked
    for. `late`: the hub sees only the part of the log that the delayed broadcast shows by now.
    """

    def __init__(self, game_id: str, *, late: bool = False) -> None:
        self.game_id = game_id
        self.late = late
        self._snapshot: GameSnapshot | None = None
        self._watchers: dict[Observer, set[Watcher]] = {}
        self._arriving: set[Watcher] = set()
        self._read_lock = asyncio.Lock()
        self._read_count = 0
        self._cached_frames: dict[tuple[Observer, int], Message] = {}

    @property
    def key(self) -> HubKey:
        """The key of this hub in its process."""
        return self.game_id, self.late

    @property
    def seq(self) -> int:
        """The last seq this hub has sent; -1 before it has read the game."""
        return -1 if self._snapshot is None else self._snapshot.head.seq

    @property
    def is_needed(self) -> bool:
        """Whether any watcher is present or arriving."""
        return bool(self._watchers or self._arriving)

    def watchers(self) -> Iterator[Watcher]:
        """Yield all current watchers."""
        for group in self._watchers.values():
            yield from group

    def list_watchers(self) -> list[Watcher]:
        """Return all current and arriving watchers, whose rights are checked again."""
        return [*self.watchers(), *self._arriving]

    async def attach(self, watcher: Watcher, since: int | None, check_admission: AdmissionCheck) -> None:
        """Send the watcher the events after `since`, and all later ones. `since` None: only the later ones.

        `check_admission` checks the watcher's rights after the watcher is listed in `list_watchers`, so that
        a right lost while it arrives is noticed.
        """
        self._arriving.add(watcher)
        try:
            await self._read_since_now()
            if not await check_admission(watcher.admission):
                watcher.outbox.close(Closing.NOT_ALLOWED)
            self._watchers.setdefault(watcher.observer, set()).add(watcher)
        finally:
            self._arriving.discard(watcher)
        if since is not None:
            self.resend(watcher, since)

    def resend(self, watcher: Watcher, since: int) -> None:
        """Send the events after `since`, or a resync frame if `since` is ahead of the game."""
        watcher.outbox.put(self.make_events_message(watcher.observer, since), self.seq)

    def make_events_message(self, observer: Observer, since: int) -> Message:
        """Return the frame with the events after `since`; a resync frame if `since` is ahead of the game."""
        if self._snapshot is None or since > self.seq:
            counters.resyncs.add("ahead")
            return make_message(frames.resync(self.game_id, self.seq))
        key = (observer, since)
        if key not in self._cached_frames:
            if len(self._cached_frames) >= MAX_CACHED_FRAMES:
                self._cached_frames.clear()
            self._cached_frames[key] = make_message(frames.EventFrames(self._snapshot, since).frame(observer))
        return self._cached_frames[key]

    def detach(self, watcher: Watcher) -> None:
        """Remove a watcher."""
        group = self._watchers.get(watcher.observer, set())
        group.discard(watcher)
        if not group:
            self._watchers.pop(watcher.observer, None)

    async def send_new_events(self, seq: int, snapshot: GameSnapshot | None = None) -> None:
        """Send new events to the watchers, unless the hub has already reached `seq`. `snapshot`: the
        snapshot that this process has just stored; None: read the store.
        """
        async with self._read_lock:
            if self.seq < seq:
                await self._advance(snapshot or await self._read_snapshot())

    async def _read_since_now(self) -> None:
        """Read the game from the store; calls made during a read share the next one."""
        count_before = self._read_count
        async with self._read_lock:
            if self._read_count == count_before:
                await self._advance(await self._read_snapshot())

    async def _read_snapshot(self) -> GameSnapshot:
        self._read_count += 1
        return await in_read_thread(
            load_public_snapshot if self.late else game_state.load_snapshot, self.game_id
        )

    async def _advance(self, snapshot: GameSnapshot) -> None:
        before = self.seq
        if snapshot.head.seq <= before:
            return
        if frames.brings_secrets(snapshot, before):
            await disconnect_revoked(
                [watcher for watcher in self.list_watchers() if frames.is_private(watcher.observer)]
            )
        self._snapshot = snapshot  # no await from here on: each watcher gets each event once
        self._cached_frames.clear()
        news = frames.EventFrames(snapshot, before)
        for observer, group in self._watchers.items():
            self._broadcast(group, news.frame(observer))

    def send_heartbeat(self, viewers: int) -> None:
        """Send all watchers the same heartbeat, with the last seq of the game. `viewers`: the number of
        viewers.
        """
        self._broadcast(self.watchers(), frames.heartbeat(self.game_id, self.seq, viewers))

    def _broadcast(self, watchers: Iterable[Watcher], text: str) -> None:
        message, seq = make_message(text), self.seq
        for watcher in watchers:
            watcher.outbox.put(message, seq)


async def disconnect_revoked(watchers: list[Watcher]) -> None:
    """Disconnect the watchers, maybe of several games, that have lost the right to their view."""
    if not watchers:
        return
    revoked = await in_read_thread(admission.find_revoked, [watcher.admission for watcher in watchers])
    for watcher, is_revoked in zip(watchers, revoked, strict=True):
        if is_revoked:
            watcher.outbox.close(Closing.NOT_ALLOWED)
