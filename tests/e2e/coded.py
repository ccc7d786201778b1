"""An open round whose tables people play: `python -m tests.e2e.coded` in the place of a live tree.

Fredi directs. Anna plays with her account, the others come by code. An address for phones is set, so that
slips carry a picture; the browsers of a test go to the tree itself.
"""

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from games.ids import new_id
from games.models import User
from tests.live_tree import ORGANISER
from tournaments.models import PhoneAddress
from tournaments.services.championships import championships
from tournaments.services.draw import seating_by_hand
from tournaments.services.entries import entries, seat_codes
from tournaments.services.rounds import rounds

NAMES = ("Anna Ammann", "Beat Bühler", "Chiara Caduff", "Dario Dörig", "Elsbeth Egli", "Fränzi Frei")
MODES = ("dealt", "sheet")


def main() -> None:
    """Create the round; print its game, and the codes of table 1 in the order of the names."""
    fredi = User.objects.get(username=ORGANISER[0])
    anna = User.objects.create_user("anna", password=ORGANISER[1])
    made = championships.create(actor=fredi, name="Clubabend", slug="clubabend", changes={"rounds": 1})
    PhoneAddress.objects.create(
        championship=made, address="http://192.168.1.20:8000", nonce=new_id(), checked_at=None
    )
    people = [entries.NewEntry(name, status="arrived") for name in (*NAMES, "Görgi Gut", "Heidi Huber")]
    entered = entries.add_entries(made, people, actor=fredi)
    entries.link_account(entered[0], anna, actor=fredi)
    round_ = made.rounds.get()
    seating_by_hand.seat_by_hand(round_, [[1, 2, 3, 4], [5, 6, 7, 8]], actor=fredi)
    for table, mode in zip(round_.tables.order_by("number"), MODES, strict=True):
        rounds.set_mode(table, mode, actor=fredi)
    rounds.open_round(round_, actor=fredi)
    slips = {code.seat: code.token for code in seat_codes.issue_codes(round_, actor=fredi) if code.table == 1}
    table = round_.tables.get(number=1)
    # In the order of the people, not of the chairs.
    seats = table.seatings.order_by("entry__number").values_list("seat", flat=True)
    print(json.dumps({"codes": [slips[seat] for seat in seats], "game": table.game_id}))


if __name__ == "__main__":
    main()
