"""Cached game snapshots: the engine's state and the events of a game, kept in this process and extended when
new events come.

A cached snapshot is immutable; extending it works on a copy. A cached snapshot is used only if the stream has
its hash at its seq; otherwise it is rebuilt.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from engine import Event, State, replay, restore
from engine.registry import build_game_context
from engine.rules import GameContext
from games import store
from games.recently_used import RecentlyUsed

CAPACITY: Final = 512


class GameSnapshot(msgspec.Struct, frozen=True, eq=False):
    """A game up to `head`. `events` are complete, secrets included: show them through a view only."""

    game_id: str
    table: GameContext
    events: tuple[Event, ...]
    head: store.Head

    @property
    def state(self) -> State:
        """The state after the last event."""
        return self.table.state

    def extended(self, events: Iterable[Event], head: store.Head) -> "GameSnapshot":
        """Return a new snapshot with further events. `head`: the head after these events."""
        added = tuple(events)
        if not self.events:  # the first event names the rules
            return GameSnapshot(self.game_id, build_game_context(replay(added)), added, head)
        table = self.table.copy()
        replay(added, table.state)
        return GameSnapshot(self.game_id, table, self.events + added, head)


def empty_snapshot(game_id: str, head: store.Head) -> GameSnapshot:
    """Return the snapshot of a game without events."""
    return GameSnapshot(game_id, build_game_context(State()), (), head)


KEPT: Final = RecentlyUsed[str, GameSnapshot](CAPACITY)


def load_snapshot(game_id: str, head: store.Head | None = None) -> GameSnapshot:
    """Return the snapshot of the game at `head`, the end of its stream; None: the last event."""
    cached = KEPT.get(game_id)
    if cached is not None and (head is None or cached.head.seq <= head.seq):
        extended = cached if cached.head == head else _extend_to_head(cached, head)
        if extended is not None:
            return extended
    return _load_from_store(game_id, head)


def _load_from_store(game_id: str, head: store.Head | None = None) -> GameSnapshot:
    """Load the whole game from the store up to `head`; None: up to the last event."""
    stored = store.read(game_id, upto=None if head is None else head.seq)
    if head is None:
        head = store.Head(stored[-1].seq, stored[-1].hash) if stored else store.read_head(game_id)
    events = tuple(restore_events(stored))
    snapshot = GameSnapshot(game_id, build_game_context(replay(events)), events, head)
    KEPT.drop(game_id)  # the cached snapshot may come from a transaction that was rolled back
    cache_snapshot(snapshot)
    return snapshot


def cache_snapshot(snapshot: GameSnapshot) -> None:
    """Cache a snapshot, unless a longer one of the game is cached."""
    known = KEPT.get(snapshot.game_id)
    if known is None or known.head.seq <= snapshot.head.seq:
        KEPT.keep({snapshot.game_id: snapshot})


def restore_events(stored: Sequence[store.StoredEvent]) -> list[Event]:
    """Convert stored events to events of the engine, secret parts included."""
    return [restore(event.seq, event.type, event.body, event.parts) for event in stored]


def _extend_to_head(snapshot: GameSnapshot, head: store.Head | None) -> GameSnapshot | None:
    """Extend the snapshot to `head`, or to the last event; None if the snapshot does not lie on this
    chain.
    """
    if snapshot.head.seq < 0 or (head is not None and snapshot.head.seq == head.seq):
        return None
    stored = store.read(
        snapshot.game_id, since=snapshot.head.seq - 1, upto=None if head is None else head.seq
    )
    if not stored or stored[0].hash != snapshot.head.hash:
        return None
    last, new = stored[-1], stored[1:]
    if not new:
        return snapshot
    extended = snapshot.extended(restore_events(new), head or store.Head(last.seq, last.hash))
    cache_snapshot(extended)
    return extended
