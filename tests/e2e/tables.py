"""Create tables for browser tests in the place of a live tree: `python -m tests.e2e.tables`."""

import json
import os
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from games.models import Access, Game, User
from games.play import game_creation, submit

PASSWORD = "Ein-Trumpf-im-Aermel-7"
PLAYERS = [letter * 32 for letter in "abcd"]
REVOKE = [
    (0, "HJ"),
    (1, "H6"),
    (2, "H9"),
    (3, "HK"),
    (0, "SA"),
    (1, "S6"),
    (2, "C7"),
    (3, "S7"),
    (0, "DA"),
    (1, "D6"),
]


def person(name: str, game: Game, role: str, seat: int | None = None) -> None:
    """Create a user with a role at a game."""
    user = User.objects.filter(username=name).first() or User.objects.create_user(name, password=PASSWORD)
    Access.objects.create(game=game, user=user, role=role, seat=seat)


def send(game: Game, **command: object) -> None:
    """Submit a command as stored in the log."""
    submit.submit(game.pk, command, actor="e" * 32, command_id=f"e{Game.objects.get(pk=game.pk).head_seq}")


def table(mode: str, *, pace: float = 0.1, bots: tuple[int, ...] = (), **more: Any) -> Game:
    """A Schieber by championship rules, with bots at the given seats."""
    return game_creation.create_game(
        variant="schieber",
        preset="championship",
        players=PLAYERS,
        mode=mode,
        bots=dict.fromkeys(bots, "bot"),
        bot_pace=pace,
        **more,
    )


def main() -> None:
    """Anna plays with three bots; four bots play; she writes a sheet, and a transcript with a revoke."""
    played = table("dealt", bots=(1, 2, 3))
    person("anna", played, "seat", 0)
    tapped = table("dealt", bots=(1, 2, 3))
    person("anna", tapped, "seat", 0)
    watched = table("dealt", bots=(0, 1, 2, 3), pace=0.4)
    sheet = table("sheet")
    person("anna", sheet, "scorer")
    noted = table("sheet")
    for deal, points in enumerate((100, 60, 157 - 40), 1):
        send(noted, cmd="enter_result", seat=0, deal=deal, card_points=[points, 157 - points])
    written = table("transcribed")
    person("anna", written, "scorer")
    send(written, cmd="deal", dealer=3)
    send(written, cmd="choose", seat=0, contract="hearts")
    for seat, card in REVOKE:
        send(written, cmd="play", seat=seat, card=card)
    hurried = table("transcribed")
    person("anna", hurried, "scorer")
    send(hurried, cmd="deal", dealer=3)
    send(hurried, cmd="choose", seat=0, contract="hearts")
    ids = {
        "played": played.pk,
        "tapped": tapped.pk,
        "watched": watched.pk,
        "sheet": sheet.pk,
        "noted": noted.pk,
        "written": written.pk,
        "hurried": hurried.pk,
    }
    print(json.dumps(ids))


main()
