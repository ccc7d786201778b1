"""Refusals of the package `games`. The responses to them are in `games.error_responses`."""

from engine import Refused


class UnknownGame(Refused):
    """There is no such game, or this person may not know of it; the error is the same, so that nobody can
    tell.
    """

    code = "games/unknown_game"


class Forbidden(Refused):
    """This person may not do this at this table."""

    code = "access/forbidden"


class UnknownCredentials(Refused):
    """The request carries credentials of a kind that this interface does not accept."""

    code = "access/unknown_credentials"


class Malformed(Refused):
    """The request cannot be read."""

    code = "games/malformed"


class TooLarge(Refused):
    """The request is larger than any command can be."""

    code = "games/too_large"


class NotOffered(Refused):
    """The requested media type of a response is not available."""

    code = "games/not_offered"


class TooMuch(Refused):
    """A rate limit or another limit for one client is exceeded."""

    code = "games/too_much"


class TryLater(Refused):
    """The database, a data key or disk space is unavailable now."""

    code = "live/try_again"


class RoundRefused(Refused):
    """The state of the round's stream does not allow this action."""

    code = "rounds/refused"
