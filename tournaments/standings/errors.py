"""Errors of counting rules."""

from engine import Refused


class StandingsError(Refused):
    """Error of counting rules that cannot be applied."""

    def __init__(self, code: str, detail: str, **params: int | str) -> None:
        super().__init__(detail, code=code, **params)
