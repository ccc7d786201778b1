"""Tables of tonight's demo by mode, and one that is `over`: `python -m tests.e2e.watched_tables`."""

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from tournaments.models import Table

if __name__ == "__main__":
    tonight = Table.objects.filter(round__championship__slug="herbstcup").order_by("-number")
    found = dict(tonight.filter(game__status="running").values_list("game__mode", "game"))
    found["over"] = tonight.filter(game__status="ended").values_list("game", flat=True)[0]
    print(json.dumps(found))
