"""Addresses of all pages of tonight's demo championship: `python -m tests.e2e.addresses`."""

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from tests.frontend.pages import addresses, parts_of
from tournaments.models import Table

if __name__ == "__main__":
    tonight = Table.objects.filter(round__championship__slug="herbstcup", game__isnull=False)
    print(json.dumps(addresses(parts_of(tonight.order_by("round__number", "number")[0]))))
