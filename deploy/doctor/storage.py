"""Checks of database and disk."""

import os
import shutil
import statistics
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext, ngettext

from deploy import migrating
from deploy.doctor.results import Diagnosis, Severity, fine, report_condition
from frontend.presenters.site.condition import SENTENCES
from games.monitoring import condition

SLOW_SYNC_SECONDS: Final = 0.1
TOO_SLOW_SYNC_SECONDS: Final = 1.0
SYNCS: Final = 5
FULL_MEGABYTES: Final = 100
NAMES: Final = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


def check_database() -> Diagnosis:
    """Check that the database answers fast enough."""
    began = perf_counter()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return Diagnosis(Severity.ERROR, str(SENTENCES["condition/database_away"]))
    took = perf_counter() - began
    if took > condition.SLOW_SECONDS:
        slow = gettext(str(SENTENCES["condition/database_slow"])).format(n=round(took))
        return Diagnosis(Severity.WARNING, slow)
    sentence = gettext("%(database)s answers in %(n)d ms.")
    return fine(sentence % {"database": NAMES[connection.vendor], "n": round(1000 * took)})


def check_migrations() -> Diagnosis:
    """Check that exactly the migrations of this version are applied."""
    try:
        migrating.refuse_newer_schema()
    except migrating.NewerSchema:
        return Diagnosis(
            Severity.ERROR,
            gettext("A newer version of Puur has prepared this database."),
            gettext("Start that version, or restore the backup that was made before it."),
        )
    executor = MigrationExecutor(connection)
    pending = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if not pending:
        return fine(gettext("The tables are those of version %(version)s.") % {"version": settings.VERSION})
    sentence = ngettext(
        "%(n)d change to the tables is missing.", "%(n)d changes to the tables are missing.", pending
    )
    remedy = gettext("Run manage.py upgrade, or start serve again: both make a backup first.")
    return Diagnosis(Severity.ERROR, sentence % {"n": pending}, remedy)


def check_disk() -> Diagnosis:
    """Check that there is enough free disk space."""
    free = min(shutil.disk_usage(folder).free for folder in _list_folders()) >> 20
    if free < FULL_MEGABYTES:
        return Diagnosis(
            Severity.ERROR,
            gettext("The disk is full: only %(n)d MB are free.") % {"n": free},
            gettext(
                "Free some space now, otherwise plays cannot be stored. Delete old backups and logs first."
            ),
        )
    return report_condition("disk", lambda: fine(gettext("%(n)d GB are free.") % {"n": free >> 10}))


def check_sync() -> Diagnosis:
    """Check that a write is on the disk once it is confirmed.

    The check reads the settings of PostgreSQL, and measures how long a synced write takes.
    """
    if connection.vendor == "postgresql" and (wrong := _list_careless_settings()):
        return Diagnosis(
            Severity.ERROR,
            gettext("PostgreSQL confirms writes that are not on the disk yet: %(names)s.")
            % {"names": ", ".join(wrong)},
            gettext("Set them to on in postgresql.conf: otherwise a power failure loses confirmed plays."),
        )
    try:
        took = max(_measure_sync(folder) for folder in _list_folders())
    except OSError as error:
        return Diagnosis(
            Severity.ERROR,
            gettext("A file cannot be written: %(reason)s") % {"reason": error.strerror or error},
            gettext(
                "The folder must belong to the account that runs Puur, and the disk must have free space."
            ),
        )
    sentence = gettext("The disk takes %(n)d ms to store a play.") % {"n": round(1000 * took)}
    if took < SLOW_SYNC_SECONDS:
        return fine(sentence)
    remedy = gettext("Use a disk of this machine (SSD), not a memory card or a network folder.")
    return Diagnosis(Severity.ERROR if took > TOO_SLOW_SYNC_SECONDS else Severity.WARNING, sentence, remedy)


def _measure_sync(folder: Path) -> float:
    """Return the median duration of a synced write, in seconds."""
    times = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _number in range(SYNCS):
            began = perf_counter()
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
            times.append(perf_counter() - began)
    return statistics.median(times)


def _list_careless_settings() -> list[str]:
    names = ("fsync", "synchronous_commit", "full_page_writes")
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", [list(names)])
        return sorted(f"{name} = {value}" for name, value in cursor.fetchall() if value == "off")


def _list_folders() -> list[Path]:
    """Return the folders on this machine that contain data. The database of PostgreSQL may be on another
    machine.
    """
    folders = {Path(settings.VAR_DIR)}
    if connection.vendor == "sqlite":
        folders.add(Path(str(connection.settings_dict["NAME"])).parent)
    return sorted(folder for folder in folders if folder.is_dir()) or [Path(settings.BASE_DIR)]
