"""manage.py forget-second-factor NAME: let a person sign in with the password alone after losing phone and
codes.
"""

from argparse import ArgumentParser
from typing import Any

import structlog
from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand, CommandError

from games.models import User
from tournaments.accounts import signed_in


class Command(BaseCommand):
    help = "Delete the app, the passkeys and the recovery codes of an account, and end its sessions."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the account")

    def handle(self, *, name: str, **_: Any) -> None:
        user = User.objects.filter(username=name, is_active=True).first()
        if user is None:
            raise CommandError(f"there is no account {name}")
        deleted, _rows = Authenticator.objects.filter(user=user).delete()
        signed_in.end_sessions(user)
        structlog.get_logger(__name__).warning("second_factor_forgotten", user=user.pk)
        self.stdout.write(f"{name} signs in with the password alone" if deleted else f"{name} has none")
