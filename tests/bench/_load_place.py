"""Run at the loaded place, as a process of its own: opens tables, lets phones in, reads the log.

python -m tests.bench._load_place tables N [SECONDS]  N dealt tables, with the cookie of each seat: JSON
python -m tests.bench._load_place lateness GAME…      lateness of each clock of these tables, seconds
python -m tests.bench._load_place end GAME…           stop their clocks
"""

import itertools
import json
import os
import secrets
import sys
from datetime import datetime
from importlib import import_module
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from django.conf import settings
from django.db import transaction

from games import store
from games.models import Deadline, Game
from games.play.game_creation import create_game
from games.rights import tokens
from tests.games.cast import table_code

DEALS = 1000
"""Deals of a game: more than the bench plays."""


def tables(count: int, seconds: int | None = None) -> list[dict[str, Any]]:
    """Dealt tables of four people who have scanned their codes; `seconds`: the clock of each turn."""
    found = []
    for number in range(count):
        with transaction.atomic():
            game = create_game(
                variant="schieber",
                preset="championship",
                options={"deals": DEALS, "target": None},
                players=[secrets.token_hex(16) for _ in range(4)],
                number=number + 1,
                turn_seconds=seconds,
            )
            found.append({"game": game.id, "seats": [phone(game, seat) for seat in range(4)]})
    return found


def phone(game: Game, seat: int) -> str:
    """The cookie of a phone that has scanned the code of this seat."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session.create()
    tokens.redeem(table_code(game, "seat", seat), session)
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def lateness(games: list[str]) -> list[float]:
    """Seconds between two cards of an unattended table, less the clock: its lateness."""
    late = []
    for game in Game.objects.filter(pk__in=games):
        stored = store.read(game.id, since=-1, parts=False)
        rung = [datetime.fromisoformat(event.recorded_at) for event in stored if event.actor == "clock"]
        each = float(game.turn_seconds or 0)
        late += [
            (after - before).total_seconds() - each
            for before, after in itertools.pairwise(rung)
            if after != before
        ]
    return late


def end(games: list[str]) -> None:
    """Stop all clocks."""
    Game.objects.filter(pk__in=games).update(turn_seconds=None)
    Deadline.objects.filter(stream_id__in=games).delete()


if __name__ == "__main__":
    asked, *rest = sys.argv[1:]
    if asked == "tables":
        print(json.dumps(tables(*map(int, rest))))
    else:
        print(json.dumps({"lateness": lateness, "end": end}[asked](rest)))
