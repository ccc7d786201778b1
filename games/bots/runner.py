"""Bots at stored games: `think` plays for a seat whose `bot` is BOT, when the deadline of its turn is due
(games.timers.turn_deadlines, after the delay of games.timers.bot_pace).

The bot's command goes through `games.play.submit` like any other, as the seat's player, with a command_id
made from the turn. A second run of the same turn is therefore idempotent.
"""

from collections.abc import Sequence
from typing import Final

from django.conf import settings

from engine import Command, Event, replay
from games.bots import strategies
from games.bots.quick_decisions import choose
from games.bots.rollout_decisions import think

BOT: Final = "puur"
"""The name of the bot `think` in `Seat.bot`."""


def strategy(view: Sequence[Event], seat: int, chance: bytes) -> Command:
    """Return the command of `think` for a view given as events. If settings.BOTS_THINK is off, it is the
    command of `choose`, which takes less time.
    """
    return (think if settings.BOTS_THINK else choose)(replay(view), seat, chance)


def register() -> None:
    """Register the strategy. Called once, when the app is ready."""
    strategies.register(BOT, strategy)
