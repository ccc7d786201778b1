"""manage.py new-seeds SLUG: reveal the seeds of rounds that are not open yet, and commit to new ones."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from games.randomness import round_seed
from tournaments.models import Championship, Round
from tournaments.services import locks


class Command(BaseCommand):
    help = (
        "Reveal the seeds of all planned or drawn rounds, and commit to new ones. Use it if somebody may "
        "know the seeds: after a backup has leaked, or an older backup was restored."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")

    def handle(self, *, slug: str, **_: Any) -> None:
        championship = Championship.objects.filter(slug=slug).first()
        if championship is None:
            raise CommandError(f"there is no championship {slug}")
        for round_ in championship.rounds.exclude(status=Round.Status.CLOSED).order_by("number"):
            with transaction.atomic():
                if locks.lock_round(round_.pk).status == Round.Status.OPEN:
                    self.stdout.write(
                        f"round {round_.number} is open: its tables play on with their seed. "
                        "Where somebody may know it, undo the draw and say this again"
                    )
                    continue
                round_seed.reveal_seed(round_.stream_id)
                round_seed.renew_seed(round_.stream_id)
            self.stdout.write(f"round {round_.number} has committed to a new seed")
