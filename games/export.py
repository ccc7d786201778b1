"""A game as a file: one event a line, the form that `python -m engine` reads and audits."""

from collections.abc import Iterator

from engine import Observer, encode, view_for
from games import fold, rounds
from games.models import Game

OVER = frozenset({Game.Status.ENDED, Game.Status.CLOSED})


def lines(game: Game, observer: Observer) -> Iterator[bytes]:
    """The events, a line each with its line end; complete where `is_open`, else as the observer may see
    them.
    """
    eyes = Observer.referee() if is_open(game, observer) else observer
    for event in view_for(fold.at(game.id).events, eyes):
        yield encode(event) + b"\n"


def is_open(game: Game, observer: Observer) -> bool:
    """Whether nothing of the game is hidden from this observer any more.

    A game the server dealt is open to everybody once the seed of its round is: from then on anybody can
    deal every hand of it again, and all tables that played the same cards are done.
    """
    if observer.role == "referee":
        return True
    if game.status not in OVER:
        return False
    return game.mode != Game.Mode.DEALT or rounds.is_revealed(game.round_stream_id)
