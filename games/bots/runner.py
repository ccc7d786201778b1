"""Bots at stored games: `think` plays for a seat whose `bot` is BOT, woken by its deadline
(games.timers.turn_deadlines).

Its command goes through `games.play.submit` like any other, as the seat's player, with a command_id made from
the turn. A second run of the same turn is therefore idempotent.
"""

from collections.abc import Sequence
from typing import Final

from django.conf import settings

from engine import Command, Event, replay
from games.bots import strategies
from games.bots.quick_decisions import choose
from games.bots.rollout_decisions import think

BOT: Final = "puur"
"""The name of this bot in `Seat.bot`."""


def strategy(view: Sequence[Event], seat: int, chance: bytes) -> Command:
    """Return the strategy of `think` for a view given as events; `choose` if bots have to be cheap."""
    return (think if settings.BOTS_THINK else choose)(replay(view), seat, chance)


def register() -> None:
    """Register the strategy. Called once, when the app is ready."""
    strategies.register(BOT, strategy)
