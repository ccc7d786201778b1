"""manage.py export-person WHO FILE: export the data of one person as JSON into a new file.

Secrets, photos and texts of other people are left out.
"""

import json
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.core.serializers.json import DjangoJSONEncoder

from tournaments import personal_data
from tournaments.errors import TournamentError


class Command(BaseCommand):
    help = "Write all stored data of one person into a file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("who", help="the name of an account, or slug/number of an entry")
        parser.add_argument("file", type=Path)

    def handle(self, *, who: str, file: Path, **_: Any) -> None:
        try:
            found = personal_data.export_data(personal_data.find_subject(who))
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except TournamentError as error:
            raise CommandError(f"{error.code}: {error}") from None
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from None
        with os.fdopen(descriptor, "w") as out:
            json.dump(found, out, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
        rows = sum(len(rows) for rows in found["rows"].values())
        acts = sum(len(acts) for acts in found["acts"].values())
        self.stdout.write(f"{file}: {rows} rows, {acts} acts at {len(found['acts'])} tables")
