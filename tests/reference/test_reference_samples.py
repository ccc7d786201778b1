"""The reference agrees with the sample cases, of which copies lie in `cases/`."""

import json
from pathlib import Path
from typing import Any

import pytest

from .common import FIXED
from .games import execute

CASES = sorted((Path(__file__).parent / "cases").glob("*.commands.jsonl"))
Line = dict[str, Any]


def read(path: Path) -> list[Line]:
    return [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]


def in_groups(lines: list[Line]) -> list[tuple[Line | None, list[Line]]]:
    """One group for each command: what was legal before it, and the fixed events after it."""
    groups: list[tuple[Line | None, list[Line]]] = [(None, [])]
    for line in lines:
        if "legal" in line and line["legal"]["seat"] is not None:
            groups.append((line["legal"], []))
        elif line.get("type") in FIXED:
            groups[-1][1].append(line)
    return groups


def agrees(expected: Line, found: Line) -> bool:
    return all(wanted is None or found.get(name) == wanted for name, wanted in expected.items())


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name.removesuffix(".commands.jsonl"))
def test_the_reference_agrees_with_the_sample_case(path: Path) -> None:
    expected = read(path.with_name(path.name.replace(".commands.", ".expected.")))
    lines, refusal = execute(read(path))

    refused = {"illegal": True} in expected
    assert (refusal is not None) == refused, refusal
    wanted_groups = in_groups([line for line in expected if line != {"illegal": True}])
    found_groups = in_groups(lines)
    assert len(wanted_groups) <= len(found_groups)
    for (wanted_legal, wanted), (found_legal, found) in zip(wanted_groups, found_groups, strict=False):
        assert wanted_legal == found_legal
        assert len(wanted) == len(found)
        for wanted_event, found_event in zip(wanted, found, strict=True):
            assert agrees(wanted_event, found_event), (wanted_event, found_event)


def test_there_are_sample_cases() -> None:
    assert len(CASES) == 20
