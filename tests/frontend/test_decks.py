"""Both decks as committed sprites: complete, small, and equal to the script's output."""

import gzip
import re
import xml.etree.ElementTree as ElementTree

import pytest
from django.test import RequestFactory
from django.utils import translation

from frontend.card_names import CODES
from frontend.decks.__main__ import CARDS
from frontend.decks.sprite import sprite
from frontend.preferences import read_preference
from tests.frontend.catalogues import ROOT, in_sources

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("deck", ["fr", "ch"])
def test_the_committed_sprite_is_what_the_script_draws(deck: str) -> None:
    assert (CARDS / f"{deck}.svg").read_text(encoding="utf-8") == sprite(deck)


@pytest.mark.parametrize("deck", ["fr", "ch"])
def test_a_sprite_holds_every_card_the_back_and_the_four_signs_once(deck: str) -> None:
    ids = [symbol.get("id") for symbol in ElementTree.fromstring(sprite(deck)).iter(f"{SVG}symbol")]

    assert sorted(filter(None, ids)) == sorted(
        [f"{deck}-{code}" for code in CODES] + [f"{deck}-back"] + [f"{deck}-pip-{suit}" for suit in "DHSC"]
    )


@pytest.mark.parametrize("deck", ["fr", "ch"])
def test_a_sprite_is_small_enough_for_the_network_of_a_hall(deck: str) -> None:
    assert len(gzip.compress(sprite(deck).encode())) <= 40_000


@pytest.mark.parametrize(("language", "usual"), [("de", "ch"), ("en", "ch"), ("fr", "fr"), ("it", "fr")])
def test_the_deck_is_that_of_the_country_of_a_language_until_somebody_chooses(
    language: str, usual: str
) -> None:
    request = RequestFactory().get("/")
    with translation.override(language):
        assert read_preference(request, "deck") == usual
        for own in ("ch", "fr"):
            request.COOKIES["puur_deck"] = own
            assert read_preference(request, "deck") == own
        request.COOKIES["puur_deck"] = "tarot"
        assert read_preference(request, "deck") == usual
        assert read_preference(request, "theme") == "auto"


OF_THE_FRENCH_DECK = re.compile(r"\b(jack|queen)\b", re.IGNORECASE)
OF_THE_SWISS_GERMAN_DECK = re.compile(r"\b(Ober|ober)\b")
NAMES_OF_CARDS = {"card", "rank of a card"}
PAIRS = {"king and queen of trumps", "king and ober of trumps"}


def test_sentences_name_no_card_that_is_called_otherwise_in_the_other_deck() -> None:
    either = [OF_THE_FRENCH_DECK, OF_THE_SWISS_GERMAN_DECK]
    named = {
        text
        for context, text, _plural in in_sources()
        if context not in NAMES_OF_CARDS and any(words.search(text) for words in either)
    }
    assert named == PAIRS


def test_the_rules_in_words_name_such_a_card_in_both_decks_or_in_neither() -> None:
    french = re.compile(r"\b(Jack|Queen|Bube|Dame|valet|dame|fante|dama|Jota|Dama)\b")
    swiss = re.compile(r"\b(Under|Ober)\b")
    texts = [
        line
        for path in (ROOT / "frontend" / "rules" / "texts").rglob("*.html")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert texts
    assert not [line for line in texts if bool(french.search(line)) != bool(swiss.search(line))]
