"""Deadlines of a turn: the server's deal, a bot's move, a player's clock. They are set when a turn begins, by
a statement that is sent together with others.

Their guard is `Game.turn_seq`, the seq of the event after which the turn began. Rulings during the turn do
not move the clock.
"""

from datetime import datetime, timedelta

from engine import Event, Turn, to_act
from engine.rules import GameContext
from games import store
from games.models import Game
from games.store import queries
from games.timers import bot_pace, deadlines

DEAL, BOT, CLOCK = "deal", "bot", "clock"
BESIDE_THE_TURN = frozenset({"ruling_made", "deal_annulled", "suit_barred", "out_claimed"})


def server_deals(game: Game, context: GameContext) -> bool:
    """Return whether the next step is a deal by the server."""
    turn = to_act(context)
    return game.mode == Game.Mode.DEALT and turn is not None and turn.commands == ("deal",)


def begins_turn(before: Turn | None, after: Turn | None, events: list[Event]) -> bool:
    """Return whether a turn began with these events. A referee's ruling between plays does not begin a
    turn.
    """
    return before != after or not all(str(event.__struct_config__.tag) in BESIDE_THE_TURN for event in events)


def arm(
    game: Game, context: GameContext, now: datetime, bot_seats: store.Rows | None = None
) -> list[store.Statement]:
    """Return a list with the statement that sets the deadline of the present turn; empty if it has none.
    Handlers of earlier deadlines notice that their turn is over.

    `bot_seats`: the rows of `queries.select_bot_seats`; None reads them.
    """
    turn = to_act(context)
    if turn is None or game.mode != Game.Mode.DEALT:
        return []
    if turn.seat is None:
        pauses = turn.commands == ("deal",) and game.deal_pause > 0
        return [_arm(DEAL, game, now, game.deal_pause)] if pauses else []
    if bot_seats is None:
        [bot_seats] = store.execute(queries.select_bot_seats(game.id))
    paces: dict[int, float] = dict(bot_seats)
    if turn.seat in paces:
        return [_arm(BOT, game, now, bot_pace.bot_delay(context.state, paces[turn.seat]))]
    if game.turn_seconds is None or game.clock_waits:
        return []
    return [_arm(CLOCK, game, now, game.turn_seconds)]


def _arm(kind: str, game: Game, now: datetime, seconds: float) -> store.Statement:
    return deadlines.arm_statement(kind, game.id, now + timedelta(seconds=seconds), game.turn_seq)
