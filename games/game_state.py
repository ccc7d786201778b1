"""What the log of a game comes to: the engine's state and events, kept in this process and read on from
there.

A fold that is kept is never changed; who goes on from it works on a copy. It is only a saving: it is used
where the store says that the stream has exactly this hash at this seq, and made anew where not.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence

import msgspec

from engine import Event, State, replay, restore
from engine.registry import build_game_context
from engine.rules import GameContext
from games import store

CAPACITY = 512


class GameSnapshot(msgspec.Struct, frozen=True, eq=False):
    """A game up to `head`. `events` are complete, secrets included: nothing of this leaves without a view."""

    game_id: str
    table: GameContext
    events: tuple[Event, ...]
    head: store.Head

    @property
    def state(self) -> State:
        """What the events made."""
        return self.table.state

    def extended(self, events: Iterable[Event], head: store.Head) -> "GameSnapshot":
        """The fold after further events; this one stays as it is."""
        added = tuple(events)
        if not self.events:  # which rules they are is told by the first one
            return GameSnapshot(self.game_id, build_game_context(replay(added)), added, head)
        table = self.table.copy()
        replay(added, table.state)
        return GameSnapshot(self.game_id, table, self.events + added, head)


def empty(game_id: str, head: store.Head) -> GameSnapshot:
    """A game in which nothing has happened yet."""
    return GameSnapshot(game_id, build_game_context(State()), (), head)


_kept: OrderedDict[str, GameSnapshot] = OrderedDict()
_lock = threading.Lock()


def at(game_id: str, head: store.Head | None = None) -> GameSnapshot:
    """The game as it stands at `head`, the end of its stream; where it is not given, as far as it goes."""
    fold = _peek(game_id)
    if fold is not None and (head is None or fold.head.seq <= head.seq):
        caught_up = fold if fold.head == head else _catch_up(fold, head)
        if caught_up is not None:
            return caught_up
    return _load(game_id, head)


def _load(game_id: str, head: store.Head | None = None) -> GameSnapshot:
    """The whole game from the store: where its end is not known, the last event read is the end."""
    stored = store.read(game_id, upto=None if head is None else head.seq)
    if head is None:
        head = store.Head(stored[-1].seq, stored[-1].hash) if stored else store.head_of(game_id)
    events = tuple(restored(stored))
    made = GameSnapshot(game_id, build_game_context(replay(events)), events, head)
    with _lock:
        _kept.pop(game_id, None)  # what is kept may be of a transaction that never happened
    keep_fold(made)
    return made


def keep_fold(fold: GameSnapshot) -> None:
    """Remember a fold whose events are committed."""
    with _lock:
        known = _kept.get(fold.game_id)
        if known is None or known.head.seq <= fold.head.seq:
            _kept[fold.game_id] = fold
        _kept.move_to_end(fold.game_id)
        while len(_kept) > CAPACITY:
            _kept.popitem(last=False)


def forget_all() -> None:
    """Empty the memory of this process."""
    with _lock:
        _kept.clear()


def restored(stored: Sequence[store.StoredEvent]) -> list[Event]:
    """The engine's events of what the store has read."""
    return [restore(event.seq, event.type, event.body, event.parts) for event in stored]


def _peek(game_id: str) -> GameSnapshot | None:
    with _lock:
        fold = _kept.get(game_id)
        if fold is not None:
            _kept.move_to_end(game_id)
        return fold


def _catch_up(fold: GameSnapshot, head: store.Head | None) -> GameSnapshot | None:
    """The fold brought to `head`, or to the last event there is; None where it does not lie on this chain."""
    if fold.head.seq < 0 or (head is not None and fold.head.seq == head.seq):
        return None
    stored = store.read(fold.game_id, since=fold.head.seq - 1, upto=None if head is None else head.seq)
    if not stored or stored[0].hash != fold.head.hash:
        return None
    last, new = stored[-1], stored[1:]
    if not new:
        return fold
    caught_up = fold.extended(restored(new), head or store.Head(last.seq, last.hash))
    keep_fold(caught_up)
    return caught_up
