"""The server's next deal of a game, derived from the randomness of its round: the same state always gets the
same deal.
"""

from engine import Command, State, decode_command
from engine.registry import get_rules
from games.models import Game
from games.randomness import dealing
from games.randomness.dealing import ForehandDraw, Source


def first_forehand(state: State, source: Source, number: int) -> ForehandDraw | None:
    """Return the drawing of lots for the first forehand; None if the rules draw no lots. Players keep their
    chairs, because the seats are already published.
    """
    if not get_rules(state).draws_forehand:
        return None
    return dealing.draw_forehand(source, number, state.seats)


def next_deal(game: Game, state: State, source: Source, *, drawn: bool = True) -> Command:
    """Return the command of the server's deal in this state.

    `drawn`: whether lots decide the first forehand, if the rules draw lots. It is False only for games that
    earlier versions dealt without lots.
    """
    number = state.deal + 1
    fields: dict[str, object] = {"cmd": "deal", "deck": dealing.deck(source, game.number, number)}
    if get_rules(state).cuts:
        fields["cut"] = dealing.cut(source, game.number, number)
    if number == 1 and drawn and get_rules(state).draws_forehand:
        fields["dealer"] = dealing.draw_forehand(source, game.number, game.seat_count).dealer
    return decode_command(fields)
