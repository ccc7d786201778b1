"""Run in the place of a live tree, as a process of its own: gives every entry of a championship an account.

python -m tests.e2e.accounts SLUG    JSON: entry number → user name; the password is that of the organiser
"""

import json
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from django.contrib.auth.hashers import make_password  # noqa: E402 - after the applications are loaded

from games.models import User  # noqa: E402
from tests.live_tree import ORGANISER  # noqa: E402
from tournaments.models import Championship  # noqa: E402
from tournaments.services import entries  # noqa: E402


def link_all(slug: str) -> dict[int, str]:
    """The accounts of a championship's entries, as the desk links them."""
    championship = Championship.objects.get(slug=slug)
    password = make_password(ORGANISER[1])
    names = {}
    for entry in championship.entries.order_by("number"):
        user = User.objects.create(username=f"player-{entry.number}", password=password)
        entries.link(entry, user, actor=championship.owner)
        names[entry.number] = user.username
    return names


if __name__ == "__main__":
    print(json.dumps(link_all(sys.argv[1])))
