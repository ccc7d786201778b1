"""Two Schieber, Anna at seat 0 with bots that take their time: `python -m tests.e2e.one_life`."""

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from games.models import Access, Game, User
from games.play import tables
from tests.e2e.seats import PASSWORD, PLAYERS

PACE = 0.3
"""Long enough to see a trick lie, and what a deal counted; there is no pause between deals."""


def main() -> None:
    """One for who likes things to move, one for who does not."""
    anna = User.objects.create_user("anna", password=PASSWORD)

    def table() -> Game:
        bots = dict.fromkeys(range(1, 4), "bot")
        game = tables.create_game(variant="schieber", players=PLAYERS, bots=bots, bot_pace=PACE)
        Access.objects.create(game=game, user=anna, role="seat", seat=0)
        return game

    print(json.dumps({name: table().pk for name in ("moving", "calm")}))


main()
