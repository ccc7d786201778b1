"""Sheets that two phones write, made in the place of a live tree: `python -m tests.e2e.sheets_of_two_phones`.

Anna has seat 0, Beat seat 1, Chiara seat 2 of each table.
"""

import json
import os
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from games.models import Access, Game, User
from games.play import game_creation, submit

PASSWORD = "Ein-Trumpf-im-Aermel-7"
PEOPLE = ("anna", "beat", "chiara")


def send(game: Game, command_id: str, **command: object) -> None:
    """Submit a command of an actor outside the table."""
    submit.submit(game.pk, command, actor="e" * 32, command_id=command_id)


def sheet(variant: str, seats: int = 4, **more: Any) -> Game:
    """A sheet on which each of the three writes for their own seat."""
    game = game_creation.create_game(
        variant=variant, players=[letter * 32 for letter in "abcd"[:seats]], mode="sheet", **more
    )
    for seat, name in enumerate(PEOPLE):
        user = User.objects.filter(username=name).first() or User.objects.create_user(name, password=PASSWORD)
        Access.objects.create(game=game, user=user, role="seat", seat=seat)
    return game


def main() -> None:
    """One table a test, named by its subject."""
    championship: dict[str, Any] = {"variant": "schieber", "preset": "championship"}
    made = {
        name: sheet(**championship)
        for name in ("at_once", "same", "tabs", "offline", "refused", "ruled", "corrected", "lying")
    }
    send(made["ruled"], "written", cmd="enter_result", seat=0, deal=1, card_points=[112, 45])
    send(made["corrected"], "written", cmd="enter_result", seat=0, deal=1, card_points=[71, 86])
    made["bieter"] = sheet("bieter", 3)
    made["auction"] = sheet("bieter", 3)
    print(json.dumps({name: game.pk for name, game in made.items()}))


if __name__ == "__main__":
    main()
