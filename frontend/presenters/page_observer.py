"""As whom somebody sees a game in a page, which is not what he sees over the socket of its table."""

from engine import Observer
from games.models import Game
from games.randomness import round_seed


def on_a_page(game: Game, observer: Observer) -> Observer:
    """Hands of a deal that the server dealt and that is still played never stand in a page, not even for the
    referee: the replay shows them over the socket. Those of finished deals he sees here too, and everybody
    once the seed of the round is revealed.
    """
    if game.mode != Game.Mode.DEALT:
        return observer
    if observer.tier == "after_deal":
        return observer._replace(opened=None)
    if observer.role == "referee" or round_seed.is_revealed(str(game.round_stream_id), game.seed_seq):
        return Observer.spectator("after_deal")
    return Observer.spectator("played")
