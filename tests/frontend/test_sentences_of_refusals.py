"""Every refusal of engine and tables has a sentence in one place; those of a championship have their own."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from engine import IllegalCommand, Refused
from frontend.presenters.words.errors import ENDINGS, ERRORS, OF_FORMS, sentence_for
from frontend.presenters.words.refusals import refusal_sentence
from tests.architecture.codes import raised
from tests.frontend.catalogues import ROOT
from tournaments.errors import Overtaken, TournamentError

TO_PROGRAMS: Final = {"log/no_cause", "log/not_known", "log/wrong_seq"}
"""Of logs that are read from files: `python -m engine audit` says what is wrong with them."""
CODES: Final = sorted(
    {
        code
        for code, kind in raised((Refused,))
        if not issubclass(kind, TournamentError | Overtaken) and "{" not in code
    }
)
PLACE: Final = ROOT / "frontend" / "presenters" / "words" / "errors.py"


def test_what_is_refused_has_words(subtests: pytest.Subtests) -> None:
    for code in CODES:
        with subtests.test(code=code):
            assert (sentence_for(code) is None) == (code in TO_PROGRAMS)


def tables(file: Path) -> Iterator[str]:
    """The keys of dictionaries in a file that are codes of refusals with words."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        for key, value in zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ():
            if isinstance(key, ast.Constant) and isinstance(value, ast.Call) and key.value in CODES:
                yield str(key.value)


def test_the_words_stand_in_one_place() -> None:
    files = [file for file in (ROOT / "frontend").rglob("*.py") if "node_modules" not in file.parts]

    assert {file: codes for file in files if file != PLACE and (codes := [*tables(file)])} == {}
    assert len([*tables(PLACE)]) > 100
    assert not ERRORS.keys() & OF_FORMS.keys()


def test_every_sentence_is_of_something_that_can_be_refused() -> None:
    known = {code for code, _ in raised((Refused,))} | {"unknown"}
    made_up = {code.partition("{")[0] for code in known if "{" in code}
    of_reasons = {code for code in OF_FORMS if code.count("/") == 2}

    left = {code for code in (*ERRORS, *OF_FORMS) if code not in known and code not in of_reasons}

    assert {code for code in left if not any(code.startswith(start) for start in made_up)} == set()
    assert {ending for ending in ENDINGS if not any(code.endswith(f"/{ending}") for code in known)} == set()
    assert issubclass(IllegalCommand, Refused)


def test_a_sum_below_the_highest_is_not_said_to_be_above_it() -> None:
    refused = IllegalCommand("sheet/not_certain", "too early", deal=2, sum=117, expected=157)
    assert "at most" not in refusal_sentence(refused)
