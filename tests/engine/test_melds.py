"""Melds: what is one, whose is best, what the table hears and sees."""

from typing import Any

import pytest

from engine import Observer, cards, encode, view_for
from engine.commands import Play
from engine.events import MeldsDeclared, MeldsScored
from engine.melds import best, found_in, of_mask
from engine.state import Declaration
from tests.engine.tables import ANNA, BEAT, DARIO, EVA, club_table, only, types

HANDS = ["D6 S6 S7 S8 S9 S10 SJ H6 H7", "D7 C6 C7 C8 C9 C10 CJ CQ H8", "D8 D10 DJ H9 H10 HJ SQ SK SA",
         "D9 DQ DK DA HQ HK HA CK CA"]  # fmt: skip


def points(codes: str) -> int | None:
    meld = of_mask(cards.mask(codes.split()))
    return meld and meld.points


@pytest.mark.parametrize(
    ("codes", "worth"),
    [
        ("S6 S7 S8", 20),
        ("S6 S7 S8 S9", 50),
        ("S6 S7 S8 S9 S10", 100),
        ("S6 S7 S8 S9 S10 SJ", 150),
        ("S6 S7 S8 S9 S10 SJ SQ SK SA", 300),
        ("D6 H6 S6 C6", 100),
        ("D9 H9 S9 C9", 150),
        ("DJ HJ SJ CJ", 200),
        ("S6 S7", None),
        ("S6 S7 S9", None),
        ("DK DA H6", None),
        ("D6 H6 S6 C7", None),
    ],
)
def test_what_melds_are_worth(codes: str, worth: int | None) -> None:
    assert points(codes) == worth


def test_a_hand_is_searched_for_every_whole_run_and_four_of_a_kind() -> None:
    hand = cards.mask(["D6", "H6", "S6", "C6", "D7", "D8", "CQ", "CK", "CA"])
    assert {" ".join(cards.codes(meld.cards)) for meld in found_in(hand)} == {
        "D6 D7 D8",
        "CQ CK CA",
        "D6 H6 S6 C6",
    }
    assert len(found_in(hand, low_quads=False)) == 2


def winner(contract: str, tie: str, *declared: str) -> int:
    said = [
        Declaration(seat, (), tuple(cards.mask(meld.split()) for meld in melds.split("|")))
        for seat, melds in enumerate(declared)
    ]
    return best(said, contract, tie)


@pytest.mark.parametrize(
    ("contract", "tie", "declared", "seat"),
    [
        ("hearts", "puur", ("S6 S7 S8", "C6 C7 C8 C9"), 1),  # more points
        ("hearts", "puur", ("D6 H6 S6 C6", "C7 C8 C9 C10 CJ"), 1),  # more cards
        ("hearts", "puur", ("S6 S7 S8", "C7 C8 C9"), 1),  # higher top card
        ("obenabe", "puur", ("S6 S7 S8", "C7 C8 C9"), 1),
        ("undenufe", "puur", ("S6 S7 S8", "C7 C8 C9"), 0),  # lower bottom card
        ("slalom-undenufe", "puur", ("S6 S7 S8", "C7 C8 C9"), 0),
        ("hearts", "puur", ("D6 H6 S6 C6", "D7 H7 S7 C7"), 1),
        ("undenufe", "puur", ("D6 H6 S6 C6", "D7 H7 S7 C7"), 0),
        ("hearts", "puur", ("S9 S10 SJ", "H9 H10 HJ"), 1),  # holds the Puur
        ("hearts", "puur", ("S6 S7 S8", "H6 H7 H8"), 0),  # declared first
        ("hearts", "trump", ("S6 S7 S8", "H6 H7 H8"), 1),  # in trumps
        ("hearts", "trump", ("S9 S10 SJ", "C9 C10 CJ"), 0),
        ("hearts", "puur", ("S6 S7 S8|C6 C7 C8 C9", "D6 D7 D8 D9"), 0),
    ],
)
def test_whose_single_meld_is_best(contract: str, tie: str, declared: tuple[str, ...], seat: int) -> None:
    assert winner(contract, tie, *declared) == seat


def test_the_best_side_scores_all_its_melds_when_the_first_trick_is_complete() -> None:
    table = club_table("hearts", HANDS)
    table.play("D6", melds=[["S6", "S7", "S8"]])
    table.play("D7", melds=[["C6", "C7", "C8", "C9"]])
    table.play("D8", melds=[["SQ", "SK", "SA"]])
    events = table.play("D9", melds=[["DQ", "DK", "DA"], ["HQ", "HK", "HA"]])
    assert types(events) == [
        "melds_declared",
        "card_played",
        "stoeck_declared",
        "melds_scored",
        "trick_taken",
    ]
    scored = only(events, MeldsScored)
    assert (scored.side, scored.points) == (1, 90)
    assert [(shown.seat, shown.points) for shown in scored.shown] == [(BEAT, 50), (DARIO, 20), (DARIO, 20)]


def test_the_table_hears_points_and_deciding_card_but_sees_only_what_scores() -> None:
    table = club_table("hearts", HANDS)
    declared = only(table.play("D6", melds=[["S6", "S7", "S8"]]), MeldsDeclared)
    assert [(said.points, said.top) for said in declared.declared] == [(20, "S8")]
    table.play("D7", melds=[["C6", "C7", "C8", "C9"]])
    table.play("D8 D9")
    for observer in (EVA, Observer.seat(BEAT)):
        seen = [event for event in view_for(table.log, observer) if type(event) is MeldsDeclared]
        assert seen[0].melds is None
        assert b'"S7"' not in b"".join(map(encode, view_for(table.log, observer)))
    assert declared in list(view_for(table.log, Observer.seat(ANNA)))


def test_bottom_up_announces_the_lowest_card() -> None:
    table = club_table("undenufe", HANDS)
    assert only(table.play("D6", melds=[["S6", "S7", "S8"]]), MeldsDeclared).declared[0].top == "S6"


@pytest.mark.parametrize(
    ("melds", "code"),
    [
        ([["S6", "S7"]], "melds/no_meld"),
        ([["S6", "S7", "S7"]], "melds/no_meld"),
        ([["C6", "C7", "C8"]], "melds/not_held"),
        ([["S6", "S7", "S8"], ["S8", "S9", "S10"]], "melds/overlap"),
    ],
)
def test_wrong_melds_are_refused(melds: Any, code: str) -> None:
    assert club_table("hearts", HANDS).refused(Play(seat=ANNA, card="D6", melds=melds)) == code


def test_parts_of_one_run_may_be_declared_apart() -> None:
    table = club_table("hearts", HANDS)
    declared = only(table.play("D6", melds=[["S6", "S7", "S8"], ["S9", "S10", "SJ"]]), MeldsDeclared)
    assert [said.top for said in declared.declared] == ["S8", "SJ"]


def test_melds_are_declared_with_the_first_card_or_not_at_all() -> None:
    table = club_table("hearts", HANDS)
    table.play("D6 D7 D8 D9")
    seat = table.turn
    assert table.refused(Play(seat=seat, card="DQ", melds=[["DQ", "DK", "DA"]])) == "melds/too_late"


def test_melds_do_not_count_where_the_options_say_so() -> None:
    table = club_table("hearts", HANDS, melds=False)
    assert table.refused(Play(seat=ANNA, card="D6", melds=[["S6", "S7", "S8"]])) == "melds/not_played"


def test_low_fours_of_a_kind_can_be_left_out() -> None:
    hands = ["D6 H6 S6 C6 D9 H9 S9 C9 D7", "D8 H7 H8 S7 S8 C7 C8 D10 DJ", "DQ DK DA HQ HK HA H10 HJ S10",
             "SJ SQ SK SA C10 CJ CQ CK CA"]  # fmt: skip
    table = club_table("hearts", hands, low_quads=False)
    low, nines = ["D6", "H6", "S6", "C6"], ["D9", "H9", "S9", "C9"]
    assert table.refused(Play(seat=ANNA, card="D6", melds=[low])) == "melds/no_meld"
    assert only(table.play("D6", melds=[nines]), MeldsDeclared).declared[0].points == 150


def test_nobody_scores_where_nobody_declared() -> None:
    table = club_table("hearts", HANDS)
    assert "melds_scored" not in types(table.play("D6 D7 D8 D9"))
