"""manage.py make-push-key: create the platform's key for push services, once, in a file of its own."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tournaments.notices.keys import PushKeyError, make_push_key


class Command(BaseCommand):
    help = "Make the key that signs push messages to phones (PUUR_PUSH_KEY) and print its public key."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            key = make_push_key(settings.PUSH_KEY)
        except PushKeyError as error:
            raise CommandError(f"{error.detail} ({error.code})") from None
        self.stdout.write(f"{settings.PUSH_KEY}: keep a copy where the database's backup is not")
        self.stdout.write(f"public half: {key.public}")
