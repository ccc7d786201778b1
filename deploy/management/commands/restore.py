"""`python3 manage.py restore FILE`: restore a backup into an empty database, migrate and audit it.

The exit codes are those of `manage.py audit`.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import connection

from deploy import backups
from deploy.management import local_run
from deploy.management.commands.backup import show_rows
from deploy.management.commands.migrate import lock_migrations
from games import encryption
from games.models import Game


class Command(BaseCommand):
    help = "Fill an empty SQLite or PostgreSQL database from a backup of either, then check every log in it."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--sample", type=int, metavar="N", help="audit only the newest N games instead of everything"
        )
        parser.add_argument(
            "--as-it-was",
            action="store_true",
            help="do not migrate on: for going back to the older version that wrote the backup",
        )

    def handle(self, *, file: Path, sample: int | None, as_it_was: bool, **_: Any) -> None:
        try:
            known = encryption.load_keys(settings.DATA_KEY).ids if settings.DATA_KEY.exists() else ()
            with lock_migrations(connection):
                dropped = backups.load(connection, file, known, show_rows(sys.stderr))
        except encryption.DataKeyError as error:
            raise CommandError(f"{error.detail} ({error.code})") from None
        except backups.BackupError as error:
            raise CommandError(f"{error} ({error.code})") from None
        for table in dropped:
            self.stdout.write(f"left out: {table}, a table that this version no longer has")
        name = connection.settings_dict["NAME"]
        if as_it_was:
            self.stdout.write(f"{file} is in {name}, as its version left it: start that version")
            return
        local_run.ensure_data_key(self.stdout.write)  # For a backup of an earlier version without encryption.
        call_command("migrate", verbosity=0, interactive=False)
        self.stdout.write(f"{file} is in {name}; checking everything ...")
        if not settings.SEAL_KEY.exists():
            self.stdout.write(f"the key that seals is not at {settings.SEAL_KEY}: put its copy there")
        games: list[str] = []
        if sample is not None:
            games = list(Game.objects.order_by("-created_at").values_list("pk", flat=True)[:sample])
        if games or sample is None:
            call_command("audit", *games, stdout=self.stdout)
