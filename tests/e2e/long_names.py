"""Give long names to all people of the demo: `python -m tests.e2e.long_names`; prints the addresses of its
pages.
"""

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from games.models import User
from tests.frontend.pages import addresses, parts_of
from tournaments.models import Dispute, Entry, Substitute, Table
from tournaments.names import TwoNames

NAMES = (
    ("Annemarie", "Wüthrich-Brönnimann"),
    ("Hans-Rudolf", "Rüegsegger-Aebischer"),
    ("Maria Magdalena", "Tschümperlin"),
    ("Bartholomäus", "Schwarzenberger"),
    ("Jean-Christophe", "de Montmollin-Jeanneret"),
)


def main() -> None:
    for number, entry in enumerate(Entry.objects.order_by("pk")):
        entry.call(TwoNames(*NAMES[number % len(NAMES)]))
        entry.save()
    User.objects.filter(username="fredi").update(first_name="Maria Magdalena")
    tonight = Table.objects.filter(round__championship__slug="herbstcup", game__isnull=False)
    table = tonight.order_by("round__number", "number")[0]
    ruled = Dispute.objects.create(table=table, text="Farbe nicht angegeben", deal=1)
    Dispute.objects.filter(pk=ruled.pk).update(status=Dispute.Status.RULED, ruling_number=1)
    stands_in = Entry.objects.exclude(seatings__table__round=table.round).order_by("pk").first()
    if stands_in is not None:
        Substitute.objects.create(table=table, seat=0, entry=stands_in, deal=1)
    found = addresses(parts_of(table))
    for game in Table.objects.filter(round=table.round, game__mode="dealt")[:1]:
        found["table_live_dealt"] = f"/g/{game.game_id}/"
    print(json.dumps(found))


if __name__ == "__main__":
    main()
