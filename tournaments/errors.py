"""Errors of championships, clubs and series."""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import override

from engine import Refused
from games.store import ConcurrencyError


class TournamentError(Refused):
    """A refused operation. `code` is stable; `str()` returns the translated sentence."""

    def __init__(self, code: str, sentence: str | Promise, **params: Any) -> None:
        self.sentence = sentence
        super().__init__(str(sentence) % params if params else str(sentence), code=code, **params)

    def __str__(self) -> str:
        return str(self.sentence) % self.params if self.params else str(self.sentence)

    @property
    def untranslated(self) -> str:
        """The untranslated sentence, to be stored and translated later."""
        with override(None):
            return str(self.sentence)


class NotAllowed(TournamentError):
    """The actor lacks the permission for the operation."""


class Overtaken(ConcurrencyError):
    """The dispute has changed since the version that the actor saw."""

    code = "disputes/decided_since"

    def __init__(self, **params: Any) -> None:
        super().__init__("somebody else has decided since", **params)
