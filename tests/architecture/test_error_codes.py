"""The codes for programs: each is raised, and answered, as in the list beside this file."""

from pathlib import Path
from typing import Final

from engine import Fault, IllegalCommand, Refused
from games.error_responses import ANSWERS, answer_to
from games.errors import TooLarge, TooMuch, TryLater, UnknownGame
from games.store import CommandIdReused, ConcurrencyError
from tests.architecture.codes import raised
from tournaments.errors import Overtaken, TournamentError

LIST: Final = Path(__file__).with_name("codes.txt")


def test_every_code_is_answered_as_the_list_says() -> None:
    """A line `code status`, 500 for a fault, is part of the API. A new code needs a new line; a removed or
    changed line is a change of the API.
    """
    found = {
        f"{code} {answer_to(kind).status if issubclass(kind, Refused) else 500}"
        for code, kind in raised((Refused, Fault))
    }
    assert sorted(found) == LIST.read_text().splitlines()


def test_a_family_is_answered_by_its_own_row_and_not_by_that_of_all_refusals() -> None:
    of_api = (IllegalCommand, UnknownGame, TooLarge, TournamentError)
    of_pages = (ConcurrencyError, CommandIdReused, Overtaken, IllegalCommand)
    assert [answer_to(kind).status for kind in of_api] == [400, 404, 413, 409]
    assert [answer_to(kind).page for kind in of_pages] == [409, 409, 409, 400]
    assert [answer_to(kind).closing for kind in (UnknownGame, TooMuch, TryLater)] == [4404, 4429, 1013]
    assert all(issubclass(family, Refused) and not issubclass(family, Fault) for family in ANSWERS)
