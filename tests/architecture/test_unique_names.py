"""Each public class or function has a unique name, unless the glossary explains the exception."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from deploy.environment import BASE_DIR
from tests.architecture.test_tree import name_of, python_of_layers

GLOSSARY = BASE_DIR / "docs" / "developers" / "glossary.md"
CALLED_ALIKE = frozenset({"main", "Options"})
"""Names that many modules share: every program has a `main`, every variant its `Options`."""
NOT_CALLED_BY_NAME = ("frontend/views/", "frontend/templatetags/")
"""Folders where names follow another rule: a view has the name of its address, a tag that of the word in
templates."""
DOUBLE = re.compile(r"^\| `(\w+)` \| ((?:`[\w.]+`(?:, )?)+) \| (.+) \|$", re.MULTILINE)
TERM = re.compile(r"^\| \*\*([^*]+)\*\* \| .+ \| `([\w.]+)` \|$", re.MULTILINE)


def module_of(path: Path) -> str:
    return name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def public(path: Path) -> Iterator[str]:
    """Classes and functions that a module defines for others."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name[0] != "_":
            yield node.name


def doubles() -> dict[str, set[str]]:
    """Name → modules, for names defined in two or more."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in python_of_layers():
        name = name_of(path)
        if "/commands/" in name or path.name == "tasks.py" or name.startswith(NOT_CALLED_BY_NAME):
            continue
        for word in public(path):
            if word not in CALLED_ALIKE:
                found[word].add(module_of(path))
    return {word: modules for word, modules in found.items() if len(modules) > 1}


def test_a_public_name_stands_in_two_modules_only_where_the_glossary_says_why() -> None:
    allowed = {
        word: set(re.findall(r"[\w.]+", where)) for word, where, _ in DOUBLE.findall(GLOSSARY.read_text())
    }
    found = doubles()

    assert len(found) > 10, "nothing was collected"
    new = {word: sorted(where) for word, where in found.items() if not where <= allowed.get(word, set())}
    assert new == {}, "rename one of them, or say in docs/developers/glossary.md why both are one thing"
    gone = {word: sorted(where) for word, where in allowed.items() if where != found.get(word)}
    assert gone == {}, "no longer double: take the row out of docs/developers/glossary.md"


def test_every_term_of_the_glossary_exists_where_it_says() -> None:
    terms = TERM.findall(GLOSSARY.read_text())
    known = {module_of(path): path for path in python_of_layers()}

    assert len(terms) > 30, "the table is not read"
    for term, where in terms:
        module, _, name = where.rpartition(".")
        assert where in known or (module in known and name in set(public(known[module]))), f"{term}: {where}"
