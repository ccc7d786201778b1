"""With which code a socket of a table ends, and what a page does then: the one place for both sides, which
`python -m frontend.generated` writes down for the scripts. A code that is not here was sent by nobody of us:
the line broke.
"""

from enum import IntEnum
from typing import Literal, Self

Then = Literal["again", "patiently", "never", "reload"]
"""`again`: connect anew, waiting longer each time; `patiently`: waiting from the first time on as long as one
ever does; `never`: the answer would be the same; `reload`: what is shown is not for who looks any more."""


class Closing(IntEnum):
    """A code, and what follows."""

    then: Then

    def __new__(cls, code: int, then: Then) -> Self:
        closing = int.__new__(cls, code)
        closing._value_ = code
        closing.then = then
        return closing

    TOO_LARGE = 1009, "never"
    """A frame larger than any command; the server of sockets says so itself."""
    RESTART = 1012, "again"
    """Likewise."""
    TRY_LATER = 1013, "again"
    """Too slow, or the database cannot answer now."""
    BAD_ADDRESS = 4400, "never"
    NOT_ALLOWED = 4403, "reload"
    """Not any more: the seat is somebody else's now."""
    UNKNOWN_GAME = 4404, "never"
    """No such game, or not for this person."""
    TOO_MUCH = 4429, "patiently"
