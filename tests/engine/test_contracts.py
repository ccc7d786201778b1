"""Trick orders and card values of the ten contracts."""

import pytest

from engine import cards
from engine.contracts import CONTRACTS, MODES, STRENGTH, VALUES, modes_of
from engine.tricks import mode_at, strongest


@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_deck_is_worth_152_in_every_contract(contract: str) -> None:
    assert sum(VALUES[contract]) == 152


@pytest.mark.parametrize(
    ("contract", "trump", "beside"),
    [("hearts", 62, 30), ("obenabe", 38, 38), ("undenufe", 38, 38), ("slalom-undenufe", 38, 38)],
)
def test_suits_sum_to_what_the_table_says(contract: str, trump: int, beside: int) -> None:
    values = VALUES[contract]
    assert sum(values[9:18]) == trump
    assert sum(values[0:9]) == sum(values[18:27]) == beside


def test_slalom_and_guschti_keep_the_values_of_the_direction_named_first() -> None:
    assert VALUES["slalom-undenufe"] == VALUES["guschti-undenufe"] == VALUES["undenufe"]
    assert VALUES["slalom-obenabe"] == VALUES["guschti-obenabe"] == VALUES["obenabe"]
    assert VALUES["undenufe"][cards.INDEX["DA"]] == 0
    assert VALUES["undenufe"][cards.INDEX["D6"]] == 11


def test_slalom_alternates_and_guschti_turns_after_five_or_six_tricks() -> None:
    assert modes_of("slalom-obenabe", 9) == (4, 5, 4, 5, 4, 5, 4, 5, 4)
    assert modes_of("guschti-undenufe", 9) == (5, 5, 5, 5, 5, 4, 4, 4, 4)
    assert modes_of("guschti-obenabe", 12) == (4,) * 6 + (5,) * 6
    assert MODES["spades"][9] == (2,) * 9
    assert mode_at("slalom-undenufe", 9, 1) == 4
    assert mode_at(None, 9, 1) == 4


@pytest.mark.parametrize(
    ("mode", "trick", "winner"),
    [
        (1, "C10 H8 HJ H9", "HJ"),
        (1, "C10 H8 H9 HA", "H9"),
        (1, "C10 CA C6 D6", "CA"),
        (1, "H10 HQ H8 CA", "HQ"),
        (4, "C10 HA CJ C6", "CJ"),
        (5, "C10 H6 CJ C7", "C7"),
        (5, "C10 HA DA S6", "C10"),
    ],
)
def test_the_strongest_card_takes_the_trick(mode: int, trick: str, winner: str) -> None:
    codes = trick.split()
    assert codes[strongest([cards.INDEX[code] for code in codes], mode)] == winner


@pytest.mark.parametrize("mode", range(6))
def test_a_card_that_is_not_known_takes_no_trick(mode: int) -> None:
    for led in range(36):
        assert strongest([led, -1, -1], mode) == 0


def test_the_order_of_trumps() -> None:
    order = sorted(range(9), key=lambda rank: -STRENGTH[0][1][rank])
    assert [cards.DECK[card] for card in order] == ["DJ", "D9", "DA", "DK", "DQ", "D10", "D8", "D7", "D6"]
