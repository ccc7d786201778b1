"""manage.py erase-person WHO --yes: erase a person's data; every replay stays the same."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments import personal_data
from tournaments.errors import TournamentError


class Command(BaseCommand):
    help = "Erase the name and personal data of a person. Entries keep their numbers; logs and rankings stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("who", help="the name of an account, or slug/number of an entry")
        parser.add_argument("--yes", action="store_true", help="confirm; erasing cannot be undone")

    def handle(self, *, who: str, yes: bool, **_: Any) -> None:
        try:
            person = personal_data.find_subject(who)
            told = ", ".join(f"{entry.championship.slug}/{entry.number}" for entry in person.entries)
            account = person.user.username if person.user is not None else "none"
            if yes:
                personal_data.erase_data(person)
        except TournamentError as error:
            raise CommandError(f"{error.code}: {error}") from None
        done = "erased" if yes else "would be erased, with --yes"
        self.stdout.write(f"{done}: account {account}, entries {told or 'none'}")
        self.stdout.write("backups and files that people have downloaded before still hold the names")
