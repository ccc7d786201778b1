"""In the place of a live tree: `python -m tests.tournaments.notices.at_the_desk STEP`.

Steps of an evening. enter: a championship with four people; draw, open: its round.
"""

import json
import os
import sys
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from games.models import User
from tests.live_tree import ORGANISER
from tournaments.models import Championship
from tournaments.services.championships import championships
from tournaments.services.draw import seating_by_hand
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds


def main() -> None:
    """Do the step, and print its time."""
    fredi, step = User.objects.get(username=ORGANISER[0]), sys.argv[1]
    if step == "enter":
        made = championships.create(actor=fredi, name="Clubabend", slug="clubabend", changes={"rounds": 1})
        people = [entries.NewEntry(name, status="arrived") for name in ("Anna", "Beat", "Chiara", "Dario")]
        entries.add_entries(made, people, actor=fredi)
    else:
        round_ = Championship.objects.get(slug="clubabend").rounds.get()
        if step == "draw":
            seating_by_hand.seat_by_hand(round_, [[1, 2, 3, 4]], actor=fredi)
        else:
            rounds.open_round(round_, actor=fredi)
    print(json.dumps(time.time()))


if __name__ == "__main__":
    main()
