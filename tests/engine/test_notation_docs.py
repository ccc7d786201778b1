"""The page about the notation says what is so: its games are verified, its errors happen."""

import re
from pathlib import Path

import pytest

from engine import VARIANTS, CorruptLog
from engine.notation import first_difference, parse
from engine.notation.phrases import list_phrases

PAGE = (Path(__file__).parents[2] / "docs" / "developers" / "notation.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("text", blocks("notation"))
def test_every_game_on_the_page_is_as_the_rules_give_it(text: str) -> None:
    """Whatever their version is by now."""
    version = str(VARIANTS[text.split()[1]].rules_version)
    assert first_difference(re.sub(r"(?<=rules version )\d+", version, text)) is None


def test_every_decision_is_on_the_page_and_every_line_there_is_read() -> None:
    (table,) = re.findall(r"^\| decision .*?\n\n", PAGE, re.DOTALL | re.MULTILINE)
    begins = re.compile(r"[0-9] |start |referee |director |scorer |desk ")
    lines = [line for line in re.findall(r"`([^`\n]+)`", table) if begins.match(line)]
    said = {type(command) for line in lines for command in parse(line)}
    assert {phrase.tag for phrase in list_phrases() if phrase.command not in said} == {"deal"}


def test_the_errors_on_the_page_are_those_that_come() -> None:
    (table,) = blocks("errors")
    for row in table.splitlines():
        code, line = row.split(maxsplit=1)
        with pytest.raises(CorruptLog) as refused:
            parse(line)
        assert refused.value.code == code
