"""The results of checks, and the results for parts of the platform that /readyz checks too."""

from collections.abc import Callable
from enum import StrEnum
from typing import Final

import msgspec
from django.utils.translation import gettext

from frontend.presenters.site.condition import SENTENCES
from games.monitoring import condition

SERIOUS: Final = {
    "condition/database_away",
    "condition/redis_away",
    "condition/redis_full",
    "condition/worker_silent",
    "condition/overdue",
    "condition/clock_behind",
}


class Severity(StrEnum):
    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


class Diagnosis(msgspec.Struct, frozen=True):
    """The result of a check. It contains no secrets. sentence: what was found; remedy: what to do, "" if
    nothing.
    """

    state: Severity
    sentence: str
    remedy: str = ""


def fine(sentence: str) -> Diagnosis:
    return Diagnosis(Severity.OK, sentence)


def report_condition(part: str, otherwise: Callable[[], Diagnosis]) -> Diagnosis:
    """Return the diagnosis of the first trouble that `condition.recent_troubles` has found in `part`. If
    there is none, return what `otherwise` returns.
    """
    for trouble in condition.recent_troubles():
        if trouble.part == part:
            sentence = gettext(str(SENTENCES[trouble.code])).format(n=trouble.figure)
            return Diagnosis(Severity.ERROR if trouble.code in SERIOUS else Severity.WARNING, sentence)
    return otherwise()
