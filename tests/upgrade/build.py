"""Makes the small database of an older version that tests/upgrade keeps: run with the code of that version.

    git worktree add --detach OLD COMMIT
    cd OLD && PUUR_VAR=… python manage.py make-data-key  # from 24 November on: kept beside it
    cd OLD && DATABASE_URL=sqlite:////…/old.sqlite3 PUUR_VAR=… DEBUG=1 python …/tests/upgrade/build.py

Three championships (Schieber, La Pomme, Plus-Minus), dealt by the server: round 1 closed and its seed open,
round 2 open with a deal begun; and a game of La Pomme outside any championship, played to its end.
"""

import os
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path.cwd()))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

import django

django.setup()

from django.core.management import call_command
from django.db import connection

from engine import list_offers, to_act
from games import game_state, ids
from games.models import Game, Stream, User
from games.play.game_creation import create_game
from games.play.submit import submit
from tournaments.models import Round
from tournaments.services import championship_seals
from tournaments.services.championships import championships
from tournaments.services.draw import drawing
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds

GAMES = {"schieber": ("santiago", 4), "la-pomme": ("la_pomme", 2), "plus-minus": ("plus_minus", 4)}
CHANCE = random.Random(5)


def play(game: Game, commands: int = 100_000) -> None:
    """At random, so many commands of players or to the end."""
    players = list(game.seats.order_by("number").values_list("player_ref", flat=True))
    for _ in range(commands):
        now = game_state.load_snapshot(game.pk)
        turn = to_act(now.state)
        if turn is None:
            return
        command = CHANCE.choice(list_offers(now.state))
        submit(game.pk, command, actor=players[turn.seat or 0], command_id=f"m{now.head.seq}")


def open_round(round_: Round, actor: User) -> list[Game]:
    drawing.draw_round(round_, actor=actor)
    for table in round_.tables.all():
        rounds.set_mode(table, "dealt", actor=actor)
    rounds.open_round(round_, actor=actor)
    return list(Game.objects.filter(round_stream=round_.stream_id))


def main() -> None:
    call_command("migrate", verbosity=0)
    call_command("make_seal_key")
    fredi = User.objects.create_user("fredi")
    names = ["Anna", "Beat", "Chiara", "Dario"]
    for variant, (preset, seats) in GAMES.items():
        changes = {"deals": 1} if variant == "schieber" else None
        made = championships.create(actor=fredi, name=preset, preset=preset, changes=changes)
        entries.add_entries(made, [entries.NewEntry(name) for name in names[:seats]], actor=fredi)
        for entry in made.entries.all():
            entries.arrive(entry, actor=fredi)
        first, second = made.rounds.order_by("number")[:2]
        for game in open_round(first, fredi):
            play(game)
        rounds.close_round(first, actor=fredi)
        for game in open_round(second, fredi):
            play(game, 9)
        championship_seals.seal_if_possible(made)
    play(create_game(variant="la-pomme", players=[ids.new_id(), ids.new_id()]))
    print({stream.kind: stream.head_seq for stream in Stream.objects.all()}, Game.objects.count())
    connection.cursor().execute("VACUUM")


main()
