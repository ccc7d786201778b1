"""Advice of a bot for people who learn a game at a practice table against bots."""

import hashlib
from typing import NamedTuple

from engine import Event, Observer, decide, redact_events, replay, to_act
from games import game_state
from games.bots import strategies
from games.bots.runner import BOT
from games.bots.tip_reasons import Reason, find_reason
from games.models import Game


class Advice(NamedTuple):
    """The first event of the bot's command, and the reason for the command, None if there is no clear
    reason.
    """

    event: Event
    reason: Reason | None


def advise(game: Game, seat: int) -> Advice | None:
    """Return the advice of a bot with this seat's view; None if it is not the seat's turn. Nothing is stored,
    and the same turn always gets the same advice.
    """
    now = game_state.load_snapshot(game.id)
    turn = to_act(now.table)
    if turn is None or turn.seat != seat:
        return None
    chance = hashlib.sha256(f"{game.id}:{seat}:{now.head.seq}:advice".encode()).digest()
    eyes = Observer.seat(seat)
    view = tuple(redact_events(now.events, eyes))
    command = strategies.named(BOT)(view, seat, chance)
    caused = decide(now.table, command)
    [shown] = list(redact_events((*now.events, caused[0]), eyes))[len(now.events) :]
    return Advice(shown, find_reason(replay(view), seat, command))
