"""The manuals use the labels of the pages, in both languages; they are pages themselves."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.text import slugify
from django.utils.translation import pgettext
from markdown_it import MarkdownIt
from markdown_it.token import Token

from frontend.presenters.site.manuals import MANUALS
from tests.frontend.catalogues import ROOT, in_catalogue, in_sources
from tests.frontend.evening import html
from tests.frontend.test_forms_of_address import OTHER_FORM
from tests.frontend.test_german_vocabulary import NEVER, QUOTES
from tests.frontend.test_help import PLACE, pattern
from tests.frontend.visible import codes, english, visible

DOCS = ROOT / "docs"
PO = ROOT / "frontend" / "locale" / "de" / "LC_MESSAGES" / "django.po"
ENGLISH = [manual.english for manual in MANUALS.values()]
GERMAN = [manual.german for manual in MANUALS.values()]
ANCHOR = re.compile(r'id="([^"]+)"')


def inline(name: str) -> Iterator[Token]:
    for token in MarkdownIt("commonmark").enable("table").parse((DOCS / name).read_text("utf-8")):
        if token.type == "inline":
            yield token


def named(name: str) -> list[str]:
    """What stands in italics; `Overview → Change` names two."""
    found = []
    for token in inline(name):
        children = token.children or []
        for at, child in enumerate(children):
            if child.type == "em_open":
                end = next(n for n in range(at, len(children)) if children[n].type == "em_close")
                text = "".join(one.content or " " for one in children[at + 1 : end])
                found += [part.strip() for part in text.split("→")]
    return found


def links(name: str) -> Iterator[str]:
    for token in inline(name):
        for child in token.children or []:
            if child.type == "link_open":
                yield str(child.attrGet("href"))


def known_as(texts: set[str]) -> list[re.Pattern[str]]:
    return [pattern(text) for text in texts if PLACE.sub("", text).strip()]


@pytest.fixture(scope="module")
def in_english() -> list[re.Pattern[str]]:
    return known_as({text for message in in_sources() for text in message[1:] if text})


@pytest.fixture(scope="module")
def in_german() -> list[re.Pattern[str]]:
    return known_as({text for translations in in_catalogue(PO).values() for text in translations if text})


@pytest.mark.parametrize("name", ENGLISH)
def test_an_english_manual_names_what_is_called_so(name: str, in_english: list[re.Pattern[str]]) -> None:
    assert [word for word in named(name) if not any(one.fullmatch(word) for one in in_english)] == []


@pytest.mark.parametrize("name", GERMAN)
def test_a_german_manual_names_what_is_called_so(name: str, in_german: list[re.Pattern[str]]) -> None:
    words = [word for word in named(name) if word != "schräg"]
    assert len(words) > (1 if "betreiben" in name else 8)
    assert [word for word in words if not any(one.fullmatch(word) for one in in_german)] == []


@pytest.mark.parametrize(("name", "language"), [("organisers.md", "en"), ("de/organisieren.md", "de")])
def test_the_keys_of_the_desk_are_those_of_its_buttons(name: str, language: str) -> None:
    with translation.override(language):
        wanted = [pgettext("key", key) for key in "hupw"]
    rows = re.findall(r"^\|((?: ?`[a-z]`)+) \|", (DOCS / name).read_text("utf-8"), re.MULTILINE)
    assert [re.findall("`([a-z])`", row) for row in rows] == [wanted]
    assert len(set(wanted)) == 4


@pytest.mark.parametrize("name", GERMAN)
def test_a_german_manual_is_written_for_a_swiss_club(name: str) -> None:
    text = re.sub(r"```.*?```|`[^`]*`|\*\*", "", (DOCS / name).read_text("utf-8"), flags=re.DOTALL)
    for line in text.splitlines():
        assert not QUOTES.search(line), line
        assert not NEVER.search(line), line
    for sentence in re.split(r"(?<=[.:!?])\s+|\n\n|\|", text):
        assert not OTHER_FORM["de"].search(sentence.replace("*", "").strip("# \n")), sentence


@pytest.mark.parametrize("name", ENGLISH + GERMAN)
def test_what_a_manual_links_to_is_there(name: str) -> None:
    for href in links(name):
        if href.startswith(("http", "#")):
            continue
        target, _hash, anchor = href.partition("#")
        file = Path((DOCS / name).parent, target)
        assert file.is_file(), href
        headings = [
            slugify(line.lstrip("# ")) for line in file.read_text("utf-8").splitlines() if line[:1] == "#"
        ]
        assert not anchor or anchor in headings, href


@pytest.mark.django_db
@pytest.mark.parametrize("key", MANUALS)
def test_a_manual_is_a_page_in_the_reader_s_language(key: str) -> None:
    browser = Client()
    for language, sample in (("de", " und "), ("en", " the ")):
        browser.cookies["django_language"] = language
        page = html(browser.get(reverse("manual", args=[key])))
        read = " ".join(visible(page))
        assert sample in read
        assert "](" not in read
        assert "**" not in read
        anchors = ANCHOR.findall(page)
        assert all(anchor in anchors for anchor in re.findall(r'href="#([^"]+)"', page))
        if language == "de":
            assert [*english(page), *codes(page)] == []


@pytest.mark.django_db
def test_manuals_lead_to_each_other_and_never_out_of_the_platform() -> None:
    page = html(Client().get(reverse("manual", args=["organisers"])))
    assert f'href="{reverse("manual", args=["referees"])}"' in page
    assert ".md" not in page
    assert Client().get(reverse("manual", args=["secrets"])).status_code == 404
