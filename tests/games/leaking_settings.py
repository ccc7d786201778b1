"""Settings of a platform without redaction: the tests of secrecy must fail."""

from django.apps import AppConfig

from deploy.settings import *  # noqa: F403 - all settings, with changes below
from deploy.settings import INSTALLED_APPS as OURS
from engine import redaction


class Leaking(AppConfig):
    """Starts to leak when the process starts."""

    name = "tests.games"
    label = "leaking"

    def ready(self) -> None:
        redaction.sees = lambda *_: True


INSTALLED_APPS = [*OURS, f"{__name__}.Leaking"]
