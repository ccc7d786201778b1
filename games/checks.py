"""System checks of Django, run by `manage.py check --database default` and before each migrate."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from games import encryption, store
from games.store import guard


def the_log_is_guarded(
    app_configs: Sequence[AppConfig] | None = None, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Check that each database with the log has the triggers that make the log append-only."""
    return [
        Error(
            f"The log in the database '{alias}' is not protected against changes.",
            hint=f"Run `manage.py migrate`. Missing triggers: {', '.join(absent)}.",
            id="games.E001",
        )
        for alias in databases or []
        if (absent := guard.find_missing_triggers(connections[alias]))
    ]


def what_is_closed_can_be_opened(
    app_configs: Sequence[AppConfig] | None = None, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Check that the key file has every key with which a value of the log is encrypted."""
    known = encryption.key_ids(settings.DATA_KEY)
    return [
        Error(
            f"What is secret in the database '{alias}' cannot be opened.",
            hint=f"Put the data keys {', '.join(sorted(absent))} into {settings.DATA_KEY}.",
            id="games.E002",
        )
        for alias in databases or []
        if (absent := store.count_values_by_key(alias).keys() - set(known))
    ]


def commits_are_on_disk(
    app_configs: Sequence[AppConfig] | None = None, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Check that PostgreSQL reports a commit only once the data survive a power cut."""
    return [
        Warning(
            f"The database '{alias}' may lose what it has acknowledged: {', '.join(off)} is off.",
            hint="Set it on in postgresql.conf, and for the database and the role.",
            id="games.W001",
        )
        for alias in databases or []
        if (off := _unsafe(connections[alias]))
    ]


def _unsafe(connection: BaseDatabaseWrapper) -> list[str]:
    if connection.vendor != "postgresql":
        return []
    found = []
    with connection.cursor() as cursor:
        for name in ("fsync", "synchronous_commit"):
            cursor.execute(f"SHOW {name}")
            if cursor.fetchone() == ("off",):
                found.append(name)
    return found
