"""Refusals of this layer: a stable code, one English line, figures for the translation."""

from typing import Any


class Refused(Exception):
    """Something that is not possible. Nothing has changed."""

    code = "games/refused"

    def __init__(self, detail: str, *, code: str | None = None, **params: Any) -> None:
        super().__init__(detail)
        self.code = code or self.code
        self.detail = detail
        self.params = params


class UnknownGame(Refused):
    """There is no such game, or not for this person: the two are not told apart."""

    code = "games/unknown_game"


class Forbidden(Refused):
    """This person may not do that at this table."""

    code = "access/forbidden"


class Malformed(Refused):
    """The request cannot be read."""

    code = "games/malformed"


class TooLarge(Refused):
    """The request is larger than any command can be."""

    code = "games/too_large"


class RoundRefused(Refused):
    """The round's stream is not where this could happen."""

    code = "rounds/refused"
