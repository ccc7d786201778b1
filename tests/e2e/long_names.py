"""Long names for all in the demo: `python -m tests.e2e.long_names`; prints the addresses of its pages."""

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from tests.frontend.pages import addresses, parts_of  # noqa: E402 - after django.setup()
from tournaments.models import Entry, Table  # noqa: E402 - models can be imported only from here on
from tournaments.names import TwoNames  # noqa: E402 - after django.setup()

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
    tonight = Table.objects.filter(round__championship__slug="herbstcup", game__isnull=False)
    print(json.dumps(addresses(parts_of(tonight.order_by("round__number", "number")[0]))))


if __name__ == "__main__":
    main()
