"""Style sheets match the pages: no rule for an unused class, no sheet that no page loads.

A page loads bundles, which `npm run build` makes of `styles/*.css` and their imports.
"""

import re
from collections import Counter
from pathlib import Path

from tests.frontend.catalogues import ROOT

FRONTEND = ROOT / "frontend"
STYLES = FRONTEND / "styles"
BUNDLES = sorted(STYLES.glob("*.css"))
SHEETS = sorted(STYLES.rglob("*.css"))
MAX_FILES = 18
NOT_OURS = {"errorlist", "htmx-request"}
"""Written by Django's forms and by htmx."""


def sources() -> list[Path]:
    """What can give an element a class: templates, scripts, and Python that makes HTML."""
    found = [
        path
        for kind in ("templates/**/*.html", "rules/**/*.html", "src/**/*.ts", "**/*.py")
        for path in FRONTEND.glob(kind)
        if "node_modules" not in path.parts
    ]
    return [*found, *(ROOT / "deploy" / "templates").rglob("*.html")]


def test_every_class_of_a_style_sheet_is_given_to_something() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources())
    given = set(re.findall(r"[a-zA-Z][\w-]*", text))
    stems = set(re.findall(r"([a-zA-Z][\w-]*-)(?:\{\{|\$\{)", text))  # medal-{{ place }}, `to-${side}`
    unused = {
        f"{sheet.name}: .{name}"
        for sheet in SHEETS
        for name in re.findall(
            r"\.([a-z][\w-]+)", re.sub(r"url\([^)]*\)|@import.*", "", sheet.read_text(encoding="utf-8"))
        )
        if name not in given | NOT_OURS and not any(name.startswith(stem) for stem in stems)
    }

    assert not unused


def test_every_bundle_is_loaded_by_a_page() -> None:
    templates = "\n".join(path.read_text(encoding="utf-8") for path in FRONTEND.glob("templates/**/*.html"))
    loaded = {name for names in re.findall(r'{% styles "([^"]+)" %}', templates) for name in names.split()}

    assert loaded == {bundle.stem for bundle in BUNDLES}


def test_every_style_sheet_is_in_a_bundle() -> None:
    imported = {
        (bundle.parent / name).resolve()
        for bundle in BUNDLES
        for name in re.findall(r'@import "([^"]+)";', bundle.read_text(encoding="utf-8"))
    }

    assert imported == set(SHEETS) - set(BUNDLES)


def test_no_folder_of_style_sheets_is_crowded() -> None:
    folders = Counter(sheet.parent for sheet in SHEETS)

    assert max(folders.values()) <= MAX_FILES
