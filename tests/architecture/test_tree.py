"""Rules for the tree: names, sizes, addresses, words for people."""

import ast
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from deploy.environment import BASE_DIR
from engine import VARIANTS

# Files that may name a variant; all other code switches on the kind of a phase. (A verifier knows
# games by name.)
MAY_NAME_VARIANTS = (
    "engine/formats/swisslos.py",
    "engine/variants/",
    "tournaments/presets/",
    "frontend/locale/",
    "frontend/rules/",
    "frontend/src/verify/",
)
LAYERS = ("engine", "games", "tournaments", "frontend", "deploy")
REGISTRIES = re.compile(r"(pypi|pythonhosted|npmjs|yarnpkg|debian|crates)\.(org|io|com)|registry\.\w+\.\w+")


NOT_OURS = {
    *(".git", ".venv", "__pycache__", "node_modules", "htmlcov", "staticfiles"),
    *(".hypothesis", ".import_linter_cache", ".mypy_cache", ".pytest_cache", ".ruff_cache"),
}
"""Folders that git ignores. git is not asked where it is missing, or where the tree is an unpacked
archive."""


def tracked(*patterns: str) -> list[Path]:
    """Files that git tracks, or would add; without git all files outside of ignored folders."""
    names = (name for name in _names() if not patterns or any(fnmatch(name, one) for one in patterns))
    paths = [BASE_DIR / name for name in names]
    return [path for path in paths if path.is_file()]


@cache
def _names() -> list[str]:
    if shutil.which("git") is not None and (BASE_DIR / ".git").exists():
        asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(asked, cwd=BASE_DIR, capture_output=True, text=True)
        if listed.returncode == 0:  # otherwise the tree belongs to another user
            return listed.stdout.splitlines()
    return sorted(_walked())


def _walked() -> Iterator[str]:
    for folder, folders, files in os.walk(BASE_DIR):
        place = Path(folder).relative_to(BASE_DIR)
        ignored = {"var", *NOT_OURS} if place == Path() else NOT_OURS
        folders[:] = [name for name in folders if name not in ignored]
        yield from ((place / name).as_posix() for name in files if not name.endswith(".pyc"))


def name_of(path: Path) -> str:
    return path.relative_to(BASE_DIR).as_posix()


def python_of_layers() -> list[Path]:
    return [
        path
        for path in tracked("*.py")
        if name_of(path).startswith(LAYERS) and "migrations" not in path.parts
    ]


def text_of(path: Path) -> str:
    """The text of a file; empty for pictures and the like."""
    try:
        return path.read_text()
    except UnicodeDecodeError:
        return ""


def test_no_file_names_a_package_registry() -> None:
    own = name_of(Path(__file__))
    found = [
        f"{name_of(path)}: {hit.group()}"
        for path in tracked()
        if name_of(path) != own and (hit := REGISTRIES.search(text_of(path)))
    ]
    assert found == []


def test_lock_files_hold_versions_and_hashes_and_no_addresses() -> None:
    """Nor the addresses of packages' funding pages: npm writes them, and no program reads them."""
    address = re.compile(r"https?://")
    locks = tracked("*.lock", "*lock.json")
    assert [name_of(path) for path in locks if address.search(text_of(path))] == []


def test_no_file_names_the_folder_it_was_written_in() -> None:
    parent = f"{BASE_DIR.parent}/"
    if len(Path(parent).parts) < 2:
        pytest.fail("the tree lies in the root folder: this check would find every absolute path")
    assert [name_of(path) for path in tracked() if f"{BASE_DIR}/" in text_of(path)] == []


def test_code_outside_the_variants_names_no_variant() -> None:
    names = re.compile(rf"\b({'|'.join(map(re.escape, VARIANTS))})\b", re.IGNORECASE)
    found = []
    for path in tracked("*.py", "*.ts", "*.html"):
        name = name_of(path)
        if not name.startswith(LAYERS) or name.startswith(MAY_NAME_VARIANTS):
            continue
        text = _strings_and_names(path) if path.suffix == ".py" else text_of(path)
        found += [f"{name}: {hit}" for hit in sorted(set(names.findall(text)))]
    assert found == []


def _strings_and_names(path: Path) -> str:
    """The code without comments and docstrings, which may name any game."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body[0] = ast.Pass()
    return ast.unparse(tree)


def test_identifiers_keep_to_the_words_of_the_architecture() -> None:
    refused = re.compile(r"(Manager|Helper|Utils?)$")
    found = []
    for path in python_of_layers():
        if path.stem in {"utils", "util", "helpers", "helper", "manager", "misc"}:
            found.append(name_of(path))
        tree = ast.parse(path.read_text())
        names = [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        found += [f"{name_of(path)}: {name}" for name in names if refused.search(name)]
    assert found == []


INLINE = re.compile(
    r"<script(?![^>]*\bsrc=)(?![^>]*application/json)|<style|\sstyle=|\son[a-z]+=\"", re.IGNORECASE
)


def test_templates_hold_no_inline_script_style_or_handler() -> None:
    found = [
        f"{name_of(path)}: {hit.group().strip()}"
        for path in tracked("*.html")
        for hit in INLINE.finditer(text_of(path))
    ]
    assert found == []


UNTRANSLATED = re.compile(r"\b(Puur|Deutsch|English|API|[a-z_]+/[a-z_]+)\b")
FOR_DEVELOPERS = {"styleguide.html"}


def test_words_for_people_in_templates_go_through_gettext() -> None:
    """Text nodes outside of template tags."""
    found = []
    for path in tracked("frontend/templates/*.html"):
        text = text_of(path)
        for beside in (
            r"{%\s*block \w+_class\s*%}.*?{%\s*endblock[^%]*%}",
            r"{%\s*(blocktranslate|comment)\b.*?{%\s*end\1\s*%}",
            r"{%.*?%}|{{.*?}}|{#.*?#}|<!--.*?-->|&\w+;",
            r"<(script|style|svg)\b.*?</\1>|<[^>]*>",
        ):
            text = re.sub(beside, "\n", text, flags=re.DOTALL)
        words = re.findall(r"[^\W\d_]{2,}[^\n]*", UNTRANSLATED.sub("", text))
        found += [f"{name_of(path)}: {word.strip()}" for word in words if path.name not in FOR_DEVELOPERS]
    assert found == []


def test_german_catalogues_are_complete() -> None:
    catalogues = tracked("frontend/locale/*.po")
    assert catalogues, "there is a German translation"
    missing = re.compile(r'#, fuzzy|msgstr(\[\d\])? ""(?!\n")')
    found = []
    for path in catalogues:
        entries = text_of(path).split("\n\n")[1:]
        found += [f"{name_of(path)}: {entry.strip()}" for entry in entries if missing.search(entry.rstrip())]
    assert found == []


def test_every_layer_is_importable_without_side_effects_on_the_others() -> None:
    assert [layer for layer in LAYERS if find_spec(layer) is None] == []
