"""The generated files for scripts equal the output of the Python side."""

import json
import re
from typing import Any, get_args

import pytest

from engine.commands import COMMANDS
from engine.events import EVENTS
from frontend.generated.__main__ import FOLDER
from frontend.generated.files import files
from games.close_codes import Closing, Then
from games.observed import frames


def test_the_committed_files_are_what_is_generated() -> None:
    committed = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.iterdir()}

    assert committed == files(), "run `python -m frontend.generated`"


@pytest.mark.parametrize(("kinds", "tag"), [(EVENTS, "type"), (COMMANDS, "cmd")])
def test_every_event_and_command_is_declared_with_all_its_fields(kinds: tuple[Any, ...], tag: str) -> None:
    text = files()["types.ts"]
    for kind in kinds:
        declared = re.search(rf"export interface {kind.__name__} {{\n(.*?)}}", text, re.DOTALL)
        assert declared is not None, kind
        names = re.findall(r"^  (\w+)\??:", declared[1], re.MULTILINE)
        assert names == [tag, *kind.__struct_fields__]


def test_every_closing_code_is_written_with_what_follows() -> None:
    table = re.search(r"CLOSINGS: .*? = ({.*});", files()["tables.ts"])
    assert table is not None

    assert json.loads(table[1]) == {str(int(closing)): closing.then for closing in Closing}
    assert {closing.then for closing in Closing} == set(get_args(Then))


def test_the_words_of_a_frame_are_those_declared() -> None:
    said = {
        "AckFrame": frames.ack("one", 3),
        "ErrorFrame": frames.error(None, "live/too_fast", "at most 20 frames a second"),
        "ResyncFrame": frames.resync("g", 3),
        "HeartbeatFrame": frames.heartbeat("g", 3),
    }
    for name, text in said.items():
        assert sorted(json.loads(text)) == sorted(getattr(frames, name).__annotations__)
