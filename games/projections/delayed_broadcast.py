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
from games.game_state import GameSnapshot, restored
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


def ahead_of(fold: GameSnapshot, moment: datetime) -> dict[str, Any]:
    """Return the value of `Game.ahead` for a snapshot whose last event was recorded at `moment`."""
    row, results = projection.summarise(fold.table), projection.results(fold.table)
    ahead: dict[str, Any] = msgspec.to_builtins(Ahead(moment, row, results))
    return ahead


def showing(game_id: str, now: datetime, minutes: int) -> store.Question:
    """Return the SQL statement that sets the deadline at which the public sees the events recorded now.

    An earlier such deadline of the game stays, and its handler sets the next one.
    """
    return queries.insert_deadline(SHOW, game_id, now + timedelta(minutes=minutes))


def now_of(game: Game) -> Game:
    """Return the game in its current state: a copy for a delayed game, the same object for a game without
    delay. No query.
    """
    if game.is_now or not game.delay_minutes:
        return game
    found = copy.copy(game)
    found.is_now = True
    if game.ahead is not None:
        ahead = _read(game.ahead)
        for name, value in projection.columns(ahead.row).items():
            setattr(found, name, value)
        found.head_seq, found.last_event_at = game.ahead_seq or 0, ahead.last_event_at
    return found


def results_of(game: Game) -> list[DealResult]:
    """Return the results of the deals in the state of this object, in order of deals. They are stored rows
    or, for the current state of a delayed game, unsaved ones. One query, unless the results are in
    `Game.ahead`.
    """
    if not game.is_now or game.ahead is None:
        return list(DealResult.objects.filter(game=game).order_by("deal"))
    ahead = _read(game.ahead)
    return [DealResult(game_id=game.pk, **projection.columns(result)) for result in ahead.results]


def have_results(games: Collection[Game]) -> bool:
    """Return whether any of these games has a result in its current state. At most one query."""
    held_back = any(results_of(now_of(game)) for game in games if game.ahead is not None)
    return held_back or DealResult.objects.filter(game__in=games).exists()


def _read(ahead: Any) -> Ahead:
    """Decode the column `ahead`: the ORM returns JSON values, a raw query returns text."""
    return msgspec.json.decode(ahead, type=Ahead) if isinstance(ahead, str) else msgspec.convert(ahead, Ahead)


def fold_of(game: Game) -> GameSnapshot:
    """Return the snapshot of the state that this object holds, which is the current or the delayed one."""
    if game.is_now or not game.delay_minutes:
        return game_state.at(game.pk)
    return shown(game.pk, game.head_seq)


def read_shown(game_id: str) -> GameSnapshot:
    """Return the snapshot of the game that the public sees at this moment."""
    seq = Game.objects.values_list("head_seq", flat=True).get(pk=game_id)
    return shown(game_id, seq)


def shown(game_id: str, seq: int) -> GameSnapshot:
    """Return the snapshot of the game up to `seq`, if possible by extending the last one that this process
    has shown.
    """
    fold = KEPT.get(game_id)
    if fold is None or fold.head.seq > seq:
        fold = None
    elif fold.head.seq == seq and store.hashes_at({game_id: seq}).get(game_id) == fold.head.hash:
        return fold
    stored = store.read(game_id, since=-1 if fold is None else fold.head.seq - 1, upto=seq)
    if fold is not None and stored and stored[0].hash == fold.head.hash:
        made = fold.extended(restored(stored[1:]), store.Head(stored[-1].seq, stored[-1].hash))
    else:
        stored = store.read(game_id, upto=seq) if fold is not None else stored
        before = game_state.empty(game_id, store.Head(-1, bytes(32)))
        made = before.extended(restored(stored), store.Head(stored[-1].seq, stored[-1].hash))
    KEPT.keep({game_id: made})
    return made
