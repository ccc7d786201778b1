"""No string outside gettext, none without its German, and the compiled file is that of the written one."""

import gettext
import re

import pytest

from frontend.presenters.results import RESULTS
from frontend.presenters.verify_words import VERIFY
from frontend.presenters.words import CATALOGUE
from tests.frontend.catalogues import ROOT, Message, in_catalogue, in_sources

PO = ROOT / "frontend" / "locale" / "de" / "LC_MESSAGES" / "django.po"
PLACES = re.compile(r"%\(\w+\)[sd]|\{\w+\}")


@pytest.fixture(scope="module")
def german() -> dict[Message, list[str]]:
    return in_catalogue(PO)


def test_every_marked_string_has_its_german(german: dict[Message, list[str]]) -> None:
    missing = {message for message in in_sources() if not all(german.get(message, [""]))}

    assert missing == set()


def test_a_translation_fills_in_the_same_places(german: dict[Message, list[str]]) -> None:
    for (_context, text, plural), translations in german.items():
        wanted = set(PLACES.findall(text)) | set(PLACES.findall(plural))
        for translated in translations:
            assert set(PLACES.findall(translated)) <= wanted, text
        assert set(PLACES.findall(translations[-1])) == wanted, text


def test_german_is_written_as_in_switzerland(german: dict[Message, list[str]]) -> None:
    assert not [
        text for text, translations in german.items() if any("ß" in t or "„" in t for t in translations)
    ]


def test_the_compiled_catalogue_is_up_to_date(german: dict[Message, list[str]]) -> None:
    with PO.with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)

    for (context, text, plural), translations in german.items():
        if plural and context:
            found = [compiled.npgettext(context, text, plural, n) for n in (1, 2)]
        elif plural:
            found = [compiled.ngettext(text, plural, n) for n in (1, 2)]
        else:
            found = [compiled.pgettext(context, text) if context else compiled.gettext(text)]
        assert found == translations, text


def test_scripts_say_nothing_that_the_catalogue_does_not_hold() -> None:
    keys = set(CATALOGUE) | set(VERIFY) | set(RESULTS)
    asked = set()
    for path in (ROOT / "frontend" / "src").rglob("*.ts"):
        asked |= set(re.findall(r'\bsay\("([^"]+)"', path.read_text(encoding="utf-8")))
        asked |= {
            key
            for pair in re.findall(
                r'\bsay\(\w+(?:\.\w+)? \? "([^"]+)" : "([^"]+)"', path.read_text(encoding="utf-8")
            )
            for key in pair
        }

    assert len(asked) > 40
    assert asked - keys == set()
