"""manage.py make-seal-key: create the key that signs checkpoints, in a file that only its owner may read."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.sealing import SealKeyError, make_seal_key


class Command(BaseCommand):
    help = "Make the Ed25519 key that seals checkpoints (PUUR_SEAL_KEY) and print its public key."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            key = make_seal_key(settings.SEAL_KEY)
        except SealKeyError as error:
            raise CommandError(error.detail) from None
        self.stdout.write(f"{settings.SEAL_KEY}: keep a copy where the database's backup is not")
        self.stdout.write(f"public key {key.public.hex()}")
