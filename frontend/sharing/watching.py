"""A table for whoever knows its address alone: what its script gets to follow it. No session, no seat, no
token for forms: its socket and all it asks for are answered as to a stranger, whoever is signed in.
"""

from typing import Any

from engine import Observer
from frontend.cards import sprites
from frontend.presenters.names import seat_names
from frontend.presenters.table_page import API
from frontend.presenters.table_rules import rules_of
from frontend.sharing.strangers import NOBODY
from games.models import Game
from games.rights import access

OVER = (Game.Status.ENDED, Game.Status.CLOSED)


def socket_of(game: Game) -> str:
    """The address at which nobody is asked who he is."""
    return f"/ws/strangers/games/{game.pk}/"


def data_for_strangers(game: Game, **extra: Any) -> dict[str, Any]:
    """As `TablePage.context` gives it."""
    address = f"{API}/{game.pk}"
    observer: Observer = access.observer_for(game, NOBODY)
    return {
        "game": game.pk,
        "names": seat_names(game),
        "seat": None,
        "socket": socket_of(game),
        "commands": "",
        "events": f"{address}/events/",
        "replay": f"{address}/replay/",
        "sheet": "",
        "evidence": "",
        "csrf": "",
        "stranger": True,
        "sprites": sprites(),
        "rules": rules_of(game),
        "extra": {
            "open_hands": observer.sees_deal(game.deal),
            "over": game.status in OVER,
            **extra,
        },
    }
