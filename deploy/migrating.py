"""Migrations of `demo` and `serve`: the database is backed up first, and a failure names the backup."""

import contextlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from deploy import backups, umask
from deploy.terminal import gettext as _

MAX_KEPT_COPIES: Final = 5
"""The number of kept backups. The backup of an unfinished migration is kept in addition."""
BEGIN: Final = "before-migration-"
ENDINGS: Final = {"sqlite": ".sqlite3", "postgresql": ".dump"}
UNFINISHED: Final = "unfinished"
"""The file with the name of the backup made before the first unfinished migration."""
Say = Callable[[str], None]


def migrate_after_backup(say: Say) -> None:
    """Migrate the database if a migration is missing. A database with content is backed up first. Raises
    CommandError; without a backup no migration runs.
    """
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    saved = _saved(say) if executor.loader.applied_migrations else None
    say(_("preparing the database ..."))
    try:
        call_command("migrate", verbosity=0, interactive=False)
    except Exception as error:
        failure = _("the database could not be prepared: %(reason)s") % {"reason": _reason(error)}
        raise CommandError(f"{failure}\n{_way_back(saved)}" if saved else failure) from error
    except BaseException:
        if saved:
            say(_way_back(saved))
        raise
    with contextlib.suppress(OSError):
        (backups_folder() / UNFINISHED).unlink(missing_ok=True)
    _forget_oldest()


def backups_folder() -> Path:
    """Return the folder of the migrations' backups."""
    return Path(settings.VAR_DIR) / "backups"


def _saved(say: Say) -> Path:
    folder = backups_folder()
    name = f"{BEGIN}{datetime.now(UTC):%Y%m%d-%H%M%S-%f}{ENDINGS[connection.vendor]}"
    file = folder / name
    say(_("copying the database before it is changed ..."))
    try:
        umask.make_folder(folder)
        _forget_oldest()
        backups.save(connection, file)
        unfinished = folder / UNFINISHED
        if not unfinished.exists():
            unfinished.write_text(name)
    except OSError as error:
        raise _no_backup(f"{folder}: {error.strerror}", "backup/cannot_write") from None
    except backups.BackupError as error:
        raise _no_backup(str(error), error.code) from None
    say(_("the database as it was is in %(file)s") % {"file": file})
    return file


def _no_backup(reason: str, code: str) -> CommandError:
    said = _(
        "the database must be prepared for this version and could not be copied before: %(reason)s\n"
        "Nothing was changed. Mend that and start again, or make a copy of your own and call\n"
        "python3 manage.py migrate with the same settings (PUUR_VAR, DATABASE_URL)."
    ) % {"reason": f"{reason} ({code})"}
    return CommandError(said)


def _way_back(saved: Path) -> str:
    if connection.vendor == "sqlite":
        return _(
            "The database as it was is in %(file)s. To go on with the version before: stop, move\n"
            "%(database)s away (with -wal and -shm, where they are there), and copy that file to its place."
        ) % {"file": saved, "database": connection.settings_dict["NAME"]}
    return _(
        "The database as it was is in %(file)s. To go on with the version before: make an empty\n"
        "database, name it in DATABASE_URL, and call python3 manage.py restore %(file)s"
    ) % {"file": saved}


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _forget_oldest() -> None:
    """Remove the oldest backups, but never the one of an unfinished migration."""
    folder = backups_folder()
    with contextlib.suppress(OSError):
        needed = ""
        with contextlib.suppress(FileNotFoundError):
            needed = (folder / UNFINISHED).read_text().strip()
        found = sorted(path for path in folder.iterdir() if path.name.startswith(BEGIN))
        for path in found[:-MAX_KEPT_COPIES]:
            if path.name != needed:
                path.unlink(missing_ok=True)
