"""Text is readable in both themes: WCAG AA for every pair of colours in the style sheets."""

import re

import pytest

from tests.frontend.catalogues import ROOT

TOKENS = (ROOT / "frontend" / "styles" / "base" / "tokens.css").read_text(encoding="utf-8")
TEXT = 4.5
PAIRS = [
    ("ink", "page"),
    ("ink", "surface"),
    ("ink", "surface-2"),
    ("ink", "sunken"),
    ("muted", "page"),
    ("muted", "surface"),
    ("muted", "surface-2"),
    ("accent", "page"),
    ("accent", "surface"),
    ("accent", "accent-soft"),
    ("ink", "accent-soft"),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    ("danger", "surface"),
    ("danger", "danger-soft"),
    ("ink", "danger-soft"),
    ("warn", "warn-soft"),
    ("info", "info-soft"),
    ("table-ink", "table"),
    ("table-ink", "table-deep"),
    ("table-muted", "table"),
    ("chalk", "slate"),
    ("chalk-muted", "slate"),
    ("suit-ink", "card"),
    ("suit-red", "card"),
]
LINES = [("line-strong", "surface"), ("focus", "page"), ("focus", "surface"), ("brass", "table")]


def colours(theme: str) -> dict[str, str]:
    """Token → colour; a theme's own ones lie over those of the table."""
    common, light, _auto, dark = re.findall(r":root[^{]*\{(.*?)\}", TOKENS, re.S)[:4]
    found = re.findall(r"--([\w-]+): (#[0-9a-f]{6});", common + (light if theme == "light" else dark))
    return dict(found)


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def test_text_can_be_read(subtests: pytest.Subtests) -> None:
    for theme in ["light", "dark"]:
        for pair in PAIRS:
            with subtests.test(theme=theme, pair=pair):
                tokens = colours(theme)

                assert contrast(tokens[pair[0]], tokens[pair[1]]) >= TEXT


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("pair", LINES, ids=" on ".join)
def test_edges_of_fields_and_the_focus_can_be_seen(theme: str, pair: tuple[str, str]) -> None:
    tokens = colours(theme)

    assert contrast(tokens[pair[0]], tokens[pair[1]]) >= 3


def test_the_dark_theme_is_the_same_by_wish_of_the_system_and_of_the_person() -> None:
    _common, _light, automatic, chosen = re.findall(r":root[^{]*\{(.*?)\}", TOKENS, re.S)[:4]

    assert automatic.split() == chosen.split()
