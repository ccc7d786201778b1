"""Errors of championships, clubs and series."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import override

from engine import Refused
from games.store import ConcurrencyError


def fill_sentence(sentence: str | Promise, params: Mapping[str, Any]) -> str:
    """Return the translated sentence with its parameters; a sentence with a number, in the form for it."""
    return str(sentence % params if params else sentence)


class TournamentError(Refused):
    """A refused operation. `code` is stable; `str()` returns the translated sentence."""

    def __init__(self, code: str, sentence: str | Promise, **params: Any) -> None:
        self.sentence = sentence
        super().__init__(fill_sentence(sentence, params), code=code, **params)

    def __str__(self) -> str:
        return fill_sentence(self.sentence, self.params)


def describe_for_storage(refusal: Refused) -> dict[str, Any]:
    """Return the parameters of a refusal as JSON, and its English line as `detail`. `sentences`: the sentence
    of a TournamentError by language.
    """
    told: dict[str, Any] = {
        key: value if isinstance(value, int) else str(value) for key, value in refusal.params.items()
    }
    told["detail"] = refusal.detail
    if isinstance(refusal, TournamentError):
        told["sentences"] = {}
        for language, _name in settings.LANGUAGES:
            with override(language):
                told["sentences"][language] = str(refusal)
        told["detail"] = told["sentences"][settings.LANGUAGE_CODE]
    return told


class NotAllowed(TournamentError):
    """The actor lacks the permission for the operation."""


class Overtaken(ConcurrencyError):
    """The dispute has changed since the version that the actor saw."""

    code = "disputes/decided_since"

    def __init__(self, **params: Any) -> None:
        super().__init__("somebody else has decided since", **params)
