"""manage.py let-found NAME [--no]: allow an account to start championships."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.models import User


class Command(BaseCommand):
    help = "Allow an account to start championships, or revoke this."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the account")
        parser.add_argument(
            "--no", action="store_true", help="revoke it; the account keeps its championships"
        )

    def handle(self, *, name: str, no: bool, **_: Any) -> None:
        if not User.objects.filter(username=name, is_active=True).update(may_found=not no):
            raise CommandError(f"there is no account {name}")
        self.stdout.write(f"{name} may {'no longer ' if no else ''}start championships")
