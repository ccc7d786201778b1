"""`python3 manage.py backup FILE`, or `backup --to FOLDER --keep N` each night: back up the database, also
while tables play. `--test-restore` restores the newest backup into a temporary database and audits it.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.db import connection

from deploy import backups
from deploy.backups import nightly


class Command(BaseCommand):
    help = "Copy the whole database into a new file, during operation. The file contains no keys."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="a new file")
        parser.add_argument(
            "--to", type=Path, metavar="FOLDER", help="write a file with the date into this folder"
        )
        parser.add_argument(
            "--keep", type=int, metavar="N", help="afterwards delete all but the newest N in FOLDER"
        )
        parser.add_argument(
            "--must-be-mount",
            nargs="?",
            type=Path,
            const=Path(),
            metavar="PATH",
            help="write nothing unless PATH, or else FOLDER, is a mounted disk or share",
        )
        parser.add_argument(
            "--test-restore",
            action="store_true",
            help="restore the newest backup into a temporary SQLite database and audit the newest games; "
            "without FILE and --to: the one that was written last",
        )

    def handle(self, **given: Any) -> None:
        try:
            self._run(**given)
        except backups.BackupError as error:
            raise CommandError(f"{error} ({error.code})") from None

    def _run(
        self,
        *,
        file: Path | None,
        to: Path | None,
        keep: int | None,
        must_be_mount: Path | None,
        test_restore: bool,
        **_: Any,
    ) -> None:
        if bool(file) + bool(to) != 1 and not (test_restore and not file and not to):
            raise CommandError("name a new FILE, or a folder with --to")
        if to is None and (keep is not None or must_be_mount is not None):
            raise CommandError("--keep and --must-be-mount need --to FOLDER")
        if keep is not None and keep < 1:
            raise CommandError("--keep is a number of backups, at least 1")
        if to is not None:
            if must_be_mount is not None:
                nightly.require_mount(to if must_be_mount == Path() else must_be_mount)
            file = nightly.choose_file(to)
        if file is not None:
            self._save(file)
            for old in nightly.delete_oldest(to, keep) if to and keep else ():
                self.stdout.write(f"deleted {old}")
        if test_restore:
            tested = file or nightly.find_last_backup()
            self.stdout.write(f"restoring {tested} into a temporary database ...")
            audit = nightly.test_restore(tested, self.stdout.write)
            if audit != nightly.CLEAN:
                raise CommandError(f"{tested} was restored, and its audit is not clean (backup/not_clean)")

    def _save(self, file: Path) -> None:
        footer = backups.save(connection, file, show_rows(sys.stderr))
        nightly.record_backup(file)
        size = file.stat().st_size
        self.stdout.write(
            f"{file}: {footer.rows} rows, {size} bytes; `manage.py restore {file}` fills an empty database"
        )
        if footer.keys:
            needed = ", ".join(footer.keys)
            self.stdout.write(f"hands and seeds in it need the data key {needed}: keep that elsewhere")


def show_rows(terminal: Any) -> backups.Progress:
    """Return a function that shows the number of rows, on a terminal only."""
    done, shown = 0, time.monotonic()

    def add(rows: int) -> None:
        nonlocal done, shown
        done += rows
        if terminal.isatty() and time.monotonic() - shown > 1:
            shown = time.monotonic()
            terminal.write(f"\r{done} rows ...\r")
            terminal.flush()

    return add
