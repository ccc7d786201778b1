"""Shared parts of `demo`, `serve` and `upgrade`: output, migration, keys, and running the process tree."""

import shutil
from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import connections
from django.utils import translation

from deploy import environment, migrating, network_listener, terminal
from deploy.doctor.proxy_and_tls import check_variables
from deploy.doctor.results import Severity
from deploy.process_tree import embedded
from deploy.process_tree.processes import StartFailedError
from deploy.terminal import gettext as _
from games import encryption, store
from games.sealing import make_seal_key
from tournaments.notices.keys import make_push_key

Say = Callable[[str], None]


class LocalCommand(BaseCommand):
    """A command with output in the terminal's language. It first names unknown environment variables."""

    requires_system_checks = ()

    def execute(self, *args: Any, **options: Any) -> str | None:
        with translation.override(terminal.language()):
            variables = check_variables()
            if variables.state != Severity.OK:
                self.say(variables.sentence)
            return super().execute(*args, **options)

    def say(self, text: str) -> None:
        """Print a line of progress at once."""
        self.stdout.write(f"puur: {text}")
        self.stdout.flush()


def parse_port(typed: str) -> int:
    """Parse a port; 0 means any free port. Raises ArgumentTypeError for anything else than a port."""
    if not (typed.isascii() and typed.isdigit() and int(typed) <= environment.LAST_PORT):
        raise ArgumentTypeError(
            _("a port is a number from 0 to %(last)s, not %(typed)s")
            % {"last": environment.LAST_PORT, "typed": typed}
        )
    return int(typed)


def migrate(say: Say) -> None:
    """Create the data key if it is missing. If the database is not up to date, back up its content and
    migrate it.
    """
    ensure_data_key(say)
    migrating.migrate_after_backup(say)


def ensure_data_key(say: Say) -> None:
    """Create the data key if nothing is encrypted yet and there is no key file.

    Raises CommandError if the key file is unusable or lacks a key that hands or seeds need. With a new key,
    play would continue beside hands that cannot be decrypted.
    """
    path: Path = settings.DATA_KEY
    needed = store.count_values_by_key()
    if not path.exists() and not needed:
        key = encryption.make_data_key(path)
        say(
            _("created the data key %(key)s, which encrypts hands and seeds: %(file)s; keep a copy elsewhere")
            % {"key": key, "file": path}
        )
    try:
        missing = needed.keys() - set(encryption.load_keys(path).ids)
    except encryption.DataKeyError as error:
        raise CommandError(f"{error.detail} ({error.code})") from None
    if missing:
        raise CommandError(
            _(
                "hands and seeds are encrypted with the data keys %(keys)s, which are not in "
                "%(file)s: put your copy there (data/key_missing)"
            )
            % {"keys": ", ".join(sorted(missing)), "file": path}
        )


def ensure_seal_key(say: Say) -> None:
    """Create the sealing key unless it exists."""
    path: Path = settings.SEAL_KEY
    if not path.exists():
        make_seal_key(path)
        say(_("created the seal key, which signs results: %(file)s") % {"file": path})


def ensure_push_key(say: Say) -> None:
    """Create the push key unless it exists."""
    path: Path = settings.PUSH_KEY
    if not path.exists():
        make_push_key(path)
        say(_("created the push key, which signs messages to phones: %(file)s") % {"file": path})


def run_locally(
    command: str, host: str, port: int, say: Say, *, reset: bool, ready: Callable[[str], None]
) -> None:
    """Run the process tree until it is stopped. `reset`: delete the database first. `ready` gets the URL as
    soon as pages can be opened. Raises CommandError.
    """
    var: Path = settings.VAR_DIR
    try:
        with embedded.lock_folder(var) as lock, embedded.listen(host, port, command) as listening:
            url = _format_url(host, listening.getsockname()[1])
            embedded.write_running(var, url)
            network_listener.allow_opening(loopback=host in embedded.LOOPBACK)
            database = Path(settings.DATABASES["default"]["NAME"])
            if command == "demo" and not database.exists():
                (var / embedded.DEMO_MARK).touch()
            if reset:
                _remove_demo(var, database, say)

            def before() -> None:
                migrate(say)
                # Until November 2026 files with names were stored here, which nothing would erase now.
                shutil.rmtree(var / "exports", ignore_errors=True)
                ensure_seal_key(say)
                ensure_push_key(say)

            def after() -> None:
                ready(url)
                connections.close_all()

            embedded.run_embedded(var, listening, lock, say, before=before, after=after)
    except (embedded.PlaceError, StartFailedError, RuntimeError) as error:
        raise CommandError(str(error)) from None


def write_ready_line(url: str) -> str:
    """Return the last line that a start prints: the URL, and how to stop."""
    return _("ready: open %(address)s   (Ctrl-C stops everything, the data stays)") % {"address": url}


def _format_url(host: str, port: int) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


def _remove_demo(var: Path, database: Path, say: Say) -> None:
    """Delete the database of a demo. Raises PlaceError if it may be a club's: `demo` did not create it."""
    if not (var / embedded.DEMO_MARK).exists() and var != settings.BASE_DIR / "var" / "demo":
        raise embedded.PlaceError(
            _("the demo did not create the database %(file)s: delete it yourself if you do not need it")
            % {"file": database}
        )
    say(_("removing %(file)s") % {"file": database})
    for ending in ("", "-wal", "-shm"):
        Path(f"{database}{ending}").unlink(missing_ok=True)
