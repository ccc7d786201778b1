"""No string outside gettext, none missing in a language, and the compiled files match the catalogues."""

import gettext
import re
from pathlib import Path

import pytest

from frontend.presenters.verification.verify_words import VERIFY
from frontend.presenters.words.script_sentences import CATALOGUE
from frontend.presenters.words.writing_words import RESULTS
from tests.frontend.catalogues import ROOT, Message, in_catalogue, in_sources

LOCALE = ROOT / "frontend" / "locale"
PO = LOCALE / "de" / "LC_MESSAGES" / "django.po"
PLACES = re.compile(r"%\(\w+\)[sd]|\{\w+\}")


Catalogue = dict[Message, list[str]]


@pytest.fixture(scope="module", params=sorted(path.name for path in LOCALE.iterdir() if path.is_dir()))
def written(request: pytest.FixtureRequest) -> Path:
    """The catalogue of a language."""
    return LOCALE / str(request.param) / "LC_MESSAGES" / "django.po"


@pytest.fixture(scope="module")
def translated(written: Path) -> Catalogue:
    return in_catalogue(written)


@pytest.fixture(scope="module")
def sources() -> set[Message]:
    return in_sources()


def test_every_marked_string_is_translated(translated: Catalogue, sources: set[Message]) -> None:
    missing = {message for message in sources if not all(translated.get(message, [""]))}

    assert missing == set()


def test_a_translation_fills_in_the_same_places(translated: Catalogue) -> None:
    for (_context, text, plural), translations in translated.items():
        wanted = set(PLACES.findall(text)) | set(PLACES.findall(plural))
        for one in translations:
            assert set(PLACES.findall(one)) <= wanted, text
        assert set(PLACES.findall(translations[-1])) == wanted, text


def test_german_is_written_as_in_switzerland() -> None:
    assert not [
        text
        for text, translations in in_catalogue(PO).items()
        if any("ß" in t or "„" in t for t in translations)
    ]


def test_french_breaks_no_line_before_a_colon_or_a_mark() -> None:
    assert not [
        text
        for text, translations in in_catalogue(LOCALE / "fr" / "LC_MESSAGES" / "django.po").items()
        if any(re.search(r"\w [:;?!](?:\s|$)", one) for one in translations)
    ]


def test_the_compiled_catalogue_is_up_to_date(written: Path, translated: Catalogue) -> None:
    with written.with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)

    for (context, text, plural), translations in translated.items():
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
