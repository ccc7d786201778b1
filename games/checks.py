"""System checks, run by `manage.py check --database default` and before each migrate."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error
from django.db import connections

from games.store import guard


def the_log_is_guarded(
    app_configs: Sequence[AppConfig] | None = None, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Each database that holds the log has the triggers that keep it append-only."""
    return [
        Error(
            f"The log in the database '{alias}' is not protected against changes.",
            hint=f"Run `manage.py migrate`. Missing triggers: {', '.join(absent)}.",
            id="games.E001",
        )
        for alias in databases or []
        if (absent := guard.missing(connections[alias]))
    ]
