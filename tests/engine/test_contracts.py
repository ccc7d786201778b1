"""Trick orders and card values of the ten contracts."""

from itertools import combinations

import pytest

from engine import cards
from engine.card_points import VALUES
from engine.contracts import (
    BOTTOM_UP,
    CONTRACTS,
    MODES,
    PUUR,
    STRENGTH,
    TOP_DOWN,
    TRUMPS,
    first_mode,
    trick_modes,
)
from engine.melds.stoeck import STOECK
from engine.tricks.following import FOLLOWING
from engine.tricks.modes import mode_at, strongest

PLAIN_VALUES = dict(zip(cards.RANKS, (0, 0, 0, 0, 10, 2, 3, 4, 11), strict=True))
TRUMP_VALUES = {**PLAIN_VALUES, "J": 20, "9": 14}
VALUES_BY_MODE = {
    TOP_DOWN: {**PLAIN_VALUES, "8": 8},
    BOTTOM_UP: {**PLAIN_VALUES, "8": 8, "A": 0, "6": 11},
}
TRUMP_ORDER = ["J", "9", "A", "K", "Q", "10", "8", "7", "6"]
TOP_DOWN_ORDER = ["A", "K", "Q", "J", "10", "9", "8", "7", "6"]
MAX_DEAL_LENGTH = 18  # two seats share the deck


@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_deck_is_worth_152_in_every_contract(contract: str) -> None:
    assert sum(VALUES[contract]) == 152


@pytest.mark.parametrize("contract", CONTRACTS)
def test_each_card_counts_what_the_table_of_the_rules_says(contract: str) -> None:
    mode = first_mode(contract)
    for card, code in enumerate(cards.DECK):
        suit, rank = code[0], code[1:]
        table = VALUES_BY_MODE.get(mode) or (TRUMP_VALUES if suit == cards.SUITS[mode] else PLAIN_VALUES)
        assert VALUES[contract][card] == table[rank], code


def test_each_card_is_as_strong_as_the_order_of_the_rules_says(subtests: pytest.Subtests) -> None:
    for contract in ["diamonds", "hearts", "spades", "clubs", "obenabe", "undenufe"]:
        for led in cards.SUITS:
            with subtests.test(contract=contract, led=led):
                mode = first_mode(contract)
                order = [
                    led + rank for rank in (TOP_DOWN_ORDER if mode != BOTTOM_UP else TOP_DOWN_ORDER[::-1])
                ]
                if mode < TOP_DOWN:
                    trump = cards.SUITS[mode]
                    order = [trump + rank for rank in TRUMP_ORDER] + (order if led != trump else [])
                strength = STRENGTH[mode][cards.SUITS.index(led)]
                for high, low in combinations(order, 2):
                    assert strength[cards.INDEX[high]] > strength[cards.INDEX[low]] > 0
                for other in set(cards.DECK) - {*order}:
                    assert strength[cards.INDEX[other]] == 0


@pytest.mark.parametrize("contract", ["diamonds", "hearts", "spades", "clubs"])
def test_each_trump_may_be_played_over_the_lower_ones_and_under_none(contract: str) -> None:
    mode = first_mode(contract)
    trump, led, other = (cards.SUITS[(mode + more) % 4] for more in (0, 1, 2))
    for first, second in combinations(TRUMP_ORDER, 2):
        high, low = cards.INDEX[trump + first], cards.INDEX[trump + second]
        plain = cards.INDEX[other + "7"]
        for own, lying in ((high, low), (low, high)):
            legal = FOLLOWING["only-trumps"][mode](1 << own | 1 << plain, [cards.INDEX[led + "9"], lying])
            assert (legal >> own & 1) == (own == high)
            assert legal >> plain & 1


@pytest.mark.parametrize("contract", ["diamonds", "hearts", "spades", "clubs"])
def test_the_stoeck_is_king_and_queen_of_trumps_and_the_puur_its_jack(contract: str) -> None:
    mode = first_mode(contract)
    trump = cards.SUITS[mode]
    assert STOECK[mode] == cards.mask([trump + "K", trump + "Q"])
    assert PUUR[mode] == cards.mask([trump + "J"])
    assert TRUMPS[mode] == cards.mask(trump + rank for rank in cards.RANKS)


@pytest.mark.parametrize("contract", ["diamonds", "hearts", "spades", "clubs"])
def test_of_all_trumps_the_jack_alone_need_not_follow(contract: str) -> None:
    mode = first_mode(contract)
    trump, other = cards.SUITS[mode], cards.SUITS[mode - 1]
    for rank in cards.RANKS:
        held = cards.mask([trump + rank, other + "6"])
        led = cards.INDEX[trump + ("A" if rank != "A" else "K")]
        legal = FOLLOWING["only-trumps"][mode](held, [led])
        assert legal == (held if rank == "J" else cards.mask([trump + rank]))


@pytest.mark.parametrize("contract", CONTRACTS)
def test_deals_of_any_length_have_a_mode_for_each_trick(contract: str) -> None:
    for tricks in range(1, MAX_DEAL_LENGTH + 1):
        assert MODES[contract][tricks] == trick_modes(contract, tricks)
        assert len(MODES[contract][tricks]) == tricks


@pytest.mark.parametrize(
    ("contract", "trump", "beside"),
    [("hearts", 62, 30), ("obenabe", 38, 38), ("undenufe", 38, 38), ("slalom-undenufe", 38, 38)],
)
def test_suits_sum_to_what_the_table_says(contract: str, trump: int, beside: int) -> None:
    values = VALUES[contract]
    assert sum(values[9:18]) == trump
    assert sum(values[0:9]) == sum(values[18:27]) == beside


def test_the_contracts_are_those_of_the_rules_and_each_begins_in_its_mode() -> None:
    assert [(contract, first_mode(contract)) for contract in CONTRACTS] == [
        *(("diamonds", 0), ("hearts", 1), ("spades", 2), ("clubs", 3)),
        *(("obenabe", TOP_DOWN), ("undenufe", BOTTOM_UP)),
        *(("slalom-obenabe", TOP_DOWN), ("slalom-undenufe", BOTTOM_UP)),
        *(("guschti-obenabe", TOP_DOWN), ("guschti-undenufe", BOTTOM_UP)),
    ]


def test_slalom_and_guschti_keep_the_values_of_the_direction_named_first() -> None:
    assert VALUES["slalom-undenufe"] == VALUES["guschti-undenufe"] == VALUES["undenufe"]
    assert VALUES["slalom-obenabe"] == VALUES["guschti-obenabe"] == VALUES["obenabe"]
    assert VALUES["undenufe"][cards.INDEX["DA"]] == 0
    assert VALUES["undenufe"][cards.INDEX["D6"]] == 11


def test_slalom_alternates_and_guschti_turns_after_five_or_six_tricks() -> None:
    assert trick_modes("slalom-obenabe", 9) == (4, 5, 4, 5, 4, 5, 4, 5, 4)
    assert trick_modes("guschti-undenufe", 9) == (5, 5, 5, 5, 5, 4, 4, 4, 4)
    assert trick_modes("guschti-obenabe", 12) == (4,) * 6 + (5,) * 6
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
