"""Results of checks, and those of parts that /readyz knows too."""

from collections.abc import Callable
from enum import StrEnum
from typing import Final

import msgspec
from django.utils.translation import gettext

from frontend.presenters.condition import SENTENCES
from games.monitoring import condition

SERIOUS: Final = {
    "condition/database_away",
    "condition/redis_away",
    "condition/redis_full",
    "condition/worker_silent",
    "condition/overdue",
    "condition/clock_behind",
}


class State(StrEnum):
    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


class Result(msgspec.Struct, frozen=True):
    """The outcome of a check, without secrets. sentence: what was found; remedy: what to do, or nothing."""

    state: State
    sentence: str
    remedy: str = ""


def fine(sentence: str) -> Result:
    return Result(State.OK, sentence)


def condition_of(part: str, otherwise: Callable[[], Result]) -> Result:
    """Return the present trouble of a part of this installation, else another result."""
    for trouble in condition.looked():
        if trouble.part == part:
            sentence = gettext(str(SENTENCES[trouble.code])).format(n=trouble.figure)
            return Result(State.ERROR if trouble.code in SERIOUS else State.WARNING, sentence)
    return otherwise()
