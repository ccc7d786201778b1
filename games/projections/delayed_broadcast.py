"""A game that is shown late: what everybody sees of it, and what the log says by now.

The row of such a game, and the results of its deals, lag behind the log
(`games.projections.delayed_projection`): whatever reads rows shows what is shown, without knowing of any of
this. Who has a part in the game sees it as it is now, and asks here for that.
"""

import copy
import threading
from collections import OrderedDict
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec

from games import game_state, store
from games.game_state import GameSnapshot, restored
from games.models import DealResult, Game
from games.projections import projection
from games.store import queries

SHOW: Final = "show"
"""The deadline at which what has happened is shown."""
CAPACITY: Final = 128
_kept: OrderedDict[str, GameSnapshot] = OrderedDict()
_lock = threading.Lock()


class Ahead(msgspec.Struct, frozen=True):
    """What stands in `Game.ahead`: the columns of the row and the results, as the log has them."""

    last_event_at: datetime
    row: projection.Summary
    results: list[projection.Result]


def ahead_of(fold: GameSnapshot, moment: datetime) -> dict[str, Any]:
    """What is written into `Game.ahead` of a game that has come to this, at this moment."""
    row, results = projection.summarise(fold.table), projection.results(fold.table)
    ahead: dict[str, Any] = msgspec.to_builtins(Ahead(moment, row, results))
    return ahead


def showing(game_id: str, now: datetime, minutes: int) -> store.Question:
    """The statement that sets the deadline at which events of now are shown. Where one is set already, its
    handler looks for later events itself."""
    return queries.insert_deadline(SHOW, game_id, now + timedelta(minutes=minutes))


def now_of(game: Game) -> Game:
    """The game as it is now, whatever is shown of it; the same object where nothing is late. No query."""
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
    """The results of its deals as whoever this object was made for may see them; rows, or what becomes of
    them. A query unless something is ahead."""
    if not game.is_now or game.ahead is None:
        return list(DealResult.objects.filter(game=game).order_by("deal"))
    ahead = _read(game.ahead)
    return [DealResult(game_id=game.pk, **projection.columns(result)) for result in ahead.results]


def have_results(games: Collection[Game]) -> bool:
    """Whether anything is written down of any of these games by now. One query, and none where that is not
    shown yet."""
    held_back = any(results_of(now_of(game)) for game in games if game.ahead is not None)
    return held_back or DealResult.objects.filter(game__in=games).exists()


def _read(ahead: Any) -> Ahead:
    """Of a row that the ORM has read, or of one that was asked for by hand: then it is text."""
    return msgspec.json.decode(ahead, type=Ahead) if isinstance(ahead, str) else msgspec.convert(ahead, Ahead)


def fold_of(game: Game) -> GameSnapshot:
    """The log of the game as far as whoever this object was made for may see it."""
    if game.is_now or not game.delay_minutes:
        return game_state.at(game.pk)
    return shown(game.pk, game.head_seq)


def read_shown(game_id: str) -> GameSnapshot:
    """What of a game is shown to everybody at this moment."""
    seq = Game.objects.values_list("head_seq", flat=True).get(pk=game_id)
    return shown(game_id, seq)


def shown(game_id: str, seq: int) -> GameSnapshot:
    """The game up to `seq`, read on from what this process has shown before where that lies on its chain."""
    with _lock:
        fold = _kept.get(game_id)
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
    with _lock:
        _kept[game_id] = made
        _kept.move_to_end(game_id)
        while len(_kept) > CAPACITY:
            _kept.popitem(last=False)
    return made


def forget_all() -> None:
    """Empty the memory of this process."""
    with _lock:
        _kept.clear()
