"""Each worked example of docs/developers/pairing is the round that its system draws."""

import io
import json
import re
from itertools import pairwise
from typing import Any

import pytest

from deploy.environment import BASE_DIR
from tournaments.pairing.__main__ import main

PAGES = BASE_DIR / "docs" / "developers" / "pairing"
BLOCK = re.compile(r"```json\n(.*?)```", re.DOTALL)
COMMAND = re.compile(r"\$ echo '(.*?)' \|\s+python -m tournaments\.pairing next\n(.*?)```", re.DOTALL)


def examples() -> list[tuple[str, str, Any]]:
    """Page, document and printed round of each example."""
    found = []
    for page in sorted(PAGES.glob("*.md")):
        text = page.read_text("utf-8")
        pairs = COMMAND.findall(text)
        blocks = BLOCK.findall(text)
        pairs += [
            (document, answer)
            for document, answer in pairwise(blocks)
            if '"system"' in document and '"notes"' in answer
        ]
        found += [(page.name, document, json.loads(answer)) for document, answer in pairs]
    return found


def test_every_worked_example_is_what_its_system_draws(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = examples()
    assert len({page for page, _document, _round in found}) >= 8
    for page, document, printed in found:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(document.encode())))
        assert main(["next"]) == 0, page
        assert json.loads(capsys.readouterr().out) == printed, page
