"""Evenings whose sheets the desk types: `python -m tests.e2e.by_deals` in the place of a live tree.

Fredi directs them: two tables each of Differenzler, of Coiffeur and of Bieter with low targets, of which each
deal is handed in, and of a club evening that hands in totals.
Prints the games by the name of the evening.
"""

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from games.models import User
from tests.live_tree import ORGANISER
from tournaments.presets import PRESETS
from tournaments.regulations import encode
from tournaments.services.championships import championships
from tournaments.services.draw import seating_by_hand
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds

NAMES = ("Anna Ammann", "Beat Bühler", "Chiara Caduff", "Dario Dörig", "Elsbeth Egli", "Fränzi Frei")


def main() -> None:
    """Create them with round 1 open."""
    fredi = User.objects.get(username=ORGANISER[0])
    games = {}
    bieter = encode(PRESETS["bieter"])["play"] | {"options": {"minimum_bid": 60, "opponents_target": 100}}
    for preset, changes, seats in (
        ("differenzler", {}, 4),
        ("coiffeur", {}, 4),
        ("bieter", {"play": bieter}, 3),
        (next(iter(PRESETS)), {"hand_in": "totals", "confirmation": "paper"}, 4),
    ):
        made = championships.create(
            actor=fredi,
            name=preset.capitalize(),
            slug=preset,
            preset=preset,
            changes={"rounds": 1, **changes},
        )
        names = (*NAMES, "Görgi Gut", "Heidi Huber")[: 2 * seats]
        people = [entries.NewEntry(name, status="arrived") for name in names]
        entries.add_entries(made, people, actor=fredi)
        round_ = made.rounds.get()
        numbers = list(range(1, 2 * seats + 1))
        seating_by_hand.seat_by_hand(round_, [numbers[:seats], numbers[seats:]], actor=fredi)
        for table in round_.tables.order_by("number"):
            rounds.set_mode(table, "sheet", actor=fredi)
        rounds.open_round(round_, actor=fredi)
        games[preset] = [str(table.game_id) for table in round_.tables.order_by("number")]
    print(json.dumps(games))


if __name__ == "__main__":
    main()
