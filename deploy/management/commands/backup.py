"""`python3 manage.py backup FILE`: back up the database to one file, also while tables play."""

import argparse
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.db import connection

from deploy import backups


class Command(BaseCommand):
    help = "Copy the whole database into a new file, during operation. The file contains no keys."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **_: Any) -> None:
        try:
            size = backups.save(connection, file)
        except backups.BackupError as error:
            raise CommandError(f"{error} ({error.code})") from None
        self.stdout.write(f"{file}: {size} bytes; `manage.py restore {file}` fills an empty database from it")
        needed = ", ".join(sorted(backups.key_ids_in(file)))
        if needed:
            self.stdout.write(f"hands and seeds in it need the data key {needed}: keep that elsewhere")
