"""Migrations by `demo`, `serve` and `upgrade`. The database is backed up first, and the message of a failure
names the backup.

A database that a newer version has migrated is refused, because this version does not know its tables.
"""

import contextlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from deploy import backups, umask
from deploy.failures import explain_failure
from deploy.terminal import gettext as _

MAX_KEPT_COPIES: Final = 5
"""Number of newest backups that are kept. An older backup of an unfinished migration is kept too."""
BEGIN: Final = "before-migration-"
ENDINGS: Final = {"sqlite": ".sqlite3", "postgresql": ".backup"}
UNFINISHED: Final = "unfinished"
"""Name of the file that contains the name of the backup made before the first unfinished migration."""
Say = Callable[[str], None]


class NewerSchema(Exception):
    """The database has migrations that this version does not know."""

    code = "database/newer_version"

    def __init__(self, migrations: Sequence[str]) -> None:
        super().__init__(
            _(
                "a newer version of Puur has prepared this database (%(migrations)s). Start that version,\n"
                "or restore the backup that was made before it"
            )
            % {"migrations": ", ".join(migrations)}
        )


def refuse_newer_schema() -> None:
    """Compare the applied migrations with those of this version. Raises NewerSchema if there are unknown
    ones.

    An empty database, or one that does not answer, is not refused.
    """
    try:
        loader = MigrationLoader(connection)
    except DatabaseError:
        return
    ours = loader.migrated_apps
    unknown = sorted(
        f"{app}.{name}"
        for app, name in loader.applied_migrations
        if app in ours
        and (app, name) not in loader.disk_migrations
        and (app, name) not in loader.replacements
    )
    if unknown:
        raise NewerSchema(unknown)


def migrate_after_backup(say: Say) -> None:
    """Migrate the database if a migration is missing. A database with content is backed up first; without the
    backup no migration runs. Raises CommandError.
    """
    try:
        refuse_newer_schema()
    except NewerSchema as error:
        raise CommandError(f"{error} ({error.code})") from None
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    saved = _back_up_database(say) if executor.loader.applied_migrations else None
    say(_("preparing the database ..."))
    try:
        call_command("migrate", verbosity=0, interactive=False)
    except Exception as error:
        reason = explain_failure(error) or f"{type(error).__name__}: {error}"
        failure = _("the database could not be prepared: %(reason)s") % {"reason": reason}
        raise CommandError(f"{failure}\n{_way_back(saved)}" if saved else failure) from error
    except BaseException:
        if saved:
            say(_way_back(saved))
        raise
    with contextlib.suppress(OSError):
        (backups_folder() / UNFINISHED).unlink(missing_ok=True)
    _forget_oldest()


def backups_folder() -> Path:
    """Return the folder for backups made before migrations."""
    return Path(settings.VAR_DIR) / "backups"


def _back_up_database(say: Say) -> Path:
    folder = backups_folder()
    name = f"{BEGIN}{datetime.now(UTC):%Y%m%d-%H%M%S-%f}{ENDINGS[connection.vendor]}"
    file = folder / name
    say(_("copying the database before it is changed ..."))
    try:
        umask.make_folder(folder)
        _forget_oldest()
        if connection.vendor == "sqlite":  # A file that the version before can use as it is.
            backups.copy_sqlite(Path(str(connection.settings_dict["NAME"])), file)
        else:
            backups.save(connection, file)
        unfinished = folder / UNFINISHED
        if not unfinished.exists():
            unfinished.write_text(name)
    except OSError as error:
        raise _no_backup(f"{folder}: {error.strerror}", "backup/cannot_write") from None
    except backups.BackupError as error:
        raise _no_backup(str(error), error.code) from None
    say(_("the unchanged database is in %(file)s") % {"file": file})
    return file


def _no_backup(reason: str, code: str) -> CommandError:
    text = _(
        "the database must be prepared for this version, and could not be copied first: %(reason)s\n"
        "Nothing was changed. Solve that and start again, or make a copy of your own and call\n"
        "python3 manage.py migrate with the same settings (PUUR_VAR, DATABASE_URL)."
    ) % {"reason": f"{reason} ({code})"}
    return CommandError(text)


def _way_back(saved: Path) -> str:
    if connection.vendor == "sqlite":
        return _(
            "The unchanged database is in %(file)s. To return to the previous version: stop, move\n"
            "%(database)s away (with -wal and -shm, if they exist), and copy that file to its place."
        ) % {"file": saved, "database": connection.settings_dict["NAME"]}
    return _(
        "The unchanged database is in %(file)s. To return to the previous version: create an empty\n"
        "database, name it in DATABASE_URL, call python3 manage.py restore --as-it-was %(file)s with "
        "this\nversion, and start the previous version."
    ) % {"file": saved}


def _forget_oldest() -> None:
    """Remove the oldest backups, but never the backup of an unfinished migration."""
    folder = backups_folder()
    with contextlib.suppress(OSError):
        needed = ""
        with contextlib.suppress(FileNotFoundError):
            needed = (folder / UNFINISHED).read_text().strip()
        found = sorted(path for path in folder.iterdir() if path.name.startswith(BEGIN))
        for path in found[:-MAX_KEPT_COPIES]:
            if path.name != needed:
                path.unlink(missing_ok=True)
