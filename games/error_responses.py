"""Responses to refusals in the API, in pages and on sockets. ANSWERS has one row for each family of errors;
the row of the nearest base class counts.
"""

from typing import Final, NamedTuple

from engine import IllegalCommand, Refused
from games.close_codes import Closing
from games.errors import (
    Forbidden,
    Malformed,
    NotOffered,
    TooLarge,
    TooMuch,
    TryLater,
    UnknownCredentials,
    UnknownGame,
)
from games.store import ConcurrencyError

OVERTAKEN: Final = 409


class Answer(NamedTuple):
    """The responses to a family of refusals. `status`: HTTP status of the API. `page`: HTTP status of a page
    that shows its form again (OVERTAKEN: its content is outdated). `closing`: close code of a socket that is
    not admitted; an admitted socket gets a frame and stays open.
    """

    status: int
    page: int = 400
    closing: Closing = Closing.BAD_ADDRESS


ANSWERS: Final[dict[type[Refused], Answer]] = {
    Refused: Answer(409),
    ConcurrencyError: Answer(409, page=OVERTAKEN),
    IllegalCommand: Answer(400),
    Malformed: Answer(400),
    TooLarge: Answer(413),
    UnknownCredentials: Answer(401, closing=Closing.NOT_ALLOWED),
    Forbidden: Answer(403, closing=Closing.NOT_ALLOWED),
    UnknownGame: Answer(404, closing=Closing.UNKNOWN_GAME),
    NotOffered: Answer(501),
    TooMuch: Answer(429, closing=Closing.TOO_MUCH),
    TryLater: Answer(503, closing=Closing.TRY_LATER),
}


def answer_to(refusal: Refused | type[Refused]) -> Answer:
    """Return the row of ANSWERS for the refusal."""
    kind = refusal if isinstance(refusal, type) else type(refusal)
    return next(ANSWERS[family] for family in kind.__mro__ if family in ANSWERS)
