"""What `manage.py check --deploy` asks of a platform besides what Django does."""

from collections.abc import Callable, Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Tags, register

from games import sealing, vault

NO_SEAL_KEY = "puur.E001"
NO_DATA_KEY = "puur.E002"


@register(Tags.security, deploy=True)
def seal_key(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """The key that seals is there, whole, readable for the platform and for nobody else.

    Only among the checks of a deployment: play goes on without it, and the key is made after the tables.
    """
    return _asked(sealing.key_in_use, "Nothing is sealed", "seal", NO_SEAL_KEY)


@register(Tags.security, deploy=True)
def data_key(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """The key that closes secrets is there; web and worker do not start without it."""
    return _asked(vault.keys_in_use, "Nobody can play", "data", NO_DATA_KEY)


def _asked(key: Callable[[], object], then: str, kind: str, id_: str) -> list[CheckMessage]:
    """`then`: what follows where there is none; `kind`: as its command and its variable call it."""
    try:
        key()
    except (sealing.SealKeyError, vault.DataKeyError) as error:
        hint = (
            f"manage.py make-{kind}-key makes one where PUUR_{kind.upper()}_KEY says, or in the var folder."
        )
        missing = error.code.endswith("/no_key")
        return [Error(f"{then}: {error.detail}", hint=hint if missing else None, id=id_)]
    return []
