"""Both decks as committed sprites: complete, small, and what the script draws."""

import gzip
import xml.etree.ElementTree as ElementTree

import pytest

from frontend.cards import CODES
from frontend.decks.__main__ import CARDS
from frontend.decks.sheet import sprite

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
