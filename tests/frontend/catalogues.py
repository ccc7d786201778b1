"""Messages of the sources and entries of .po files, read without gettext's tools."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent.parent
LAYERS = ("frontend", "tournaments", "games")
CALLS = {
    "_": (None, 0, None),
    "gettext": (None, 0, None),
    "gettext_lazy": (None, 0, None),
    "gettext_noop": (None, 0, None),
    "ngettext": (None, 0, 1),
    "ngettext_lazy": (None, 0, 1),
    "pgettext": (0, 1, None),
    "pgettext_lazy": (0, 1, None),
    "npgettext": (0, 1, 2),
}

Message = tuple[str, str, str]
"""Context, text, plural text; the empty string without one."""


def in_python(source: str) -> Iterator[Message]:
    """Return the messages marked in Python. Only literals can be collected; others are no messages."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in CALLS:
            continue
        places = CALLS[node.func.id]
        texts = [_literal(node.args[at]) if at is not None and at < len(node.args) else "" for at in places]
        if texts[1]:
            yield (texts[0], texts[1], texts[2])


def _literal(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def in_template(source: str) -> Iterator[Message]:
    """Return the messages marked in a template, as parsed by Django."""
    text = templatize(source)
    for call in re.finditer(r"\b(n?p?gettext|_)\((.*?)\)\s", text + " ", re.S):
        parts = [
            ast.literal_eval(part)
            for part in re.findall(r"""u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""", call[2])
        ]
        context, singular, plural = CALLS[call[1]]
        if parts:
            yield (
                parts[context] if context is not None else "",
                parts[singular],
                parts[plural] if plural is not None else "",
            )


def in_sources() -> set[Message]:
    """Return every message of the project."""
    found: set[Message] = set()
    for layer in LAYERS:
        for path in (ROOT / layer).rglob("*"):
            if "node_modules" in path.parts or not path.is_file():
                continue
            if path.suffix == ".py":
                found |= set(in_python(path.read_text(encoding="utf-8")))
            elif path.suffix in (".html", ".txt") and "templates" in path.parts:
                found |= set(in_template(path.read_text(encoding="utf-8")))
    return found


def in_catalogue(path: Path) -> dict[Message, list[str]]:
    """Return the entries of a .po without its header."""
    entries: dict[Message, list[str]] = {}
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        fields: dict[str, str] = {}
        name = ""
        for line in block.splitlines():
            if line.startswith("#"):
                assert "fuzzy" not in line, block
                continue
            marked = re.match(r"(msgctxt|msgid_plural|msgid|msgstr(?:\[\d\])?) ", line)
            if marked:
                name = marked[1]
                fields[name] = ""
            fields[name] += ast.literal_eval(line[line.index('"') :])
        if fields.get("msgid"):
            key = (fields.get("msgctxt", ""), fields["msgid"], fields.get("msgid_plural", ""))
            entries[key] = [value for name, value in sorted(fields.items()) if name.startswith("msgstr")]
    return entries
