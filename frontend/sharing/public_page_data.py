"""The data of a table page for its script, without session, seat and form token.

Requests and the socket of this page are answered as those of an anonymous visitor, even if the browser is
signed in.
"""

from typing import Any

from engine import Observer
from frontend.card_names import sprites
from frontend.presenters.names.seat_names import seat_names
from frontend.presenters.tables.table_page import API
from frontend.presenters.tables.table_rules import load_table_rules
from frontend.sharing.strangers import NOBODY
from games.models import Game
from games.rights import observers


def public_socket_path(game: Game) -> str:
    """Return the path of the socket that treats its client as anonymous."""
    return f"/ws/strangers/games/{game.pk}/"


def public_page_data(game: Game, **extra: Any) -> dict[str, Any]:
    """Return data with the keys of `page_data` in `TablePage.context` except `worth`, plus `stranger`."""
    address = f"{API}/{game.pk}"
    observer: Observer = observers.find_observer(game, NOBODY)
    return {
        "game": game.pk,
        "names": seat_names(game),
        "seat": None,
        "socket": public_socket_path(game),
        "commands": "",
        "events": f"{address}/events/",
        "replay": f"{address}/replay/",
        "sheet": "",
        "evidence": "",
        "csrf": "",
        "stranger": True,
        "sprites": sprites(),
        "rules": load_table_rules(game),
        "extra": {
            "open_hands": observer.sees_deal(game.deal),
            "over": game.status in Game.OVER,
            **extra,
        },
    }
