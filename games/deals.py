"""The server's next deal of a game, from the chance of its round: the same whenever it is asked for."""

from typing import NamedTuple

from engine import Command, State, decode_command
from engine.registry import prepare
from games import dealing
from games.dealing import ForehandDraw, Source
from games.models import Game


class NextDeal(NamedTuple):
    """The command, and who drew which card for forehand where that was just decided."""

    command: Command
    draw: ForehandDraw | None = None


def next_deal(game: Game, state: State, source: Source) -> NextDeal:
    """What the server deals in this state."""
    number = state.deal + 1
    fields: dict[str, object] = {"cmd": "deal", "deck": dealing.deck(source, game.number, number)}
    prepare(state)
    if state.rules.cuts:
        fields["cut"] = dealing.cut(source, game.number, number)
    draw = None
    if number == 1 and state.rules.lots:
        draw = dealing.draw_forehand(source, game.number, game.seat_count)
        fields["dealer"] = (draw.forehand - 1) % game.seat_count
    return NextDeal(decode_command(fields), draw)
