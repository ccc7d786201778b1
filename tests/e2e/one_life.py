"""Two Schieber, Anna at seat 0 with slow bots: `python -m tests.e2e.one_life`."""

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from games.models import Access, Game, User
from games.play import game_creation
from tests.e2e.seats import PASSWORD, PLAYERS

PACE = 0.3
"""Long enough to see a complete trick, and the score of a deal; there is no pause between deals."""


def main() -> None:
    """One account with animations, one with reduced motion."""
    anna = User.objects.create_user("anna", password=PASSWORD)

    def table() -> Game:
        bots = dict.fromkeys(range(1, 4), "bot")
        game = game_creation.create_game(variant="schieber", players=PLAYERS, bots=bots, bot_pace=PACE)
        Access.objects.create(game=game, user=anna, role="seat", seat=0)
        return game

    print(json.dumps({name: table().pk for name in ("moving", "calm")}))


main()
