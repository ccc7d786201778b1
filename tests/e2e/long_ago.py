"""Set the last activity of all tables hours back: `python -m tests.e2e.long_ago` in the place of a tree."""

import os
from datetime import timedelta

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from django.db.models import F

from games.models import Game

if __name__ == "__main__":
    print(Game.objects.update(last_event_at=F("last_event_at") - timedelta(minutes=150)))
