"""Delayed hands: the hands of a deal open to spectators some deals or minutes after the deal ends, and not
before every table with the same cards has played it.
"""

from datetime import datetime, timedelta
from itertools import takewhile
from typing import Final

from django.db.models import QuerySet
from django.utils import timezone

from engine.events import DealAnnulled, DealScored
from games import store
from games.game_state import GameSnapshot
from games.models import Game
from games.projections import delayed_broadcast
from games.randomness import round_seed

ENDS_OF_DEALS: Final = ("deal_scored", "deal_annulled")


def may_hide_hands(game: Game) -> bool:
    """Return whether hands of this game may stay hidden from spectators after their deal."""
    return bool(game.hands_wait_deals or game.hands_wait_minutes) or _tables_with_same_cards(game).exists()


def count_hidden_deals(game: Game) -> int:
    """Return the number of finished deals, counted from the last one, whose hands are still hidden from
    spectators.
    """
    now = delayed_broadcast.load_visible_snapshot(game)
    ends = _deal_end_seqs(now)
    by_deals = 0 if is_game_final(game) else game.hands_wait_deals
    by_minutes = _count_younger(game.pk, ends, timedelta(minutes=game.hands_wait_minutes))
    played = [twin.deal if is_game_final(twin) else twin.deal - 1 for twin in _tables_with_same_cards(game)]
    by_twins = len(ends) - min(played, default=len(ends))
    return max(by_deals, by_minutes, by_twins, 0)


def is_game_final(game: Game) -> bool:
    """Return whether the game has ended, or was broken off and cannot be resumed. It cannot once its seed is
    public: such a seed deals nothing more. One query for a game that was broken off.
    """
    if game.status == Game.Status.CLOSED:
        return round_seed.is_revealed(game.round_stream_id, game.seed_seq)
    return game.status == Game.Status.ENDED


def _tables_with_same_cards(game: Game) -> QuerySet[Game]:
    """Return the other tables that play the same cards."""
    return Game.objects.filter(
        round_stream=game.round_stream_id, number=game.number, mode=Game.Mode.DEALT
    ).exclude(pk=game.pk)


def _deal_end_seqs(now: GameSnapshot) -> list[int]:
    """Return the seq of the event that ended each finished deal, in order."""
    ends: dict[int, int] = {}
    for event in now.events:
        if isinstance(event, DealScored | DealAnnulled):
            ends.setdefault(event.deal, event.seq)
    return list(ends.values())


def _count_younger(game: str, ends: list[int], wait: timedelta) -> int:
    """Count the deals, from the last one, that ended less than `wait` ago. `ends`: the seq of the event that
    ended each deal. One query.
    """
    if not wait:
        return 0
    since = timezone.now() - wait
    stored = {event.seq: event.recorded_at for _, event in store.read_types([game], ENDS_OF_DEALS)}
    younger = takewhile(lambda seq: datetime.fromisoformat(stored[seq]) > since, reversed(ends))
    return sum(1 for _ in younger)
