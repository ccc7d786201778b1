"""Melds: what is one, whose is best, what the table hears and sees."""

import itertools
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine import IllegalCommand, Observer, cards, decide, encode, redact_events
from engine.commands import EnterResult, Play
from engine.contracts import Contract
from engine.events import MeldsDeclared, MeldsScored
from engine.melds.combinations import find_melds, meld_from_mask, meld_sums
from engine.melds.comparison import find_best_seats
from engine.melds.declared_melds import Said
from engine.registry import build_game_context
from engine.sheets.sheet_checks import refuse_impossible_melds
from tests.engine.tables import ANNA, BEAT, DARIO, EVA, SUIT_EACH, Table, cards_of, club_table, only, types

HANDS = ["D6 S6 S7 S8 S9 S10 SJ H6 H7", "D7 C6 C7 C8 C9 C10 CJ CQ H8", "D8 D10 DJ H9 H10 HJ SQ SK SA",
         "D9 DQ DK DA HQ HK HA CK CA"]  # fmt: skip
FOUR_AND_RUNS = ["S6 S7 S8 S9 S10 SJ D6 H6 C6", "SQ SK SA D7 D8 D9 D10 DJ DQ", "DK DA H7 H8 H9 H10 HJ HQ HK",
                 "HA C7 C8 C9 C10 CJ CQ CK CA"]  # fmt: skip


def points(codes: str) -> int | None:
    meld = meld_from_mask(cards.mask(codes.split()))
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
        ("DA H6 H7", None),
        ("D6 H6 S6 C7", None),
    ],
)
def test_what_melds_are_worth(codes: str, worth: int | None) -> None:
    assert points(codes) == worth


def test_a_hand_is_searched_for_every_whole_run_and_four_of_a_kind() -> None:
    hand = cards.mask(["D6", "H6", "S6", "C6", "D7", "D8", "CQ", "CK", "CA"])
    assert {" ".join(cards.codes(meld.cards)) for meld in find_melds(hand)} == {
        "D6 D7 D8",
        "CQ CK CA",
        "D6 H6 S6 C6",
    }
    assert len(find_melds(hand, low_quads=False)) == 2


def test_a_run_is_found_wherever_it_begins_and_ends() -> None:
    for suit in cards.SUITS:
        for first, end in itertools.combinations(range(10), 2):
            run = [suit + rank for rank in cards.RANKS[first:end]]
            wanted = [run] if len(run) >= 3 else []
            assert [cards.codes(meld.cards) for meld in find_melds(cards.mask(run))] == wanted


@settings(deadline=None)
@given(hand=st.sets(st.sampled_from(cards.DECK), min_size=3, max_size=18), low_quads=st.booleans())
def test_what_a_hand_holds_is_all_its_longest_runs_and_its_fours(hand: set[str], low_quads: bool) -> None:
    wanted = set()
    for suit in cards.SUITS:
        held = "".join("x" if suit + rank in hand else " " for rank in cards.RANKS)
        for run in re.finditer("xxx+", held):
            wanted.add(frozenset(suit + rank for rank in cards.RANKS[run.start() : run.end()]))
    for rank in cards.RANKS if low_quads else ("9", "10", "J", "Q", "K", "A"):
        four = frozenset(suit + rank for suit in cards.SUITS)
        if four <= hand:
            wanted.add(four)
    found = [frozenset(cards.codes(meld.cards)) for meld in find_melds(cards.mask(hand), low_quads)]
    assert len(found) == len(set(found))
    assert set(found) == wanted


def test_a_card_is_in_one_run_and_one_four_however_they_are_told() -> None:
    table = club_table("hearts", FOUR_AND_RUNS)
    one, two, four = cards_of("S6 S7 S8"), cards_of("S9 S10 SJ"), cards_of("S6 D6 H6 C6")
    across = cards_of("S8 S9 S10")
    for said in ([one, two, across], [across, one, two], [one, two, one], [four, one, four]):
        assert table.refused(Play(seat=ANNA, card="S6", melds=said)) == "melds/overlap"
    declared = only(table.play("S6", melds=[one, four, two]), MeldsDeclared)
    assert [meld.points for meld in declared.declared] == [20, 100, 20]
    assert [meld.top for meld in declared.declared] == ["S8", "C6", "SJ"]


def winner(contract: str, tie: str, *declared: str) -> int:
    said = [
        Said(seat, 0, -1, (cards.mask(meld.split()),), True, 0)
        for seat, melds in enumerate(declared)
        for meld in melds.split("|")
    ]
    (seat,) = find_best_seats(said, contract, tie)
    return seat


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
        seen = [event for event in redact_events(table.log, observer) if type(event) is MeldsDeclared]
        assert seen[0].melds is None
        assert b'"S7"' not in b"".join(map(encode, redact_events(table.log, observer)))
    assert declared in list(redact_events(table.log, Observer.seat(ANNA)))


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
    low, nines = cards_of("D6 H6 S6 C6"), cards_of("D9 H9 S9 C9")
    assert table.refused(Play(seat=ANNA, card="D6", melds=[low])) == "melds/no_meld"
    assert only(table.play("D6", melds=[nines]), MeldsDeclared).declared[0].points == 150


def test_nobody_scores_where_nobody_declared() -> None:
    table = club_table("hearts", HANDS)
    assert "melds_scored" not in types(table.play("D6 D7 D8 D9"))


@pytest.mark.parametrize(
    ("contract", "options", "side"),
    [
        ("obenabe", {}, 1),  # the higher top card
        ("undenufe", {}, 0),  # the lower bottom card
        ("hearts", {}, 1),
    ],
)
def test_the_contract_decides_between_equal_runs(
    contract: Contract, options: dict[str, Any], side: int
) -> None:
    table = club_table(contract, SUIT_EACH, **options)
    table.play("S6", melds=[["S6", "S7", "S8"]])
    table.play("H7", melds=[["H7", "H8", "H9"]])
    assert only(table.play("D6 C6"), MeldsScored).side == side


@pytest.mark.parametrize(("tie", "side"), [("puur", 0), ("trump", 1)])
def test_the_option_decides_between_runs_of_the_same_height(tie: str, side: int) -> None:
    table = club_table("hearts", SUIT_EACH, meld_tie=tie)
    table.play("S6", melds=[["S6", "S7", "S8"]])
    table.play("H6", melds=[["H6", "H7", "H8"]])
    assert only(table.play("D6 C6"), MeldsScored).side == side


def refusal(table: Table, **play: Any) -> tuple[str, str, dict[str, Any]]:
    with pytest.raises(IllegalCommand) as refused:
        decide(table.state, Play(seat=table.turn, **play))
    return refused.value.code, refused.value.detail, refused.value.params


def test_a_refusal_of_melds_says_which_and_why() -> None:
    table = club_table("hearts", FOUR_AND_RUNS)
    runs = [["S6", "S7", "S8"], ["S8", "S9", "S10"]]
    said = "a card may be in one sequence and one four of a kind"
    assert refusal(table, card="S6", melds=runs) == ("melds/overlap", said, {})
    for wrong in (["S6", "S7", "S9"], ["S6", "S7", "S8", "S8"]):
        said = f"{' '.join(wrong)} is no meld here"
        assert refusal(table, card="S6", melds=[wrong]) == ("melds/no_meld", said, {"cards": wrong})
    said = "seat 0 does not hold H7 H8 H9"
    assert refusal(table, card="S6", melds=[["H7", "H8", "H9"]]) == ("melds/not_held", said, {})
    table.play("S6 SQ H7 C7")
    said = "melds are declared with the first card of the deal"
    assert refusal(table, card=table.legal.split()[0], melds=[["S7", "S8", "S9"]])[:2] == (
        "melds/too_late",
        said,
    )
    table = club_table("hearts", FOUR_AND_RUNS, melds=False)
    said = "melds do not count in this game"
    assert refusal(table, card="S6", melds=[["S6", "S7", "S8"]]) == ("melds/not_played", said, {})


def test_a_four_below_the_nines_is_none_where_the_option_says_so() -> None:
    table = club_table("hearts", FOUR_AND_RUNS, low_quads=False)
    assert refusal(table, card="S6", melds=[["D6", "H6", "S6", "C6"]])[0] == "melds/no_meld"
    nines = ["S9 H9 D9 C9 S6 S7 S8 H6 H7", "SJ SQ SK SA S10 D6 D7 D8 D10", "DJ DQ DK DA H8 H10 HJ HQ HK",
             "HA C6 C7 C8 C10 CJ CQ CK CA"]  # fmt: skip
    table = club_table("hearts", nines, low_quads=False)
    declared = only(table.play("S6", melds=[["D9", "H9", "S9", "C9"]]), MeldsDeclared)
    assert [meld.points for meld in declared.declared] == [150]


def test_the_sums_that_melds_can_make_leave_out_what_no_hands_hold() -> None:
    partners, alone = meld_sums(9, 2), meld_sums(12, 1)
    assert {0, 20, 40, 50, 70, 100, 110, 150, 200} <= partners
    assert {10, 30} & (partners | alone) == set()
    assert {110, 130} & alone == set()  # fifty and three twenties take thirteen cards


def test_melds_of_the_declarer_are_those_of_one_hand() -> None:
    table = Table("bieter", 3, mode="sheet")
    written = EnterResult(deal=1, card_points=[100, 57], chooser=ANNA, bid=500, melds=[50, 0], reason="paper")
    refuse_impossible_melds(build_game_context(table.state), written)
    with pytest.raises(IllegalCommand) as refused:
        refuse_impossible_melds(build_game_context(table.state), replace(written, melds=[10, 0]))
    assert refused.value.code == "sheet/melds_impossible"
