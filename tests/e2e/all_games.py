"""Create tables of every game, Anna at seat 0 or scorer, bots elsewhere: `python -m tests.e2e.all_games` in a
live tree.
"""

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from engine import VARIANTS
from games.models import Access, Game, User
from games.play import game_creation

PASSWORD = "Ein-Trumpf-im-Aermel-7"


def with_anna(game: Game, role: str = "seat") -> str:
    """Give Anna, who can sign in, a role at the game; return its id."""
    anna = User.objects.filter(username="anna").first() or User.objects.create_user("anna", password=PASSWORD)
    Access.objects.create(game=game, user=anna, role=role, seat=0 if role == "seat" else None)
    return str(game.pk)


def main() -> None:
    """Create two dealt tables and a sheet of each game, with the fewest seats, and two transcripts."""
    ids = {}
    for key, variant in VARIANTS.items():
        seats = min(variant.seats)
        players = [letter * 32 for letter in "abcd"[:seats]]
        bots = dict.fromkeys(range(1, seats), "bot")
        for name in (key, f"{key} again"):
            dealt = game_creation.create_game(variant=key, players=players, bots=bots, bot_pace=0.05)
            ids[name] = with_anna(dealt)
        ids[f"{key} sheet"] = with_anna(
            game_creation.create_game(variant=key, players=players, mode="sheet"), "scorer"
        )
    written = game_creation.create_game(variant="la-pomme", players=["a" * 32, "b" * 32], mode="transcribed")
    ids["written"] = with_anna(written, "scorer")
    disputed = game_creation.create_game(
        variant="schieber", players=[letter * 32 for letter in "abcd"], mode="transcribed"
    )
    ids["disputed"] = with_anna(disputed, "scorer")
    print(json.dumps(ids))


main()
