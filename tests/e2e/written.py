"""A table of each game to be written down by Anna: `python -m tests.e2e.written` in a live tree."""

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from games import tables  # noqa: E402 - models can be imported only from here on
from games.models import Access, User  # noqa: E402 - after django.setup()
from tests.e2e.deals import TABLES  # noqa: E402 - after django.setup()

PASSWORD = "Ein-Trumpf-im-Aermel-7"


def main() -> None:
    """Make them and print their ids by name."""
    anna = User.objects.create_user("anna", password=PASSWORD)
    ids = {}
    for name, (variant, seats, options) in TABLES.items():
        players = [letter * 32 for letter in "abcd"[:seats]]
        game = tables.create_game(variant=variant, players=players, mode="transcribed", options=options)
        Access.objects.create(game=game, user=anna, role="scorer")
        ids[name] = str(game.pk)
    print(json.dumps(ids))


if __name__ == "__main__":
    main()
