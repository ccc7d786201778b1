"""Refusals of this layer. Nothing has changed when one is raised."""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import override

from engine import Refused
from games.store import ConcurrencyError


class TournamentError(Refused):
    """Something that is not possible: `code` is stable, `str()` is the sentence for people, translated."""

    def __init__(self, code: str, sentence: str | Promise, **params: Any) -> None:
        self.sentence = sentence
        super().__init__(str(sentence) % params if params else str(sentence), code=code, **params)

    def __str__(self) -> str:
        return str(self.sentence) % self.params if self.params else str(self.sentence)

    @property
    def untranslated(self) -> str:
        """The sentence as the catalogues know it, for whoever reads it later in another language."""
        with override(None):
            return str(self.sentence)


class NotAllowed(TournamentError):
    """This person may not do that in this championship."""


class Overtaken(ConcurrencyError):
    """Somebody has done something to this dispute since it was looked at."""

    code = "disputes/decided_since"

    def __init__(self, **params: Any) -> None:
        super().__init__("somebody else has decided since", **params)
