"""Run at the loaded place: a championship with a hall full of people, step by step.

    python -m tests.bench._load_hall found SLUG ENTRIES    found it, mark all as present, add its first round
    python -m tests.bench._load_hall draw|open|close SLUG  of the first round that is not closed
    python -m tests.bench._load_hall ready SLUG ENTRIES    found, draw and open
    python -m tests.bench._load_hall play SLUG N SECONDS   bots play at N tables, a card in SECONDS

Each command prints the seconds and processor seconds of its step as JSON.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from django.db import transaction
from django.utils import timezone

from games import game_state, store
from games.bots.runner import BOT
from games.models import Game, Seat, User
from games.timers import turn_deadlines
from tournaments.models import Championship, Entry, Round
from tournaments.services.championships import championships
from tournaments.services.draw import drawing
from tournaments.services.entries import importing
from tournaments.services.rounds import rounds

DIRECTOR = "fredi"


def found(slug: str, entries: str) -> None:
    """Found as a desk does: a file of names; all entries have paid and are present."""
    director, _ = User.objects.get_or_create(username=DIRECTOR, is_superuser=True)
    made = championships.create(
        actor=director, name=f"Hall of {entries}", slug=slug, starts_at=timezone.now(), language="de"
    )
    lines = "".join(f"Person{number} Halle{number};Club {number % 40}\n" for number in range(int(entries)))
    importing.import_entries(made, f"name;club\n{lines}".encode(), actor=director)
    everybody = Entry.objects.filter(championship=made)
    everybody.update(paid=True, status=Entry.Status.ARRIVED, arrived_at=timezone.now())


def draw(slug: str) -> None:
    drawing.draw_round(_round(slug), actor=_director())


def open_(slug: str) -> None:
    rounds.open_round(_round(slug), actor=_director())


def close(slug: str) -> None:
    rounds.close_round(_round(slug), actor=_director(), force=True, reason="bench")


def play(slug: str, tables: str, pace: str) -> None:
    """Bots play at this many tables of the open round, one card after the other."""
    there = Game.objects.filter(tournament_table__round=_round(slug)).order_by("number")[: int(tables)]
    for game in there:
        with transaction.atomic():
            store.read_head(game.pk, lock=True)
            Seat.objects.filter(game=game).update(bot=BOT, bot_pace=float(pace))
            turn_deadlines.arm(game, game_state.load_snapshot(game.pk).table, timezone.now())


def _round(slug: str) -> Round:
    there = Championship.objects.get(slug=slug).rounds.exclude(status=Round.Status.CLOSED)
    return there.order_by("number")[0]


def _director() -> User:
    return User.objects.get(username=DIRECTOR)


def ready(slug: str, entries: str) -> None:
    """All steps up to an open round."""
    found(slug, entries)
    draw(slug)
    open_(slug)


STEPS: dict[str, Callable[..., None]] = {
    "found": found,
    "draw": draw,
    "open": open_,
    "close": close,
    "play": play,
    "ready": ready,
}


if __name__ == "__main__":
    asked, *rest = sys.argv[1:]
    begun, before = time.monotonic(), time.process_time()
    STEPS[asked](*rest)
    told: dict[str, Any] = {"seconds": time.monotonic() - begun, "processor": time.process_time() - before}
    print(json.dumps(told))
