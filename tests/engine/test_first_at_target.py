"""Several sides reach their targets in one deal: who was there first by the order of counting has won."""

from typing import Any

import pytest

from engine.audit import audit
from engine.commands import ConfirmResult, CorrectResult, EnterResult, Rule
from engine.events import GameEnded, GameStarted, ResultCorrected, ResultEntered, RulingMade
from tests.engine.tables import ANNA, BEAT, DARIO, SIMPLE, Table, only, types


def at(declarer: int, others: int, **options: Any) -> Table:
    """A sheet of Bieter at these totals, by a ruling; the bid is 500."""
    table = Table("bieter", 3, mode="sheet", options={"opponents_target": 1000, **options})
    table.do(EnterResult(deal=1, card_points=[100, 57], chooser=ANNA, bid=500, reason="paper"))
    table.rule("score_change", deal=1, scores=[declarer, others])
    return table


def last(points: list[int], **rest: Any) -> EnterResult:
    return EnterResult(deal=2, card_points=points, reason="paper", **rest)


def winners(table: Table) -> tuple[int, ...]:
    assert table.state.over
    assert audit(table.log) is None
    return table.state.winners


def test_melds_that_reach_the_bid_come_before_every_trick() -> None:
    table = at(457, 885)
    table.do(last([30, 127], melds=[50, 0]))
    assert winners(table) == (0,)


def test_melds_of_the_others_come_before_the_tricks_of_the_declarer() -> None:
    table = at(450, 960)
    table.do(last([120, 37], melds=[0, 50]))
    assert winners(table) == (1,)


def test_a_stoeck_comes_before_melds() -> None:
    table = at(450, 980)
    table.do(last([120, 37], melds=[50, 0], stoeck=1))
    assert winners(table) == (1,)


def test_a_stoeck_without_priority_comes_after_melds() -> None:
    table = at(450, 980, stoeck_priority=False)
    table.do(last([120, 37], melds=[50, 0], stoeck=1))
    assert winners(table) == (0,)


@pytest.mark.parametrize("first", [0, 1])
def test_who_got_there_by_tricks_is_asked(first: int) -> None:
    table = at(470, 960)
    code, _said, params = table.refusal(last([70, 87]))
    assert (code, params) == ("sheet/first_missing", {"deal": 2, "sides": [0, 1]})
    entered = only(table.do(last([70, 87], first=first)), ResultEntered)
    assert (entered.first, entered.first_deal) == (first, None)
    assert winners(table) == (first,)


def test_the_larger_total_says_nothing() -> None:
    table = at(499, 999)
    table.do(last([2, 155], first=0))
    assert winners(table) == (0,)


def test_who_cannot_have_been_first_is_not_taken() -> None:
    table = at(457, 885)
    assert table.refused(last([30, 127], melds=[50, 0], first=1)) == "sheet/not_first"
    assert table.refused(last([70, 87], first=1)) == "sheet/not_first", "the others are not there"
    assert at(100, 100).refused(last([70, 87], first=0)) == "sheet/not_first", "nobody is there"


def schieber(one: int, other: int, **options: Any) -> Table:
    options = {"target": 1000, "multipliers": SIMPLE, **options}
    table = Table(mode="sheet", options=options)
    table.do(EnterResult(deal=1, card_points=[100, 57], contract="hearts", reason="paper"))
    table.rule("score_change", deal=1, scores=[one, other])
    return table


def test_equal_targets_are_asked_for_just_so() -> None:
    table = schieber(950, 940)
    assert table.refused(last([57, 100])) == "sheet/first_missing"
    table.do(last([57, 100], first=0))
    assert winners(table) == (0,)


def test_a_factor_counts_for_what_decides_too() -> None:
    table = schieber(940, 960, multipliers={**SIMPLE, "spades": 2})
    table.do(last([57, 100], contract="spades", stoeck=1))
    assert winners(table) == (1,)


def test_a_claim_may_come_late_so_that_melds_decide_nothing() -> None:
    table = schieber(960, 960, claim_out="required")
    assert table.refused(last([57, 100], melds=[50, 0])) == "sheet/first_missing"


def test_a_correction_that_takes_both_there_asks() -> None:
    table = at(300, 900)
    table.do(last([47, 110]))
    assert winners(table) == (1,)
    code, _said, params = table.refusal(
        CorrectResult(deal=1, card_points=[100, 57], chooser=ANNA, bid=100 + 100, reason="misread")
    )
    assert code in ("sheet/out_of_bounds", "sheet/first_missing"), params
    table = at(470, 885)
    table.do(last([20, 137], first=None))
    corrected = CorrectResult(deal=2, card_points=[40, 117], reason="misread")
    assert table.refused(corrected) == "sheet/first_missing"
    said = CorrectResult(deal=2, card_points=[40, 117], reason="misread", first=0)
    assert only(table.do(said), ResultCorrected).winners == [0]
    assert audit(table.log) is None


def test_a_side_that_was_there_a_deal_before_was_first() -> None:
    """Also where a correction shows it only later."""
    table = at(400, 700)
    table.do(last([50, 107]))
    table.do(EnterResult(deal=3, card_points=[10, 147], reason="paper"))
    table.do(EnterResult(deal=4, card_points=[27, 130], reason="paper"))
    assert winners(table) == (1,)
    corrected = only(
        table.do(CorrectResult(deal=2, card_points=[100, 57], reason="misread")), ResultCorrected
    )
    assert corrected.winners == [0]


def test_a_ruling_that_takes_both_there_has_to_say_who_was_first() -> None:
    table = at(300, 900)
    table.do(last([47, 110]))
    ruling: dict[str, Any] = {"kind": "score_change", "deal": 2, "scores": [200, 110], "reason": "seen"}
    assert table.refused(Rule(**ruling)) == "rule/first_missing"
    made = only(table.do(Rule(**ruling, first=0)), RulingMade)
    assert (made.first, made.first_deal, made.winners) == (0, 2, [0])
    assert audit(table.log) is None
    assert table.refused(Rule(kind="warning", reason="x", first=0)) == "rule/not_for_this_kind"


def test_games_of_before_went_by_the_larger_total_and_are_audited_so() -> None:
    table = Table("bieter", 3, mode="sheet", options={"opponents_target": 1000}, counting=1)
    assert only(table.log, GameStarted).counting == 1
    table.do(EnterResult(deal=1, card_points=[100, 57], chooser=ANNA, bid=500, reason="paper"))
    table.rule("score_change", deal=1, scores=[457, 885])
    table.do(last([30, 127], melds=[50, 0]))
    assert winners(table) == (1,)


def test_a_new_game_says_by_what_it_is_counted_and_an_old_log_is_read_as_before() -> None:
    assert only(Table("bieter", 3, mode="sheet").log, GameStarted).counting == 2
    assert only(Table(preset="championship").log, GameStarted).counting == 1, "no sheet and no target"


def test_it_is_confirmed_before_the_game_ends() -> None:
    table = at(470, 960)
    table.do(EnterResult(seat=ANNA, deal=2, card_points=[70, 87], first=1))
    assert types(table.do(ConfirmResult(seat=BEAT, deal=2))) == ["result_confirmed", "game_ended"]
    assert only(table.log, GameEnded).winners == [1]


def test_a_stoeck_that_does_not_reach_leaves_it_to_the_melds() -> None:
    table = at(450, 940)
    table.do(last([97, 60], melds=[50, 0], stoeck=1))
    assert winners(table) == (0,)


def test_a_ruling_that_changes_nothing_there_leaves_what_was_said() -> None:
    table = at(470, 960)
    table.do(last([70, 87], first=1))
    assert table.refused(Rule(kind="score_change", deal=1, scores=[470, 960], reason="x", first=2)) in (
        "rule/not_first",
        "rule/out_of_bounds",
    )
    table.rule("score_change", deal=1, scores=[471, 961])
    assert winners(table) == (1,)


HANDS = (
    "DA D6 H7 H8 S9 S10 CJ CQ C6",
    "HA H6 S7 S8 C9 C10 DJ DQ D7",
    "SA S6 C7 C8 D9 D10 HJ HQ H9",
    "CA SK D8 DK HK H10 SJ SQ CK",
)


def test_at_a_table_with_cards_the_first_is_who_got_there_by_the_tricks_as_they_fell() -> None:
    """A ruling on the first deal brings both sides within reach in the second."""
    table = Table(preset="championship", options={"target": 1000, "deals": None})
    for deal in range(2):
        table.deal(HANDS, dealer=DARIO if deal == 0 else None)
        table.choose("obenabe")
        table.play_out()
    table.deal(HANDS)
    second = table.state.records[1]
    expected, have = None, [0, 0]
    for trick in second.tricks:
        assert trick.taker is not None
        assert trick.points is not None
        have[trick.taker % 2] += trick.points
        if expected is None and have[trick.taker % 2] >= 10:
            expected = trick.taker % 2
    assert min(points or 0 for points in second.scores) >= 10, "both get there in this deal"
    set_by_hand = Rule(kind="score_change", deal=2, scores=[1000, 1000], reason="seen")
    assert table.refused(set_by_hand) == "rule/first_missing", "nobody knows how that fell"
    table.rule("score_change", deal=1, scores=[990, 990])
    assert winners(table) == (expected,)
