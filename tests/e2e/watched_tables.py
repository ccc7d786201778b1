"""Tables of tonight in the demo, by what they are played with: `python -m tests.e2e.watched_tables`."""

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from tournaments.models import Table  # noqa: E402 - models can be imported only from here on

if __name__ == "__main__":
    tonight = Table.objects.filter(round__championship__slug="herbstcup", game__status="running")
    found = tonight.order_by("-number").values_list("game__mode", "game")
    print(json.dumps(dict(found)))
