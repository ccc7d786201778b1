"""Bots at stored games: `think` plays for a seat whose `bot` is BOT, woken by its deadline
(games.timers.turn_deadlines).

Its command goes through `games.play.submit` like any other, as the seat's player, with a command_id made from
the turn. A second run of the same turn is therefore idempotent.
"""

from collections.abc import Sequence
from typing import Final

from django.conf import settings
from django.utils import timezone

from engine import Command, Event, replay
from games.bots import strategies
from games.bots.quick_decisions import choose
from games.bots.rollout_decisions import think
from games.models import Deadline, Game
from games.timers import deadlines, turn_deadlines

BOT: Final = "puur"
"""The name of this bot in `Seat.bot`."""


def strategy(view: Sequence[Event], seat: int, chance: bytes) -> Command:
    """Return the strategy of `think` for a view given as events; `choose` if bots have to be cheap."""
    return (think if settings.BOTS_THINK else choose)(replay(view), seat, chance)


def register() -> None:
    """Register the strategy. Called once, when the app is ready."""
    strategies.register(BOT, strategy)


def play_out(game: Game, moves: int = 100_000) -> int:
    """Run the bots of a game and the server's deals without waiting, until a human is to act or the game is
    over. Returns the number of deadlines run. `game` is read again."""
    for done in range(moves):
        row = Deadline.objects.filter(
            stream_id=game.pk, kind__in=(turn_deadlines.BOT, turn_deadlines.DEAL)
        ).first()
        game.refresh_from_db()
        if row is None or row.guard_seq != game.turn_seq:
            return done
        if not deadlines.run(row.pk, now=max(row.due_at, timezone.now())):
            return done
    return moves
