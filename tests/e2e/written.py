"""A table of each game, to be transcribed by Anna: `python -m tests.e2e.written` in a live tree."""

import json
import os

import django

from engine import advance
from engine.cards import DECK
from engine.commands import Command, Deal, Play

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from games import game_state
from games.models import Access, Game, User
from games.play import game_creation
from tests.e2e.deals import TABLES
from tests.e2e.forward import forward

PASSWORD = "Ein-Trumpf-im-Aermel-7"


def begun() -> list[Command]:
    """A deal without its contract, up to its last trick: seat 0 has the shields, 1 the roses, 2 the bells."""
    suits = [[card for card in DECK if card[0] == suit] for suit in "SHDC"]
    tricks = list(zip(*suits, strict=True))[:-1]
    return [
        Deal(dealer=3),
        *(Play(seat=seat, card=card) for trick in tricks for seat, card in enumerate(trick)),
    ]


def write(game: Game, commands: list[Command]) -> None:
    """Store all of it at once."""
    before = game_state.load_snapshot(game.id)
    state = before.state.copy()
    events = [event for command in commands for event in advance(state, command)]
    forward(game, before, events, "a" * 32)


def main() -> None:
    """Create them and print their ids by name."""
    anna = User.objects.create_user("anna", password=PASSWORD)
    ids = {}
    for name, (variant, seats, options) in TABLES.items():
        players = [letter * 32 for letter in "abcd"[:seats]]
        game = game_creation.create_game(
            variant=variant, players=players, mode="transcribed", options=options
        )
        Access.objects.create(game=game, user=anna, role="scorer")
        if name == "told at the end":
            write(game, begun())
        ids[name] = str(game.pk)
    print(json.dumps(ids))


if __name__ == "__main__":
    main()
