"""manage.py verify-deals [--championship SLUG]: recompute all deals and draws of revealed rounds.

Exit 1: something does not follow from the seed.
"""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import store
from tournaments.models import Championship
from tournaments.services.draw import seed_audit


class Command(BaseCommand):
    help = "Deal every deck of revealed rounds again from the seed; draw forehand and seats again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--championship",
            metavar="SLUG",
            default="",
            help="only this championship; default: all, and single games",
        )

    def handle(self, *, championship: str, **_: Any) -> None:
        found = Championship.objects.filter(slug=championship).first()
        if championship and found is None:
            raise CommandError(f"there is no championship {championship}")
        made = [self._remake(stream) for stream in seed_audit.revealed_rounds(found)]
        deals, forehands, draws, wrong = (
            (sum(column) for column in zip(*made, strict=True)) if made else [0] * 4
        )
        self.stdout.write(
            f"{len(made)} rounds are revealed: {deals} deals, {forehands} draws of forehand, "
            f"{draws} draws of seats made again, {wrong} differences"
        )
        if wrong:
            sys.exit(1)

    def _remake(self, stream: str) -> tuple[int, int, int, int]:
        try:
            dealt = seed_audit.remake_round(stream)
        except store.AlteredLog as corrupt:
            self.stdout.write(f"round {stream}: {corrupt.detail}")
            return 0, 0, 0, 1
        for difference in dealt.differences:
            self.stdout.write(f"round {stream}: {difference}")
        return dealt.deals, dealt.forehands, dealt.draws, len(dealt.differences)
