"""A file of events is read whole, or refused with the line that is wrong."""

import pytest

from engine import CorruptLog, encode
from engine.formats.logs import read_events
from tests.engine.random_games import GAMES, beginning_of

LOG = beginning_of(GAMES[0], 3)
LINES = [encode(event) for event in LOG]


def test_games_that_follow_each_other_are_told_apart() -> None:
    assert read_events(b"\n".join([*LINES, *LINES, LINES[0]])) == [LOG, LOG, LOG[:1]]


def test_empty_lines_are_nothing() -> None:
    assert read_events(b"\n\n".join(LINES)) == [LOG]


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ([], "log/empty"),
        (LINES[1:], "log/no_start"),
        ([*LINES[:5], *LINES[6:]], "log/wrong_seq"),
        ([LINES[0], LINES[1].replace(b'"seq":1', b'"seq":0')], "log/wrong_seq"),
        ([*LINES[:5], b"x"], "log/malformed"),
        ([LINES[0] + b" " + LINES[1], *LINES[2:]], "log/malformed"),
        ([LINES[0], LINES[1].replace(b",", b",\n", 1)], "log/malformed"),
    ],
)
def test_what_is_wrong_is_named(lines: list[bytes], code: str) -> None:
    with pytest.raises(CorruptLog) as error:
        read_events(b"\n".join(lines))
    assert error.value.code == code
