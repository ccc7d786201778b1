"""manage.py import-championship FILE --owner NAME: put a backup of a championship into this platform."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import sealing
from games.models import User
from tournaments.archive import ArchiveError, import_championship


class Command(BaseCommand):
    help = "Put an exported championship (a backup) into this platform: all of it, checked, or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--owner", required=True, help="the account that will direct it")
        parser.add_argument("--slug", default="", help="another address, where its own is taken")
        parser.add_argument("--key", default="", help="the public key that must have signed the file, in hex")

    def handle(self, *, file: Path, owner: str, slug: str, key: str, **_: Any) -> None:
        director = User.objects.filter(username=owner).first()
        if director is None:
            raise CommandError(f"there is no account {owner}")
        try:
            with file.open("rb") as opened:
                made = import_championship(opened, owner=director, slug=slug, key=key.lower())
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from None
        except ArchiveError as error:
            raise CommandError(f"{error.code}: {error}") from None
        self.stdout.write(f"/c/{made.slug}/: {made.name}")
        last = sealing.latest(made.stream_id)
        if last is not None:
            self.stdout.write(f"checkpoint {last.says.number}: {' '.join(sealing.in_words(last.hash))}")
