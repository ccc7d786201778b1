"""The settings of a platform that takes nothing out of what it shows: the tests of secrecy have to notice."""

from django.apps import AppConfig

from deploy.settings import *  # noqa: F403 - all settings, with changes below
from deploy.settings import INSTALLED_APPS as OURS
from engine import views


class Leaking(AppConfig):
    """Begins to leak as the process starts."""

    name = "tests.games"
    label = "leaking"

    def ready(self) -> None:
        views.sees = lambda *_: True


INSTALLED_APPS = [*OURS, f"{__name__}.Leaking"]
