"""Functions and modules that the pages for developers name are there, and are what they are called."""

import importlib
import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs" / "developers"


def test_the_table_of_functions_names_their_modules() -> None:
    text = (DOCS / "engine.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| `(engine[\w.]*)` \|$", text, re.MULTILINE)
    assert len(rows) > 8
    for names, module in rows:
        found = importlib.import_module(module)
        assert all(callable(getattr(found, name)) for name in re.findall(r"\w+", names)), (names, module)


def test_what_is_named_of_the_engine_for_bots_can_be_called() -> None:
    text = (DOCS / "bots.md").read_text(encoding="utf-8")
    engine = importlib.import_module("engine")
    names = re.findall(r"`engine\.(\w+)`", text)
    assert names
    assert all(callable(getattr(engine, name)) for name in names)
