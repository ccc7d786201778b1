"""All error codes, read from the calls that raise them."""

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

TOP: Final = Path(__file__).parents[2]
LAYERS: Final = ("engine", "games", "tournaments", "frontend")


def raised(roots: tuple[type, ...]) -> set[tuple[str, type]]:
    """Return (code, class) of every call of a class below one of these roots. Interpolated values appear as
    in the source: `{name}` in a formatted code, the whole expression where there is no text at all.
    """
    found: set[tuple[str, type]] = set()
    for layer in LAYERS:
        for path in (TOP / layer).rglob("*.py"):
            found |= _of_module(path, roots)
    return found


def _of_module(path: Path, roots: tuple[type, ...]) -> set[tuple[str, type]]:
    tree = ast.parse(path.read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    if not calls or path.name == "__main__.py":
        return set()
    names = vars(importlib.import_module(".".join(path.relative_to(TOP).with_suffix("").parts)))
    found: set[tuple[str, type]] = set()
    for call in calls:
        kind = _named(call.func, names)
        if isinstance(kind, type) and issubclass(kind, roots):
            found |= {(code, kind) for code in _codes(call, kind, names)}
    return found


def _named(node: ast.expr, names: dict[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        return getattr(_named(node.value, names), node.attr, None)
    return None


def _codes(call: ast.Call, kind: type, names: dict[str, Any]) -> Iterator[str]:
    given = [word.value for word in call.keywords if word.arg == "code"]
    first = next(iter(inspect.signature(kind).parameters), "")
    if not given and first == "code":
        given = call.args[:1]
    if given:
        yield from _texts(given[0], names)
    else:
        yield str(kind.code)  # type: ignore[attr-defined]  # every subclass of a root has a code


def _texts(node: ast.expr, names: dict[str, Any]) -> Iterator[str]:
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body, names)
        yield from _texts(node.orelse, names)
    elif isinstance(node, ast.JoinedStr):
        yield ast.unparse(node)[2:-1]
    else:
        known = _named(node, names)
        yield known if isinstance(known, str) else ast.unparse(node)
