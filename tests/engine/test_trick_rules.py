"""What a game's options say of its tricks, and what holds where they say nothing."""

from typing import Any

import pytest
from msgspec import Struct

from engine import VARIANTS
from engine.rules import TrickRules
from engine.tricks.following import FOLLOWING
from engine.variants.options import trick_rules


def test_a_game_without_options_for_tricks_plays_them_as_they_are_played_mostly() -> None:
    class Options(Struct):
        deals: int = 8

    assert trick_rules(Options()) == TrickRules()


@pytest.mark.parametrize("undertrump", FOLLOWING)
def test_the_way_of_following_is_an_option_by_its_name(undertrump: str) -> None:
    options: Any = VARIANTS["la-pomme"].options(undertrump=undertrump)

    assert trick_rules(options).following is FOLLOWING[undertrump]


def test_what_a_game_says_itself_goes_beside_its_options() -> None:
    rules = trick_rules(VARIANTS["schieber"].options(sweep_bonus=50), names_trumps=True)

    assert (rules.sweep_bonus, rules.names_trumps) == (50, True)
