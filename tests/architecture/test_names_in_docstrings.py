"""A name in a docstring exists in the code, so that a reader who searches for it finds it."""

import ast
import re
from collections import defaultdict
from pathlib import Path

from tests.architecture.test_tree import LAYERS, name_of, python_of_layers, tracked

OTHER_CAPITALS = {
    *("ARIA", "ASGI", "FIDE", "HMAC", "IMMEDIATE", "IPV6", "JPEG", "MUELLER", "NAME_FILE", "OWASP", "REST"),
    *("SECRET_KEY_FILE", "SIIT", "SQLSTATE", "STARTTLS", "VAPID"),
}
"""Abbreviations and examples beside those in the manuals."""
SETTINGS = ("embedded", "environment", "settings", "terminal")
IN_BACKTICKS = re.compile(r"`[^`]*`")
CAPITALS = re.compile(r"(?<![\w.-])[A-Z][A-Z0-9_]{3,}(?!\w)")
SNAKE_CASE = re.compile(r"`_?[a-z]+_\w+(?=[(`])|\b\w+(?=\(\))")
PATH = re.compile(rf"(?<![\w./])(?:{'|'.join(LAYERS)})(?:\.\w+)+|(?<![\w.])[a-z_]+\.[A-Z][A-Z_]+\b")


def split_file(path: Path) -> tuple[list[ast.Constant], set[str]]:
    """Docstrings, also of constants and fields; words of the code without docstrings and comments."""
    text = path.read_text()
    lines, found = text.split("\n"), []
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        for one in body if isinstance(body, list) else ():
            value = one.value if isinstance(one, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                found.append(value)
                end = value.end_lineno or value.lineno
                lines[value.lineno - 1 : end] = [""] * (end - value.lineno + 1)
    return found, {word for line in lines for word in re.findall(r"\w+", line.partition(" #")[0])}


def test_a_docstring_names_only_what_exists() -> None:
    """Constants: in the same folder or among the settings; dotted paths: the last two parts."""
    files = {path: split_file(path) for path in python_of_layers()}
    of_folder: dict[Path, set[str]] = defaultdict(set)
    of_module: dict[str, set[str]] = defaultdict(set)
    for path, (_, words) in files.items():
        of_folder[path.parent] |= words
        of_module[path.parent.name if path.stem == "__init__" else path.stem] |= words
        of_module[path.parent.name].add(path.stem)
        of_module[path.parent.parent.name].add(path.parent.name)
    everywhere = set[str]().union(*of_module.values())
    settings = set[str]().union(*(of_module[name] for name in SETTINGS))
    manuals = {word for path in tracked("docs/*.md") for word in re.findall(r"\b[A-Z]+\b", path.read_text())}
    found = []
    for path, (docstrings, _) in files.items():
        near = of_folder[path.parent] | settings | manuals | OTHER_CAPITALS
        for docstring in docstrings:
            text = re.sub(rf"(?m)^ {{{docstring.col_offset + 4}}}.*", "", str(docstring.value))
            plain = IN_BACKTICKS.sub(lambda span: span[0].split(" ")[0], text)
            missing = set(CAPITALS.findall(plain)) - near
            missing |= {word.strip("`") for word in SNAKE_CASE.findall(text)} - everywhere
            for dotted in PATH.findall(plain):
                module, name = dotted.split(".")[-2:]
                missing |= {dotted} if name not in of_module[module] | {"py"} else set()
            found += [f"{name_of(path)}:{docstring.lineno}: {word}" for word in sorted(missing)]
    assert not found, "\n".join(found)
