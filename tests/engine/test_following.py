"""Which cards may be played: the worked examples of the rules, and what holds for every hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import cards
from engine.card_points import VALUES
from engine.contracts import BOTTOM_UP, TOP_DOWN
from engine.tricks.following import FOLLOWING
from engine.tricks.trick_tables import build_tables

DIAMONDS, HEARTS, SPADES, CLUBS = range(4)
MODES = st.integers(0, 5)
HANDS = st.sets(st.integers(0, 35), min_size=1, max_size=9)


def legal(rule: str, mode: int, lying: str, hand: str) -> str:
    numbers = [cards.INDEX[code] for code in lying.split()]
    return " ".join(cards.codes(FOLLOWING[rule][mode](cards.mask(hand.split()), numbers)))


@pytest.mark.parametrize("rule", FOLLOWING)
def test_the_puur_alone_need_not_be_played(rule: str) -> None:
    assert legal(rule, SPADES, "SA", "SJ H9") == "H9 SJ"
    assert legal(rule, SPADES, "SA", "SJ S6 H9") == "S6 SJ"
    assert legal(rule, SPADES, "SA", "H9 D6") == "D6 H9"


@pytest.mark.parametrize(
    ("hand", "only_trumps", "void", "forced"),
    [
        ("C7 H7 HA D6", "HA C7", "HA C7", "HA C7"),
        ("H7 HA D6", "D6 HA", "D6 H7 HA", "HA"),
        ("H7 H6", "H6 H7", "H6 H7", "H6 H7"),
        ("H7 D6", "D6", "D6 H7", "H7"),
        ("D6 S7", "D6 S7", "D6 S7", "D6 S7"),
    ],
)
def test_undertrumping_where_clubs_were_led_and_trumped_with_the_eight(
    hand: str, only_trumps: str, void: str, forced: str
) -> None:
    assert legal("only-trumps", HEARTS, "C10 H8", hand) == only_trumps
    assert legal("void", HEARTS, "C10 H8", hand) == void
    assert legal("forced", HEARTS, "C10 H8", hand) == forced


def test_the_highest_trump_lying_counts() -> None:
    assert legal("only-trumps", HEARTS, "C10 H7 HK", "HQ D6") == "D6"
    assert legal("only-trumps", HEARTS, "C10 HK H7", "HQ D6") == "D6"


def test_a_trump_may_be_played_where_the_suit_could_be_followed() -> None:
    assert legal("only-trumps", HEARTS, "C10", "C6 H6 D6") == "H6 C6"
    assert legal("only-trumps", HEARTS, "C10", "D6 H6") == "D6 H6"


@pytest.mark.parametrize("mode", [TOP_DOWN, BOTTOM_UP])
@pytest.mark.parametrize("rule", FOLLOWING)
def test_without_trumps_the_suit_is_followed_or_anything_played(rule: str, mode: int) -> None:
    assert legal(rule, mode, "C10", "C6 H6 D6") == "C6"
    assert legal(rule, mode, "C10", "H6 D6") == "D6 H6"


def test_a_forced_trump_leaves_the_puur_free() -> None:
    assert legal("forced", HEARTS, "C10 H9", "HJ H7 D6") == "H7 HJ"
    assert legal("forced", HEARTS, "C10 H9", "C6 HJ H7") == "HJ C6"
    assert legal("forced", HEARTS, "C10 H9", "HJ D6") == "D6 HJ"
    assert legal("forced", HEARTS, "C10 D7", "HJ H7 D6") == "D6 H7 HJ"


def test_strict_following_demands_a_trump_of_who_cannot_follow() -> None:
    assert legal("strict", HEARTS, "C10", "C6 H6 D6") == "H6 C6"
    assert legal("strict", HEARTS, "C10", "D6 H6 HJ") == "H6 HJ"
    assert legal("strict", HEARTS, "C10", "D6 HJ") == "D6 HJ"
    assert legal("strict", HEARTS, "C10", "D6 S6") == "D6 S6"


@given(st.sampled_from(sorted(FOLLOWING)), MODES, HANDS, st.lists(st.integers(0, 35), min_size=1, max_size=3))
def test_some_card_of_the_hand_is_always_legal(
    rule: str, mode: int, hand: set[int], lying: list[int]
) -> None:
    held = sum(1 << card for card in hand)
    found = FOLLOWING[rule][mode](held, lying)
    assert found
    assert not found & ~held


@given(st.sampled_from(sorted(FOLLOWING)), MODES, HANDS, st.lists(st.integers(0, 35), min_size=1, max_size=3))
def test_the_suit_led_may_always_be_followed(rule: str, mode: int, hand: set[int], lying: list[int]) -> None:
    held = sum(1 << card for card in hand)
    suit = held & cards.SUIT_MASK[lying[0] // 9]
    assert FOLLOWING[rule][mode](held, lying) & suit == suit


@given(st.sampled_from(sorted(FOLLOWING)), MODES, HANDS, st.lists(st.integers(0, 35), min_size=1, max_size=3))
def test_without_a_special_card_following_is_a_question_of_suit(
    rule: str, mode: int, hand: set[int], lying: list[int]
) -> None:
    held = sum(1 << card for card in hand)
    way = build_tables(FOLLOWING[rule][mode], VALUES["obenabe"], mode)[lying[0] // 9]
    if not held & way.special:
        assert FOLLOWING[rule][mode](held, lying) == (held & way.asked or held)


@given(st.sampled_from(["only-trumps", "void", "strict"]), MODES, HANDS, HANDS, st.integers(0, 35))
def test_what_a_part_of_a_hand_forbids_the_whole_hand_forbids(
    rule: str, mode: int, part: set[int], rest: set[int], led: int
) -> None:
    known = sum(1 << card for card in part)
    whole = known | sum(1 << card for card in rest)
    follow = FOLLOWING[rule][mode]
    assert not follow(whole, [led]) & known & ~follow(known, [led])
