"""One trick: the mode it is played in, also looked at afterwards, and its strongest card."""

import pytest

from engine.cards import INDEX
from engine.commands import Choose
from engine.contracts import BOTTOM_UP, TOP_DOWN
from engine.registry import get_rules
from engine.tricks.modes import current_mode, mode_at, strongest
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, SUIT_EACH, Table, club_table

HEARTS = 1


def test_without_a_contract_tricks_go_top_down_and_with_one_as_it_says() -> None:
    assert mode_at(None, 9, 0) == TOP_DOWN
    assert mode_at("hearts", 9, 8) == HEARTS
    assert [mode_at("slalom-undenufe", 9, done) for done in range(3)] == [BOTTOM_UP, TOP_DOWN, BOTTOM_UP]
    assert [mode_at("guschti-obenabe", 9, done) for done in (4, 5)] == [TOP_DOWN, BOTTOM_UP]
    assert [mode_at("guschti-obenabe", 12, done) for done in (5, 6)] == [TOP_DOWN, BOTTOM_UP]


def test_each_trick_of_a_slalom_being_played_has_its_own_mode() -> None:
    table = club_table("slalom-undenufe", contracts=["spades", "slalom-undenufe"])
    assert current_mode(table.state) == BOTTOM_UP
    table.play("S6 H6 D6 C6")
    assert current_mode(table.state) == TOP_DOWN


def test_tricks_before_a_card_named_trumps_went_top_down_and_stay_so() -> None:
    hands = ["S6 C6 D6 D7 D8 D9 D10 DJ DQ", "S7 H6 C7 C8 C9 C10 CJ CQ CK", "S8 CA DK DA H7 H8 H9 H10 HJ",
             "S9 S10 SJ SQ SK SA HQ HK HA"]  # fmt: skip
    table = Table("plus-minus")
    table.deal(hands, dealer=DARIO)
    assert current_mode(table.state) == TOP_DOWN
    table.play("S6 S7 S8 S9")
    table.play("SA D6 H6 DK")
    assert table.state.contract == "diamonds"
    record = table.state.record()
    assert [get_rules(table.state).mode_in(record, at) for at in (0, 1)] == [TOP_DOWN, 0]


def test_a_contract_that_a_transcript_tells_late_held_for_its_first_trick_as_well() -> None:
    table = Table(mode="transcribed")
    table.deal(SUIT_EACH, dealer=DARIO)
    table.put((ANNA, "S6"), (BEAT, "H6"), (CHIARA, "D6"), (DARIO, "C6"))
    table.do(Choose(seat=ANNA, contract="hearts"))
    assert get_rules(table.state).mode_in(table.state.record(), 0) == HEARTS


@pytest.mark.parametrize(
    ("mode", "lying", "place"),
    [
        (TOP_DOWN, "S6 SK HA S10", 1),
        (BOTTOM_UP, "S7 SK S6 HA", 2),
        (HEARTS, "SA H6 HJ H9", 2),
        (HEARTS, "S6 C7 S7 DA", 2),
        (0, "D6 S6 S7 S8", 0),
    ],
)
def test_the_strongest_card_is_the_highest_trump_or_follows(mode: int, lying: str, place: int) -> None:
    assert strongest([INDEX[card] for card in lying.split()], mode) == place


@pytest.mark.parametrize("place", [1, 2, 3])
def test_an_unknown_card_is_weaker_than_the_weakest_known_one(place: int) -> None:
    lying = [INDEX["C6"], INDEX["S7"], INDEX["D6"], INDEX["S8"]]
    lying[place] = -1
    assert strongest(lying, TOP_DOWN) == 0
    assert strongest([INDEX["C6"], -1, -1, INDEX["D6"]], 0) == 3
