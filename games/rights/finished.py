"""When nobody plays on from the hands that lie at a table. Until then a table that was broken off hides what
one that plays hides: it may go on with the same hands.
"""

from games.chance import round_seed
from games.models import Game


def is_over_for_good(game: Game) -> bool:
    """Whether it has ended, or was broken off for good: nothing is dealt from a seed that is public. One
    question where it was broken off."""
    if game.status == Game.Status.CLOSED:
        return round_seed.is_revealed(game.round_stream_id, game.seed_seq)
    return game.status == Game.Status.ENDED
