"""Delayed broadcast: which state of a game the public sees, and which state the game is in.

The row of a delayed game, and the results of its deals, lag behind the log
(`games.projections.delayed_projection`): readers of rows show the delayed state without knowing of the delay.
Observers with a part in the game see its current state, which functions of this module return.
"""

import copy
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec

from games import game_state, store
from games.game_state import GameSnapshot, restore_events
from games.models import DealResult, Game
from games.projections import projection
from games.recently_used import RecentlyUsed
from games.store import queries

SHOW: Final = "show"
"""Kind of the deadline at which held-back events are shown to the public."""
CAPACITY: Final = 128
KEPT: Final = RecentlyUsed[str, GameSnapshot](CAPACITY)


class Ahead(msgspec.Struct, frozen=True):
    """The content of `Game.ahead`, as the log has it. `row`: the columns of the game. `results`: the rows of
    its deals.
    """

    last_event_at: datetime
    row: projection.Summary
    results: list[projection.Result]


def build_ahead(snapshot: GameSnapshot, moment: datetime) -> dict[str, Any]:
    """Return the value of `Game.ahead` for a snapshot whose last event was recorded at `moment`."""
    row, results = projection.summarise(snapshot.table), projection.results(snapshot.table)
    ahead: dict[str, Any] = msgspec.to_builtins(Ahead(moment, row, results))
    return ahead


def schedule_show(game_id: str, now: datetime, minutes: int) -> store.Statement:
    """Return the SQL statement that sets the deadline at which the public sees the events recorded now.

    An earlier such deadline of the game stays, and its handler sets the next one.
    """
    return queries.insert_deadline(SHOW, game_id, now + timedelta(minutes=minutes))


def current_game(game: Game) -> Game:
    """Return the game in its current state: a copy for a delayed game, the same object for a game without
    delay. No query.
    """
    if game.is_now or not game.delay_minutes:
        return game
    current = copy.copy(game)
    current.is_now = True
    if game.ahead is not None:
        ahead = _decode_ahead(game.ahead)
        for name, value in projection.columns(ahead.row).items():
            setattr(current, name, value)
        current.head_seq, current.last_event_at = game.ahead_seq or 0, ahead.last_event_at
    return current


def load_visible_results(game: Game) -> list[DealResult]:
    """Return the results of the deals in the state of this object, in order of deals. They are stored rows
    or, for the current state of a delayed game, unsaved ones. One query, unless the results are in
    `Game.ahead`.
    """
    if not game.is_now or game.ahead is None:
        return list(DealResult.objects.filter(game=game).order_by("deal"))
    ahead = _decode_ahead(game.ahead)
    return [DealResult(game_id=game.pk, **projection.columns(result)) for result in ahead.results]


def have_results(games: Collection[Game]) -> bool:
    """Return whether any of these games has a result in its current state. At most one query."""
    held_back = any(load_visible_results(current_game(game)) for game in games if game.ahead is not None)
    return held_back or DealResult.objects.filter(game__in=games).exists()


def _decode_ahead(ahead: Any) -> Ahead:
    """Decode the column `ahead`: the ORM returns JSON values, a raw query returns text."""
    return msgspec.json.decode(ahead, type=Ahead) if isinstance(ahead, str) else msgspec.convert(ahead, Ahead)


def load_visible_snapshot(game: Game) -> GameSnapshot:
    """Return the snapshot of the state that this object holds, which is the current or the delayed one."""
    if game.is_now or not game.delay_minutes:
        return game_state.load_snapshot(game.pk)
    return load_shown_snapshot(game.pk, game.head_seq)


def load_public_snapshot(game_id: str) -> GameSnapshot:
    """Return the snapshot of the game that the public sees at this moment."""
    seq = Game.objects.values_list("head_seq", flat=True).get(pk=game_id)
    return load_shown_snapshot(game_id, seq)


def load_shown_snapshot(game_id: str, seq: int) -> GameSnapshot:
    """Return the snapshot of the game up to `seq`, if possible by extending the last one that this process
    has shown.
    """
    cached = KEPT.get(game_id)
    if cached is None or cached.head.seq > seq:
        cached = None
    elif cached.head.seq == seq and store.read_hashes({game_id: seq}).get(game_id) == cached.head.hash:
        return cached
    stored = store.read(game_id, since=-1 if cached is None else cached.head.seq - 1, upto=seq)
    if cached is not None and stored and stored[0].hash == cached.head.hash:
        snapshot = cached.extended(restore_events(stored[1:]), store.Head(stored[-1].seq, stored[-1].hash))
    else:
        stored = store.read(game_id, upto=seq) if cached is not None else stored
        before = game_state.empty_snapshot(game_id, store.Head(-1, bytes(32)))
        snapshot = before.extended(restore_events(stored), store.Head(stored[-1].seq, stored[-1].hash))
    KEPT.keep({game_id: snapshot})
    return snapshot
