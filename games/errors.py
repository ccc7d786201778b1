"""Refusals of this layer; how each is answered: `games.error_responses`."""

from engine import Refused


class UnknownGame(Refused):
    """There is no such game, or not for this person: the two are not told apart."""

    code = "games/unknown_game"


class Forbidden(Refused):
    """This person may not do that at this table."""

    code = "access/forbidden"


class UnknownCredentials(Refused):
    """The request brings credentials of a kind that is not accepted here."""

    code = "access/unknown_credentials"


class Malformed(Refused):
    """The request cannot be read."""

    code = "games/malformed"


class TooLarge(Refused):
    """The request is larger than any command can be."""

    code = "games/too_large"


class NotOffered(Refused):
    """A way of asking that nobody here knows."""

    code = "games/not_offered"


class TooMuch(Refused):
    """More than one may have at once."""

    code = "games/too_much"


class TryLater(Refused):
    """The database cannot answer now."""

    code = "live/try_again"


class RoundRefused(Refused):
    """The round's stream is not where this could happen."""

    code = "rounds/refused"
