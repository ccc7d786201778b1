"""The rules of a strict content security policy for every template and page."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.frontend.catalogues import ROOT
from tests.frontend.weight import compressed, loaded

TEMPLATES = sorted((ROOT / "frontend" / "templates").rglob("*.html"))


def test_a_template_has_no_style_script_or_handler_of_its_own(subtests: pytest.Subtests) -> None:
    for path in TEMPLATES:
        with subtests.test(path=path):
            source = path.read_text(encoding="utf-8")

            assert not re.search(r"\sstyle=", source)
            assert not re.search(r"<style", source)
            assert not re.search(r"\son[a-z]+=", source)
            data = ("src=", 'type="application/json"')  # what runs nothing
            assert not [
                tag for tag in re.findall(r"<script[^>]*>", source) if not any(one in tag for one in data)
            ]


def test_a_template_writes_nothing_of_what_it_is_given_unescaped(subtests: pytest.Subtests) -> None:
    """What is markup already was marked as that in Python, where ruff wants to hear why."""
    for path in TEMPLATES:
        with subtests.test(path=path):
            assert not re.search(r"\|\s*safe(?:seq)?\b|\bautoescape\b", path.read_text(encoding="utf-8"))


def test_a_template_asks_no_foreign_host(subtests: pytest.Subtests) -> None:
    for path in TEMPLATES:
        with subtests.test(path=path):
            assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", path.read_text(encoding="utf-8"))


def test_styles_name_no_foreign_host() -> None:
    for sheet in (ROOT / "frontend" / "styles").rglob("*.css"):
        assert "//" not in re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.S), sheet.name


@pytest.mark.django_db
def test_the_styleguide_shows_every_card_of_the_chosen_deck() -> None:
    client = Client()
    client.cookies["puur_deck"] = "fr"

    html = client.get(reverse("styleguide")).content.decode()

    assert html.count("fr.svg#fr-") == 36
    assert 'data-deck="fr"' in html


@pytest.mark.django_db
def test_appearance_is_remembered_and_nonsense_is_not() -> None:
    client = Client()

    client.post(reverse("appearance"), {"theme": "dark", "deck": "tarot"})

    assert client.cookies["puur_theme"].value == "dark"
    assert "puur_deck" not in client.cookies
    assert 'data-theme="dark"' in client.get(reverse("sign_in")).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("target", ["https://example.org/", "//example.org", "javascript:alert(1)"])
def test_a_choice_of_appearance_leads_nowhere_else(target: str) -> None:
    answer = Client().post(reverse("appearance"), {"theme": "dark", "next": target})

    assert answer["Location"] == "/"


SCRIPTS = ROOT / "frontend" / "static" / "puur"
RARE = {"verify.js", "verifier.js", "fairness.js", "notices.js"}
"""Scripts that only the pages for checking load, and that of the panel by which a phone is told, whose pages
need hardly any other."""
WHOLE = {"play.js"}
"""Shares no part with other scripts: one file loads sooner on a slow network."""
ELSEWHERE = {"embed.js", "overlay.js"}
"""Of pages that stand in those of others, which load nothing else."""


def test_all_scripts_together_are_at_most_eighty_eight_kilobytes_compressed() -> None:
    """Of these, four for the desk: the grid of a round's results, the form that corrects one, sheets that are
    typed without the mouse, and the list of who is here. Three for the timeline under tables,
    two for the rail and the choice of a card before one's turn, two for the end of a deal and of a game, and
    four for who watches: the other tables, following somebody, what a card was worth and what is left."""
    pages = {path.name for path in SCRIPTS.glob("*.js") if not path.name.startswith("part-")}
    pages -= RARE | ELSEWHERE | WHOLE | {"worker.js", "verify-copy.js"}

    assert compressed(loaded(pages) | {"vendor/htmx.min.js"}) <= 90_112


def test_ones_own_table_needs_little_more_than_half_of_that() -> None:
    """One and a half of it for what is dealt, taken and counted before one's eyes."""
    assert compressed(loaded({*WHOLE, "base.js"}) | {"vendor/htmx.min.js"}) <= 50_688


@pytest.mark.parametrize("name", sorted(RARE))
def test_a_page_with_a_rare_script_loads_no_more_than_the_others_together(name: str) -> None:
    assert compressed(loaded({name, "base.js"}) | {"vendor/htmx.min.js"}) <= 61_440


@pytest.mark.parametrize("name", sorted(ELSEWHERE))
def test_a_frame_in_a_page_of_others_loads_little(name: str) -> None:
    assert compressed(loaded({name})) <= 27_136


def test_the_worker_is_small() -> None:
    assert compressed({"worker.js"}) <= 4_096
