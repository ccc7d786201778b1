"""manage.py audit [GAME …]: check games where they are stored; without a name, all of them.

Exit 1: something is wrong; 3: games were played under other rules, and nothing else is the matter.
"""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import store
from games.audit import audit
from games.models import Game


class Command(BaseCommand):
    help = "Check the chain, the rules and the cards of stored games; without arguments of all games."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("games", nargs="*", metavar="GAME")

    def handle(self, *args: Any, **options: Any) -> None:
        names: list[str] = options["games"]
        games = Game.objects.filter(pk__in=names) if names else Game.objects.all()
        unknown = set(names) - {game.pk for game in games}
        if unknown:
            raise CommandError(f"there is no game {', '.join(sorted(unknown))}")
        results = [self._report(game) for game in games.order_by("created_at", "pk")]
        self.stdout.write(
            f"{len(results)} games, {results.count(1)} wrong, {results.count(3)} under other rules"
        )
        if any(results):
            sys.exit(1 if 1 in results else 3)

    def _report(self, game: Game) -> int:
        try:
            report = audit(game)
        except store.CorruptLog as corrupt:
            self.stdout.write(f"{game.pk}: {corrupt.detail}")
            return 1
        for line in report.differences:
            self.stdout.write(f"{game.pk}: {line}")
        for deal in report.wrong_deals:
            self.stdout.write(f"{game.pk}: the hands of deal {deal} do not follow from the round's seed")
        if report.clean:
            return 0
        return 3 if report.other_rules and not report.wrong_deals else 1
