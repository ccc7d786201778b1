"""Two evenings of which each deal is handed in: `python -m tests.e2e.by_deals` in the place of a live tree.

Fredi directs both: two tables of Differenzler, two of Coiffeur. Prints the games by the name of the evening.
"""

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from games.models import User  # noqa: E402 - Django is set up from here on
from tests.live_tree import ORGANISER  # noqa: E402 - likewise
from tournaments.services import championships, rounds  # noqa: E402 - likewise
from tournaments.services.desk import entries  # noqa: E402 - likewise
from tournaments.services.draw import drawing  # noqa: E402 - likewise

NAMES = ("Anna Ammann", "Beat Bühler", "Chiara Caduff", "Dario Dörig", "Elsbeth Egli", "Fränzi Frei")


def main() -> None:
    """Make them with round 1 open."""
    fredi = User.objects.get(username=ORGANISER[0])
    games = {}
    for preset in ("differenzler", "coiffeur"):
        made = championships.create(
            actor=fredi, name=preset.capitalize(), slug=preset, preset=preset, changes={"rounds": 1}
        )
        people = [entries.NewEntry(name, status="arrived") for name in (*NAMES, "Görgi Gut", "Heidi Huber")]
        entries.add_all(made, people, actor=fredi)
        round_ = made.rounds.get()
        drawing.seat_by_hand(round_, [[1, 2, 3, 4], [5, 6, 7, 8]], actor=fredi)
        for table in round_.tables.order_by("number"):
            rounds.set_mode(table, "sheet", actor=fredi)
        rounds.open_(round_, actor=fredi)
        games[preset] = [str(table.game_id) for table in round_.tables.order_by("number")]
    print(json.dumps(games))


if __name__ == "__main__":
    main()
