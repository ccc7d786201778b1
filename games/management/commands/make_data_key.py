"""manage.py make-data-key: create the first key that encrypts secrets in the database, in a file of its
own.
"""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games import encryption


class Command(BaseCommand):
    help = "Make the key that encrypts hands and seeds in the database (PUUR_DATA_KEY) and print its id."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            key = encryption.make_data_key(settings.DATA_KEY)
        except encryption.DataKeyError as error:
            raise CommandError(f"{error.detail} ({error.code})") from None
        self.stdout.write(f"{settings.DATA_KEY}: data key {key}")
        self.stdout.write("keep a copy where the database's backup is not: without it nothing can be read")
