"""What a turn calls for: the server's deal, a bot's move, a player's clock. Armed as deadlines after each
command.

Their guard is `Game.turn_seq`, the seq that began the turn: rulings in between do not move the clock.
"""

from datetime import datetime, timedelta

from engine import Event, State, Turn, to_act
from games import deadlines
from games.bots import pace
from games.models import Game, Seat

DEAL, BOT, CLOCK = "deal", "bot", "clock"
BESIDE_THE_TURN = frozenset({"ruling_made", "deal_annulled", "suit_barred", "out_claimed"})


def server_deals(game: Game, state: State) -> bool:
    """Whether the next thing is a deal, and the server's to make."""
    turn = to_act(state)
    return game.mode == Game.Mode.DEALT and turn is not None and turn.commands == ("deal",)


def begins_turn(before: Turn | None, after: Turn | None, events: list[Event]) -> bool:
    """Whether these events began a turn; a referee's word beside it does not."""
    return before != after or not all(str(event.__struct_config__.tag) in BESIDE_THE_TURN for event in events)


def arm(game: Game, state: State, now: datetime) -> None:
    """Set the deadline of the turn, if it has one; rows of earlier turns find their guard gone."""
    turn = to_act(state)
    if turn is None or game.mode != Game.Mode.DEALT:
        return
    if turn.seat is None:
        if turn.commands == ("deal",) and game.deal_pause > 0:
            _arm(DEAL, game, now, game.deal_pause)
        return
    seat = Seat.objects.filter(game=game, number=turn.seat).first()
    if seat is not None and seat.bot:
        _arm(BOT, game, now, pace.seconds(state, seat.bot_pace))
    elif game.turn_seconds is not None:
        _arm(CLOCK, game, now, game.turn_seconds)


def _arm(kind: str, game: Game, now: datetime, seconds: float) -> None:
    deadlines.arm(kind, game.id, now + timedelta(seconds=seconds), guard_seq=game.turn_seq)
