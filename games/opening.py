"""Which secret parts of a stream are open to everybody by now, nonce and all."""

from engine import Observer
from games import export, rounds
from games.models import Game, Stream


def is_open_to_all(stream_id: str, kind: str) -> bool:
    """A game's once it is over and its cards are no secret any more, a round's once its seed is revealed."""
    if kind == Stream.Kind.ROUND:
        return rounds.is_revealed(stream_id)
    if kind == Stream.Kind.GAME:
        return export.is_open(Game.objects.get(pk=stream_id), Observer.spectator())
    return False
