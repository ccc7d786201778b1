"""Close codes of a table's socket, and the reaction of a page to each.

This module defines them for server and pages; `python -m frontend.generated` writes them for the scripts. Any
other code means that the connection broke: a page treats it as `again`.
"""

from enum import IntEnum
from typing import Literal, Self

Then = Literal["again", "patiently", "never", "reload"]
"""Reaction of a page. `again`: reconnect, with growing delays. `patiently`: reconnect with the longest delay
from the first attempt on. `never`: do not reconnect, since the answer would be the same. `reload`: reload the
page, since this observer may no longer see its content."""


class Closing(IntEnum):
    """A WebSocket close code; `then`: whether and how the client connects again."""

    then: Then

    def __new__(cls, code: int, then: Then) -> Self:
        closing = int.__new__(cls, code)
        closing._value_ = code
        closing.then = then
        return closing

    TOO_LARGE = 1009, "never"
    """A frame is larger than any command can be; the ASGI server itself sends this code."""
    RESTART = 1012, "again"
    """The server restarts; the ASGI server itself sends this code."""
    TRY_LATER = 1013, "again"
    """The client is too slow, or the database or a data key is unavailable."""
    BAD_ADDRESS = 4400, "never"
    NOT_ALLOWED = 4403, "reload"
    """The client may not see this view, for example because another person has the seat now."""
    UNKNOWN_GAME = 4404, "never"
    """There is no such game, or this person may not know of it."""
    TOO_MUCH = 4429, "patiently"
