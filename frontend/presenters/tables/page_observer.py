"""The observer for whom pages are redacted. It sees no hand that the server dealt for a running deal."""

from engine import Observer
from games.models import Game
from games.randomness import round_seed


def restrict_for_page(game: Game, observer: Observer) -> Observer:
    """Return the observer for whom a page is redacted. `observer`: of that person at the table's socket.

    No page shows hands that the server dealt while their deal runs, not even to players and officials, who
    see them over the socket. Hands of finished deals are on pages for the referee and for tier `after_deal`,
    and for everybody once the seed of the round is public.
    """
    if game.mode != Game.Mode.DEALT:
        return observer
    if observer.tier == "after_deal":
        return observer._replace(opened=None)
    if observer.role == "referee" or round_seed.is_revealed(str(game.round_stream_id), game.seed_seq):
        return Observer.spectator("after_deal")
    return Observer.spectator("played")
