"""Which secret parts of a stream are open to everybody by now, nonce and all."""

from engine import Observer
from games import store
from games.chance import round_seed
from games.models import Game, Stream
from games.showing import export


def open_before(stream_id: str, kind: str) -> int:
    """Secret parts of the events before this seq are open, of the others none.

    A game's all, once it is over and its cards are no secret any more; of a round the seeds that have been
    revealed, and not the one it has committed to since.
    """
    if kind == Stream.Kind.ROUND:
        chapters = round_seed.chapters_of(store.read(stream_id, parts=False))
        return max((chapter.revealed.seq for chapter in chapters if chapter.revealed), default=0)
    if kind == Stream.Kind.GAME and export.is_open(Game.objects.get(pk=stream_id), Observer.spectator()):
        return store.head_of(stream_id).seq + 1
    return 0
