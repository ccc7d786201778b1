"""manage.py import-championship FILE --owner NAME: import a backup of a championship."""

from argparse import ArgumentParser
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import sealing
from games.models import User
from tournaments.archive import ArchiveError, import_championship, map_by_username, map_nobody

WHAT_TO_DO = {
    "archive/unknown_key": "Compare it with /seal-key.json of the platform that wrote the file, "
    "and pass it as --key, or accept the file with --trust-unknown-key.",
    "archive/unsigned": "Anybody could have changed the file. --trust-unknown-key accepts it.",
}


class Command(BaseCommand):
    help = "Import a backup of a championship. Everything is verified and stored, or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--owner", required=True, help="the account of the new director")
        parser.add_argument("--slug", default="", help="another address, if the original one is taken")
        signed = parser.add_mutually_exclusive_group()
        signed.add_argument(
            "--key",
            default="",
            help="the public key of the file's signature: hex, or a file that contains it",
        )
        signed.add_argument("--trust-unknown-key", action="store_true", help="accept any signature, or none")
        people = parser.add_mutually_exclusive_group()
        people.add_argument(
            "--account",
            action="append",
            default=[],
            metavar="THEIRS=OURS",
            help="give the offices, seats and entries of account THEIRS to account OURS; can be repeated",
        )
        people.add_argument(
            "--accounts-by-name",
            action="store_true",
            help="link accounts with equal names, for example after a move",
        )

    def handle(
        self,
        *,
        file: Path,
        owner: str,
        slug: str,
        key: str,
        trust_unknown_key: bool,
        account: list[str],
        accounts_by_name: bool,
        **_: Any,
    ) -> None:
        [director] = _people([owner])
        named = dict(_pair(one) for one in account)
        known = dict(zip(named, _people(named.values()), strict=True))
        accounts = map_by_username if accounts_by_name else partial(_named, known) if known else map_nobody
        if file.exists() and not (file.is_file() or file.is_dir()):
            raise CommandError(f"{file}: this is no regular file")
        try:
            with file.open("rb") as opened:
                made = import_championship(
                    opened,
                    owner=director,
                    slug=slug,
                    key=_key(key),
                    trust_unknown_key=trust_unknown_key,
                    accounts=accounts,
                )
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from None
        except ArchiveError as error:
            told = f"{error.code}: {error}"
            raise CommandError(
                f"{told} {WHAT_TO_DO[error.code]}" if error.code in WHAT_TO_DO else told
            ) from None
        self.stdout.write(f"/c/{made.slug}/: {made.name}")
        left = made.rounds.exclude(status="closed").count()
        if left:
            self.stdout.write(f"{left} rounds to come: a person who has the file can deal them (new-seeds)")
        signed = {checkpoint.says.key: checkpoint.says.number for checkpoint in sealing.each(made.stream_id)}
        for theirs, number in signed.items():
            self.stdout.write(f"until checkpoint {number} sealed with the key {theirs}")
        last = sealing.find_latest_checkpoint(made.stream_id)
        if last is not None:
            self.stdout.write(f"checkpoint {last.says.number}: {' '.join(sealing.in_words(last.hash))}")


def _people(names: Collection[str]) -> list[User]:
    found = {user.username: user for user in User.objects.filter(username__in=names)}
    for name in names:
        if name not in found:
            raise CommandError(f"there is no account {name}")
    return [found[name] for name in names]


def _pair(text: str) -> tuple[str, str]:
    theirs, sign, ours = text.partition("=")
    if not (sign and theirs and ours):
        raise CommandError(f"--account THEIRS=OURS: {text}")
    return theirs, ours


def _named(known: Mapping[str, User], names: Collection[str]) -> Mapping[str, User]:
    if strange := sorted(known.keys() - set(names)):
        raise CommandError(f"the file names no account {', '.join(strange)}")
    return known


def _key(text: str) -> str:
    """Return the key in hex, from the argument or the file it names."""
    path = Path(text)
    return (path.read_text().strip() if text and path.is_file() else text).lower()
