"""Go on with the open tables of an older database, each to its end, and look at the pages of its rounds."""

import os
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

import django

django.setup()

from django.test import Client
from django.urls import reverse

from engine import list_offers, to_act
from games import game_state
from games.models import Game, User
from games.play.submit import submit
from tournaments.models import Round
from tournaments.services.rounds import rounds


def main() -> None:
    chance = random.Random(7)
    running = list(Game.objects.filter(status=Game.Status.RUNNING))
    for game in running:
        players = list(game.seats.order_by("number").values_list("player_ref", flat=True))
        while (turn := to_act((now := game_state.load_snapshot(game.pk)).state)) is not None:
            command = chance.choice(list_offers(now.state))
            submit(game.pk, command, actor=players[turn.seat or 0], command_id=f"on{now.head.seq}")
    fredi = User.objects.get(username="fredi")
    client = Client(headers={"host": "localhost"})
    client.force_login(fredi)
    answers = set()
    for round_ in Round.objects.exclude(status=Round.Status.PLANNED).select_related("championship"):
        if round_.status == Round.Status.OPEN:
            rounds.close_round(round_, actor=fredi)
        where = {"slug": round_.championship.slug, "number": round_.number}
        for page in ("round", "round_fairness"):
            answers.add(client.get(reverse(page, kwargs=where)).status_code)
    print(f"{len(running)} tables went on, pages answer {sorted(answers)}")


main()
