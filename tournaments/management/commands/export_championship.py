"""manage.py export-championship SLUG FILE [--backup]: export a championship to one file."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from tournaments.archive import BACKUP, PUBLIC, export_championship
from tournaments.models import Championship

IN_THE_CLEAR: Final = (
    "It holds in the clear what the database keeps closed: all hands and predictions, the seeds from which "
    "coming decks follow, and all names. A person who reads it knows the cards. If others got it: new-seeds."
)


class Command(BaseCommand):
    help = "Write the public data of a championship into a file; with --backup all its data."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the last part of the championship's address")
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--backup", action="store_true", help="include secret hands and seeds, and all names"
        )

    def handle(self, *, slug: str, file: Path, backup: bool, **_: Any) -> None:
        championship = Championship.objects.filter(slug=slug).first()
        if championship is None:
            raise CommandError(f"there is no championship {slug}")
        try:
            # A backup contains secrets, so it is readable by its owner only from the first byte on.
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if backup else 0o644)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from None
        with os.fdopen(descriptor, "wb") as out:
            manifest = export_championship(championship, out, level=BACKUP if backup else PUBLIC)
        streams = sum(name.startswith("streams/") for name in manifest.files)
        self.stdout.write(f"{file}: {streams} streams, {file.stat().st_size} bytes, {manifest.level}")
        if backup:
            self.stderr.write(IN_THE_CLEAR)
