"""`python3 manage.py restore FILE`: restore a backup into an empty database, migrate and audit it.

The exit codes are those of `manage.py audit`.
"""

import argparse
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import connection

from deploy import backups
from deploy.management import local_run
from games import encryption


class Command(BaseCommand):
    help = "Fill an empty database from a backup, then check every log in it."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **_: Any) -> None:
        try:
            backups.load(connection, file, encryption.key_ids(settings.DATA_KEY))
        except backups.BackupError as error:
            raise CommandError(f"{error} ({error.code})") from None
        local_run.keep_data_key(self.stdout.write)  # For a backup of an earlier version without encryption.
        call_command("migrate", verbosity=0, interactive=False)
        self.stdout.write(f"{file} is in {connection.settings_dict['NAME']}; checking everything ...")
        if not settings.SEAL_KEY.exists():
            self.stdout.write(f"the key that seals is not at {settings.SEAL_KEY}: put its copy there")
        call_command("audit", stdout=self.stdout)
