"""Run at a node, as a process of its own: a small championship, and another step of it, each sealed there.

python -m tests.faults.hall found SLUG    found, draw, open and seal it; print cookie and photo as JSON
python -m tests.faults.hall close SLUG    close its first round and seal it
"""

import hashlib
import json
import os
import sys
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from django.conf import settings
from django.test import Client

from games.models import User
from tournaments.models import Championship
from tournaments.pictures import Picture
from tournaments.services import championship_seals
from tournaments.services.championships import championships
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, importing
from tournaments.services.rounds import rounds
from tournaments.services.scores import photos

NAMES = "name\n" + "".join(f"Person{number} Halle{number}\n" for number in range(8))


def found(slug: str) -> dict[str, Any]:
    director = User.objects.create(username="fredi", is_superuser=True)
    made = championships.create(actor=director, name="Halle", slug=slug)
    for entry in importing.import_entries(made, NAMES.encode(), actor=director):
        entries.arrive(entry, actor=director)
    round_ = made.rounds.order_by("number")[0]
    drawing.draw_round(round_, actor=director)
    table = round_.tables.earliest("number")
    rounds.set_mode(table, "sheet", actor=director)
    rounds.open_round(round_, actor=director)
    table.refresh_from_db()
    picture = Picture(b"a picture", 1, 1, hashlib.sha256(b"a picture").hexdigest())
    photos.store_photo(table, picture, by_ref="server")
    championship_seals.seal_championship(made)
    client = Client()
    client.force_login(director)
    name = settings.SESSION_COOKIE_NAME
    return {
        "cookie": [name, client.cookies[name].value],
        "photo": f"/g/{table.game_id}/photos/{picture.digest}/",
    }


def close(slug: str) -> dict[str, Any]:
    made = Championship.objects.get(slug=slug)
    rounds.close_round(
        made.rounds.order_by("number")[0],
        actor=User.objects.get(username="fredi"),
        force=True,
        reason="bench",
    )
    championship_seals.seal_championship(made)
    return {}


if __name__ == "__main__":
    asked, slug = sys.argv[1:]
    print(json.dumps({"found": found, "close": close}[asked](slug)))
