"""What `manage.py check --deploy` asks of a platform besides what Django does."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Tags, register

from games import sealing

NO_SEAL_KEY = "puur.E001"


@register(Tags.security, deploy=True)
def seal_key(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """The key that seals is there, whole, readable for the platform and for nobody else.

    Only among the checks of a deployment: play goes on without it, and the key is made after the tables.
    """
    try:
        sealing.key_in_use()
    except sealing.SealKeyError as error:
        hint = "manage.py make-seal-key makes one where PUUR_SEAL_KEY says, or in the var folder."
        missing = error.code == "sealing/no_key"
        return [Error(f"Nothing is sealed: {error.detail}", hint=hint if missing else None, id=NO_SEAL_KEY)]
    return []
