"""manage.py rotate-data-key: create a new data key and encrypt every secret under it, during operation."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import ProgrammingError

from games import encryption, store


class Command(BaseCommand):
    help = "Make a new data key and encrypt every secret with it, during operation."

    def add_arguments(self, parser: ArgumentParser) -> None:
        only = parser.add_mutually_exclusive_group()
        only.add_argument(
            "--prepare",
            action="store_true",
            help="only add the new key to the file; copy the file to every other machine, then rotate",
        )
        only.add_argument(
            "--finish",
            action="store_true",
            help="make no new key; encrypt with the newest key what still uses an older one",
        )

    def handle(self, *, prepare: bool, finish: bool, **_: Any) -> None:
        try:
            if not prepare and not store.may_reencrypt():  # before the key file changes
                raise CommandError(
                    "only the owner of the tables may encrypt them again: set DATABASE_URL as for migrate"
                    " (data/not_owner)"
                )
            used = set(store.count_values_by_key())
            self._require_all_keys(used)
            if prepare:
                key = encryption.prepare_key(settings.DATA_KEY, used)
                self.stdout.write(f"{settings.DATA_KEY}: data key {key} is prepared and closes nothing yet")
            elif finish:
                self._reencrypt(f"going on with data key {encryption.keys_in_use().newest}")
            else:
                self._reencrypt(f"from now on data key {encryption.next_key(settings.DATA_KEY, used)}")
        except encryption.DataKeyError as error:
            raise CommandError(f"{error.detail} ({error.code})") from None
        except ProgrammingError as error:
            raise CommandError(f"as the owner of the tables, like migrate: {error} (run it again)") from None
        except store.AlteredLog as error:
            raise CommandError(f"stopped, nothing is lost: {error.detail} ({error.code})") from None

    def _require_all_keys(self, used: set[str]) -> None:
        """Require that the key file contains every key that the database uses: on a machine whose file lacks
        a newer key, the next key must not be chosen. Raises DataKeyError `data/key_missing`.
        """
        ring = encryption.keys_in_use()
        if missing := sorted(used - set(ring.ids)):
            raise encryption.DataKeyError(
                f"the data keys {', '.join(missing)} are not in {settings.DATA_KEY}: put your copy there",
                code="data/key_missing",
            )

    def _reencrypt(self, said: str) -> None:
        self.stdout.write(said)
        done = 0
        while any(step := [*store.reencrypt_log()]):
            done += sum(step)
        self.stdout.write(f"{done} values closed again; keep older keys as long as older backups")
