"""Mutants that nothing can tell from what they were: a list, and two kinds that need none."""

import re
import tomllib
from pathlib import Path

from tests.mutation.mutants import Change

LIST = Path(__file__).with_name("equivalent.toml")


def listed() -> frozenset[Change]:
    """What `equivalent.toml` names, each with its reason there."""
    entries = tomllib.loads(LIST.read_text(encoding="utf-8"))["mutant"]
    return frozenset(Change(each["place"], each["line"], each["becomes"]) for each in entries)


def only_strictness(change: Change) -> bool:
    """`strict` of zip guards against lengths that differ, and here none do: there is one entry a side."""
    bare = [re.sub(r",\s*(strict=\w+)?\s*\)", ")", line) for line in (change.line, change.becomes)]
    return "strict=" in change.line and bare[0] == bare[1]


def only_types(change: Change) -> bool:
    """`cast`, and aliases that stand in annotations, say something to the type checker and do nothing."""
    if re.match(r"(Visibility|Tier) = ", change.line):
        return True
    bare = [re.sub(r'cast\((None|"[^"]*"), ', "cast(TYPE, ", line) for line in (change.line, change.becomes)]
    return "cast(" in change.line and bare[0] == bare[1]
