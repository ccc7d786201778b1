"""Accessibility violations of a page, found by axe-core. Skips without axe-core: `npm ci` in frontend/."""

import pytest
from playwright.sync_api import Page

from tests.frontend.catalogues import ROOT

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]


def findings(page: Page, *more: str) -> list[tuple[str, list[str]]]:
    """Return each violated rule with its elements; `more`: rule tags besides those of WCAG 2.1."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci in frontend/")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("rules => axe.run({runOnly: rules})", [*RULES, *more])
    return [(rule["id"], [node["html"][:160] for node in rule["nodes"][:3]]) for rule in found["violations"]]
