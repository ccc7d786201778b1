"""Every page in every language: no text in another one, nothing wider than a phone.

English is the language of the messages; German pages, also with errors, are in test_german_pages.
"""

from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.test import Client

from tests.frontend.evening import championship, client, html, opened, table, work
from tests.frontend.pages import addresses, parts_of
from tests.frontend.visible import codes, english, german

pytestmark = pytest.mark.django_db

OTHERS = [code for code, _name in settings.LANGUAGES if code not in {"en", "de"}]


def reader(name: str | None, language: str) -> Client:
    browser = client(name)
    browser.cookies["django_language"] = language
    return browser


@pytest.mark.long(1)
@pytest.mark.parametrize("mode", ["sheet", "dealt", "transcribed"])
@pytest.mark.parametrize("language", OTHERS)
def test_a_page_says_nothing_in_another_language(language: str, mode: str) -> None:
    pages = addresses(parts_of(table(opened(mode, people=5, language=language), 1)))
    work()
    wrong = {}
    for role in (None, "fredi"):
        browser = reader(role, language)
        for name, address in pages.items():
            answer = browser.get(address)
            if name != "manual" and "text/html" in answer.headers.get("Content-Type", ""):
                shown = html(answer)
                found = [*english(shown, language), *german(shown), *codes(shown)]
                if found:
                    wrong[name] = found
    assert wrong == {}


DAYS = [
    ("it", "Giovedì 26 novembre 2026", "Gio"),
    ("fr", "Jeudi", "Jeu"),
    ("es", "Jueves", "Jue"),
    ("de", "Donnerstag", "Do"),
]


@pytest.mark.parametrize(("language", "day", "short"), DAYS)
def test_a_date_that_stands_alone_begins_with_a_capital(language: str, day: str, short: str) -> None:
    """Within a sentence the small letter of Italian, French and Spanish is right."""
    starts = datetime(2026, 11, 26, 19, 30, tzinfo=UTC)
    made = championship(4, language=language, starts_at=starts)
    assert f"<span>{day}" in html(reader(None, language).get(f"/c/{made.slug}/"))
    assert f"<span>{short}<" in html(reader(None, language).get("/"))


@pytest.mark.parametrize("language", OTHERS)
def test_a_page_is_marked_with_the_language_that_it_is_written_in(language: str) -> None:
    home = html(reader(None, language).get("/"))
    assert f'<html lang="{language}"' in home
    assert f'value="{language}" lang="{language}" aria-pressed="true"' in home


@pytest.mark.parametrize("language", OTHERS)
def test_a_manual_that_is_not_translated_says_so(language: str) -> None:
    shown = html(reader(None, language).get("/manual/organisers/"))
    assert '<div class="rules-page manual" lang="en">' in shown


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_manual_in_the_language_of_its_reader_says_nothing_of_it(language: str) -> None:
    shown = html(reader(None, language).get("/manual/organisers/"))
    assert '<div class="rules-page manual">' in shown
    assert '<p class="message">' not in shown
