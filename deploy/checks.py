"""What `manage.py check --deploy` asks of a platform besides what Django does."""

from collections.abc import Callable, Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from games import encryption, sealing
from tournaments.notices.keys import PushKeyError, push_key

NO_SEAL_KEY = "puur.E001"
NO_DATA_KEY = "puur.E002"
NO_PUSH_KEY = "puur.E003"


@register(Tags.security, deploy=True)
def seal_key(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """The key that seals is there, whole, readable for the platform and for nobody else.

    Only among the checks of a deployment: play goes on without it, and the key is made after the tables.
    """
    return _asked(sealing.key_in_use, "Nothing is sealed", "seal", NO_SEAL_KEY)


@register(Tags.security, deploy=True)
def data_key(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """The key that closes secrets is there; web and worker do not start without it."""
    return _asked(encryption.keys_in_use, "Nobody can play", "data", NO_DATA_KEY)


@register(Tags.security, deploy=True)
def push_key_is_usable(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Where there is a key that signs what phones are told, it can be used. Without one none is told."""
    return _asked(push_key, "No phone is told", "push", NO_PUSH_KEY) if settings.PUSH_KEY.exists() else []


def _asked(key: Callable[[], object], then: str, kind: str, id_: str) -> list[CheckMessage]:
    """`then`: what follows where there is none; `kind`: as its command and its variable call it."""
    try:
        key()
    except (sealing.SealKeyError, encryption.DataKeyError, PushKeyError) as error:
        hint = (
            f"manage.py make-{kind}-key makes one where PUUR_{kind.upper()}_KEY says, or in the var folder."
        )
        missing = error.code.endswith("/no_key")
        return [Error(f"{then}: {error.detail}", hint=hint if missing else None, id=id_)]
    return []
