"""The size of a page's resources on a phone, for all addresses of an evening."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from frontend.presenters.words.script_sentences import CATALOGUE, load_script_parts, load_sentences
from tests.frontend.catalogues import ROOT
from tests.frontend.evening import client, opened, table, whole
from tests.frontend.pages import addresses, parts_of
from tests.frontend.weight import PUUR, sheets, weight

MAX_SHEETS = 3
MAX_BYTES = 120 * 1024
MORE_BYTES = {"table_live": 121 * 1024, "table_transcribe": 125 * 1024}
"""The first also shows other tables; the second has the sentences of players and of scorers."""
LIGHT_BYTES = 104 * 1024
FONTS = (ROOT / "frontend" / "styles" / "base" / "fonts.css").read_text(encoding="utf-8")


@pytest.mark.long(1)
@pytest.mark.django_db
@pytest.mark.parametrize("mode", ["sheet", "dealt", "transcribed"])
def test_a_page_is_light(mode: str) -> None:
    """At most three style sheets, and 120 kilobytes compressed with scripts and fonts."""
    pages = addresses(parts_of(table(opened(mode, people=5), 1)))
    seen, crowded, heavy = set(), {}, {}
    for role in (None, "anna", "fredi"):
        browser = client(role)
        for name, address in pages.items():
            answer = browser.get(address)
            if "text/html" in answer.headers.get("Content-Type", ""):
                html = whole(answer)
                loads = sheets(html)
                seen |= {name} if loads else set()
                if len(loads) > MAX_SHEETS or len(loads) != len(set(loads)):
                    crowded[name] = loads
                if weight(html) > MORE_BYTES.get(name, MAX_BYTES):
                    heavy[name] = weight(html)

    assert not crowded
    assert not heavy
    assert {"home", "table_live", "round", "standings", "rules_game"} <= seen


def test_a_page_has_the_sentences_that_its_script_says_and_no_others() -> None:
    """All are said somewhere; who only watches has no use for those of refusals."""
    said = {
        script: set(load_sentences(script))
        for script in load_script_parts()
        if not script.startswith("verif")
    }

    assert set().union(*said.values()) == set(CATALOGUE)
    assert {"play.ahead", "choice.skip", "error.play/not_your_turn", "reason.1"} <= said["play"]
    assert {"error.sheet/wrong_sum", "sheet.confirmed"} <= said["sheet"]
    assert {"log.pushed", "suit.ch.S", "slot.joker7", "timeline.trick"} <= said["live-table"]
    assert not [key for key in said["live-table"] if key.startswith(("error.", "sheet.", "choice.push"))]


@pytest.mark.django_db
@pytest.mark.parametrize(("page", "script"), [("play/", "play"), ("", "live-table"), ("replay/", "replay")])
def test_what_draws_a_table_is_asked_for_first(page: str, script: str) -> None:
    """Ahead of fonts, of htmx and of the words, which are as much as all the rest of the page. A browser asks
    one server for six files at a time: where one plays all of it is among the first six.
    """
    place = table(opened("dealt", people=4), 1)
    html = whole(client("anna").get(f"/g/{place.game_id}/{page}"))
    head, _, body = html.partition("</head>")
    before, _, after = head.partition(f'/{script}.js"')
    asked = re.findall(r'<(?:link rel="(?:stylesheet|preload|modulepreload)"|script) [^>]*"/static/', before)

    assert after, "no script of the page in the head"
    assert len(asked) < (6 if script == "play" else 20)
    assert ".woff2" not in before
    assert "htmx.min.js" in after
    assert 'id="words"' in body


@pytest.mark.django_db
def test_a_guests_table_asks_for_no_parts_and_loads_nothing_that_would() -> None:
    guest = Client()
    address = guest.post(reverse("guest_table"), {"game": "schieber"})["Location"]
    for page in (address, address.replace("play/", "replay/"), address.replace("play/", "")):
        html = whole(guest.get(page))
        assert "htmx.min.js" not in html
        assert "hx-get" not in html
        assert weight(html) <= LIGHT_BYTES


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["play/", "", "replay/", "transcribe/"])
def test_something_is_there_to_read_before_any_script(page: str) -> None:
    place = table(opened("transcribed" if page == "transcribe/" else "dealt", people=4), 1)
    html = whole(client("fredi" if page == "transcribe/" else "anna").get(f"/g/{place.game_id}/{page}"))

    said = re.search(r'data-cloth>\s*<div class="table-status"[^>]*>([^<]*)<', html)
    assert said is not None
    assert "Anna" in said[1]
    assert "One moment" in said[1]


def test_letters_of_other_languages_come_only_where_they_are_needed() -> None:
    faces = re.findall(r"@font-face \{.*?\}", FONTS, re.DOTALL)
    files = {name: face for face in faces for name in re.findall(r'url\("../(fonts/[^"]+)"\)', face)}

    assert set(files) == {f"fonts/{path.name}" for path in (PUUR / "fonts").glob("*.woff2")}
    for name, face in files.items():
        assert "font-display: swap" in face, name
        assert ("U+0-FF" in face) == ("-more" not in name), name
        assert ("U+100" in face) == ("-more" in name), name
