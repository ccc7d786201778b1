"""Additional checks for `manage.py check` and `check --deploy`."""

from collections.abc import Callable, Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from deploy import environment
from games import encryption, sealing
from tournaments.notices.keys import PushKeyError, push_key

NO_SEAL_KEY = "puur.E001"
NO_DATA_KEY = "puur.E002"
NO_PUSH_KEY = "puur.E003"
MISSPELT = "puur.W001"


@register()
def warn_of_misspelt(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Warn of environment variables that are unknown or misspelt."""
    return [
        Warning(
            f"The variable {name} means nothing to Puur.",
            hint=f"Did you mean {likely}?" if likely else "docs/operators.md lists all variables.",
            id=MISSPELT,
        )
        for name, likely in environment.find_misspelt().items()
    ]


@register(Tags.security, deploy=True)
def seal_key(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Check that the sealing key exists, is valid, and is private to its owner and group.

    This is a deployment check only, because tables are played without the key, and it is created after the
    database.
    """
    return _check_key(sealing.load_key_in_use, "Nothing is sealed", "seal", NO_SEAL_KEY)


@register(Tags.security, deploy=True)
def data_key(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Check that the data key is usable. Web processes and workers do not start without it."""
    return _check_key(encryption.keys_in_use, "Nobody can play", "data", NO_DATA_KEY)


@register(Tags.security, deploy=True)
def push_key_is_usable(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Check that the push key is valid if there is one. Without a key no push messages are sent."""
    return _check_key(push_key, "No phone is told", "push", NO_PUSH_KEY) if settings.PUSH_KEY.exists() else []


def _check_key(key: Callable[[], object], then: str, kind: str, id_: str) -> list[CheckMessage]:
    """Check a key by loading it. `then`: the effect if it is missing; `kind`: its name in the command and in
    the variable.
    """
    try:
        key()
    except (sealing.SealKeyError, encryption.DataKeyError, PushKeyError) as error:
        hint = (
            f"manage.py make-{kind}-key makes one where PUUR_{kind.upper()}_KEY says, or in the var folder."
        )
        missing = error.code.endswith("/no_key")
        return [Error(f"{then}: {error.detail}", hint=hint if missing else None, id=id_)]
    return []
