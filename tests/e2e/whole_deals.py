"""A table of every game with a person on each seat: `python -m tests.e2e.whole_deals` in a live tree.

As many sit there as the game has room for: Anna, Beat, Chiara and Dario at seats 0 to 3.
"""

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from engine import VARIANTS
from games.models import Access, User
from games.play import game_creation
from tests.e2e.seats import CAST, PASSWORD, PLAYERS


def main() -> None:
    """Create them and print their ids by the key of the game."""
    people = [User.objects.create_user(name, password=PASSWORD) for name in CAST]
    ids = {}
    for key, variant in VARIANTS.items():
        seats = max(variant.seats)
        game = game_creation.create_game(variant=key, players=PLAYERS[:seats])
        for seat in range(seats):
            Access.objects.create(game=game, user=people[seat], role="seat", seat=seat, ref=PLAYERS[seat])
        ids[key] = str(game.pk)
    print(json.dumps(ids))


if __name__ == "__main__":
    main()
