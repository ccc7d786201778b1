"""Totals of a whole round on a sheet, and who stands for a side that does not confirm itself."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import IllegalCommand, to_act
from engine.audit import audit
from engine.commands import ConfirmResult, CorrectResult, EnterResult, Rule
from engine.events import GameEnded, GameStarted, ResultConfirmed, ResultCorrected, ResultEntered
from engine.queries.sheet_form import list_sheet_fields
from engine.registry import build_game_context, get_rules
from engine.rules.tally import Scored
from engine.scoring.ruling_effects import score_deals
from engine.sheets.totals import complete_totals, find_likely_slips, totals_fields
from tests.engine.tables import ANNA, BEAT, CHIARA, Table, only, types


def totals(confirmation: str = "paper", **options: Any) -> Table:
    return Table(
        preset="championship",
        mode="sheet",
        hand_in="totals",
        confirmation=confirmation,
        options={"deals": 8, **options},
    )


def deals(**options: Any) -> Table:
    return Table(preset="championship", mode="sheet", hand_in="deals", options={"deals": 2, **options})


def written(one: int, other: int, **rest: Any) -> EnterResult:
    return EnterResult(deal=1, scores=[one, other], **rest)


def test_one_line_holds_the_totals_of_a_round() -> None:
    table = totals()
    entered = only(table.do(written(812, 564, sweeps=[1, 0], stoecks=[0, 1])), ResultEntered)
    assert (entered.deals, entered.card_points) == (8, [712, 544])
    assert (entered.scores, entered.totals) == ([812, 564], [812, 564])
    assert (entered.seat, entered.side) == (None, None)
    assert to_act(table.state) == (None, "sheet", ("confirm_result", "correct_result"))
    assert types(table.do(ConfirmResult(deal=1, by="paper"))) == ["result_confirmed", "game_ended"]
    assert table.state.winners == (0,)
    assert audit(table.log) is None


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (written(712, 554), "sheet/wrong_total"),
        (written(712, 544, sweeps=[1, 0]), "sheet/wrong_total"),
        (written(1256, 0), "sheet/sweeps_unsaid"),
        (written(0, 1256), "sheet/sweeps_unsaid"),
        (written(1000, 356, sweeps=[1]), "sheet/wrong_sides"),
        (written(2156, 0, sweeps=[9, 0]), "sheet/out_of_bounds"),
        (written(1056, 1100, sweeps=[4, 5]), "sheet/too_many"),
        (written(1256, 180, stoecks=[0, 9]), "sheet/out_of_bounds"),
        (written(1256, 180, stoecks=[4, 5], sweeps=[0, 0]), "sheet/too_many"),
        (written(256, 1100, sweeps=[1, 0]), "sheet/points_missing"),
        (written(1266, 10, stoecks=[0, 1]), "sheet/points_missing"),
        (written(712, 544, sweep=0), "sheet/no_sweep"),
        (written(712, 544, melds=[20, 0]), "sheet/no_melds"),
        (EnterResult(deal=1), "sheet/scores_missing"),
        (EnterResult(deal=1, card_points=[712, 544]), "sheet/no_card_points"),
        (EnterResult(deal=2, scores=[712, 544]), "sheet/wrong_deal"),
        (EnterResult(deal=1, seat=2, scores=[712, 545]), "sheet/wrong_total"),
    ],
)
def test_totals_that_cannot_be_are_refused(line: EnterResult, code: str) -> None:
    assert totals().refused(line) == code


def test_all_points_with_the_number_of_sweeps_are_possible() -> None:
    entered = only(totals().do(written(2056, 0, sweeps=[8, 0])), ResultEntered)
    assert entered.card_points == [1256, 0]
    assert only(totals().do(written(1256, 0, sweeps=[0, 0])), ResultEntered).sweeps == [0, 0]
    assert only(totals(sweep_bonus=0, stoeck=False).do(written(1256, 0)), ResultEntered).scores == [1256, 0]
    assert totals(sweep_bonus=0, stoeck=False).refused(written(1256, 1)) == "sheet/wrong_total"


def test_a_wrong_total_names_the_difference_and_what_would_explain_it() -> None:
    table = totals()

    def told(line: EnterResult) -> dict[str, Any]:
        with pytest.raises(IllegalCommand) as refused:
            table.do(line)
        return refused.value.params

    assert told(written(721, 544)) == {
        "sum": 1265,
        "expected": 1256,
        "difference": 9,
        "likely": [[0, 721, 712]],
        "uncounted": None,
        "explained": [],
    }
    assert told(written(812, 544))["uncounted"] == "sweeps"
    assert told(written(732, 544))["uncounted"] == "stoecks"


@given(st.integers(100, 9_999), st.integers(100, 9_999), st.data())
def test_two_digits_swapped_or_one_wrong_are_always_found(one: int, other: int, data: st.DataObject) -> None:
    digits = list(str(one))
    at = data.draw(st.integers(0, len(digits) - 2))
    if data.draw(st.booleans()):
        digits[at], digits[at + 1] = digits[at + 1], digits[at]
    else:
        digits[at + 1] = data.draw(st.sampled_from("0123456789"))
    slip = int("".join(digits))
    if slip == one or len(str(slip)) != len(str(one)):
        return
    found = find_likely_slips([slip, other], slip - one)
    assert found
    assert all(slip + other - written + instead == one + other for _place, written, instead in found)


def test_nothing_is_likely_where_three_digits_would_be_wrong() -> None:
    assert find_likely_slips([999, 111], 888) == []


def test_melds_are_written_with_the_totals_where_they_count() -> None:
    table = totals(melds=True)
    entered = only(table.do(written(762, 564, melds=[50, 20])), ResultEntered)
    assert (entered.card_points, entered.scores) == ([712, 544], [762, 564])
    names = [field.name for field in list_sheet_fields(table.state, 1)]
    assert names == ["scores", "sweeps", "stoecks", "melds"]


@pytest.mark.parametrize(
    ("variant", "seats", "options"),
    [
        ("schieber", 4, {}),  # a target, contracts that count double
        ("schieber", 4, {"target": None, "deals": 8}),
        ("differenzler", 4, {"dealer_incentive": 2}),  # depends on predictions
        ("coiffeur", 4, {}),
        ("bieter", 3, {}),
        ("plus-minus", 4, {}),
    ],
)
def test_a_game_that_counts_deal_by_deal_takes_no_totals(
    variant: str, seats: int, options: dict[str, Any]
) -> None:
    with pytest.raises(IllegalCommand) as refused:
        Table(variant, seats, options=options, mode="sheet", hand_in="totals")
    assert refused.value.code == "start/no_totals"


def test_cards_that_are_dealt_are_no_totals() -> None:
    with pytest.raises(IllegalCommand) as refused:
        Table(preset="championship", hand_in="totals")
    assert refused.value.code == "start/no_totals"


def test_totals_are_corrected_and_confirmed_again() -> None:
    table = totals()
    first = only(table.do(written(712, 544)), ResultEntered)
    corrected = only(table.do(CorrectResult(deal=1, scores=[544, 712])), ResultCorrected)
    assert (corrected.replaces, corrected.totals) == (first.seq, [544, 712])
    ended = only(table.do(ConfirmResult(deal=1, seat=BEAT)), GameEnded)
    assert ended.totals == [544, 712]
    assert audit(table.log) is None


def test_a_ruling_changes_totals_only_as_a_whole() -> None:
    table = totals()
    table.do(written(712, 544))
    table.rule("score_change", deal=1, scores=[700, 556])
    assert table.state.totals == (700, 556)
    for ruling in (
        Rule(kind="annul_deal", deal=1, reason="x"),
        Rule(kind="short_hand", deal=1, against=0, choice="points", reason="x"),
    ):
        assert table.refused(ruling) == "rule/deals_unknown"


def test_what_the_desk_typed_is_confirmed_by_any_side() -> None:
    table = deals()
    table.do(EnterResult(deal=1, card_points=[100, 57]))
    confirmed = only(table.do(ConfirmResult(seat=CHIARA, deal=1)), ResultConfirmed)
    assert (confirmed.seat, confirmed.side, confirmed.by) == (CHIARA, 0, None)
    assert table.state.results[0].by is None


@pytest.mark.parametrize("agreed", ["other_side", "second_typing", "paper", "silence"])
def test_only_what_was_agreed_stands_for_a_side(agreed: str) -> None:
    for by, scores in (("second_typing", [712, 544]), ("paper", None), ("silence", None), (None, None)):
        table = totals(agreed)
        table.do(written(712, 544))
        command = ConfirmResult(deal=1, by=by, scores=scores)  # type: ignore[arg-type]  # `by` is any string, as a cheat may send it
        if by == agreed:
            confirmed = only(table.do(command), ResultConfirmed)
            assert (confirmed.seat, confirmed.side, confirmed.by) == (None, None, agreed)
            assert table.state.results[0].by == agreed
            assert audit(table.log) is None
        else:
            assert table.refused(command) == "sheet/not_confirmed_so"


def test_a_second_typing_is_of_the_same_figures() -> None:
    table = totals("second_typing")
    table.do(written(712, 544))
    assert table.refused(ConfirmResult(deal=1, by="second_typing", scores=[721, 535])) == (
        "sheet/typed_otherwise"
    )
    assert table.refused(ConfirmResult(deal=1, by="second_typing")) == "sheet/typed_again"
    assert table.refused(ConfirmResult(deal=1, by="second_typing", scores=[712])) == "sheet/typed_otherwise"


def test_a_side_signs_for_itself_alone() -> None:
    table = totals()
    table.do(EnterResult(deal=1, seat=ANNA, scores=[712, 544]))
    assert table.refused(ConfirmResult(deal=1, seat=BEAT, by="paper")) == "sheet/signs_itself"
    assert table.refused(ConfirmResult(deal=1, seat=ANNA)) == "sheet/own_side"
    assert table.refused(ConfirmResult(deal=1, by="paper", scores=[712, 544])) == "sheet/typed_again"


def test_all_points_of_a_deal_ask_for_the_sweep() -> None:
    table = deals()
    assert table.refused(EnterResult(deal=1, card_points=[157, 0])) == "sheet/sweep_unsaid"
    assert table.refused(EnterResult(deal=1, card_points=[157, 0], sweep=0, took_trick=[1])) == (
        "sheet/sweep_and_trick"
    )
    assert only(
        table.do(EnterResult(deal=1, card_points=[157, 0], took_trick=[1])), ResultEntered
    ).scores == [
        157,
        0,
    ]
    swept = only(table.do(EnterResult(deal=2, card_points=[0, 157], sweep=1)), ResultEntered)
    assert swept.scores == [0, 257]
    assert audit(table.log) is None


def test_a_game_begun_before_asked_nobody() -> None:
    table = Table(preset="championship", mode="sheet")
    assert only(table.log, GameStarted).hand_in is None
    assert only(table.do(EnterResult(deal=1, card_points=[157, 0])), ResultEntered).scores == [157, 0]
    assert audit(table.log) is None


def alone(seats: int = 4, **options: Any) -> Table:
    """Differenzler: each player has a separate total."""
    return Table(
        "differenzler",
        seats,
        mode="sheet",
        hand_in="totals",
        confirmation="paper",
        options={"deals": seats, **options},
    )


@pytest.mark.parametrize("seats", [3, 4])
def test_where_everyone_is_alone_each_total_stands_as_it_is_written(seats: int) -> None:
    table = alone(seats)
    lines = [12, 60, 0, 47][:seats]
    entered = only(table.do(EnterResult(deal=1, scores=lines)), ResultEntered)
    assert (entered.scores, entered.totals, entered.by_hand, entered.deals) == (lines, lines, False, seats)
    corrected = only(table.do(CorrectResult(deal=1, scores=[13, *lines[1:]])), ResultCorrected)
    assert corrected.totals == [13, *lines[1:]]
    assert types(table.do(ConfirmResult(deal=1, by="paper"))) == ["result_confirmed", "game_ended"]
    assert table.state.winners == (2,), "the fewest points win"
    assert audit(table.log) is None


@pytest.mark.parametrize(
    ("options", "least", "most"),
    [({}, 0, 628), ({"exact_bonus": 10}, -40, 628), ({"stoeck": True}, 0, 708)],
)
def test_a_total_of_one_person_lies_where_so_many_deals_can_lead(
    options: dict[str, Any], least: int, most: int
) -> None:
    [field] = list_sheet_fields(alone(**options).state, 1)
    assert (field.name, field.per, field.least, field.most) == ("scores", "side", least, most)
    for wrong in (least - 1, most + 1):
        with pytest.raises(IllegalCommand) as refused:
            alone(**options).do(EnterResult(deal=1, scores=[wrong, 10, 10, 10]))
        assert refused.value.code == "sheet/out_of_bounds"
    for right in (least, most):
        alone(**options).do(EnterResult(deal=1, scores=[right, 10, 10, 10]))


def test_a_ruling_changes_the_total_of_one_person_and_a_missing_one_is_asked_for() -> None:
    table = alone()
    with pytest.raises(IllegalCommand) as refused:
        complete_totals(get_rules(table.state), [12, 60, 0, None])
    assert refused.value.code == "sheet/both_sides"
    table.do(EnterResult(deal=1, scores=[12, 60, 0, 47]))
    table.do(Rule(kind="penalty", against=2, points=5, reason="talked"))
    assert table.state.totals == (12, 60, 5, 47)
    table.do(Rule(kind="score_change", deal=1, scores=[12, 6, 0, 47], reason="misread"))
    assert table.state.totals == (12, 6, 5, 47)
    assert audit(table.log) is None


def test_a_warning_leaves_totals_of_people_alone_as_they_are_written() -> None:
    table = alone()
    table.do(EnterResult(deal=1, scores=[12, 60, 0, 47]))
    table.rule("warning", deal=1)
    assert score_deals(build_game_context(table.state)) == [Scored((0, 0, 0, 0), (12, 60, 0, 47))]


def test_one_total_is_enough_where_nothing_counts_beside_the_cards() -> None:
    rules = get_rules(totals(sweep_bonus=0, stoeck=False).state)
    assert complete_totals(rules, [700, None]) == [700, 8 * 157 - 700]
    with pytest.raises(IllegalCommand) as refused:
        complete_totals(rules, [1300, None])
    assert refused.value.code == "sheet/wrong_total"
    with pytest.raises(IllegalCommand) as refused:
        complete_totals(rules, [None, None])
    assert refused.value.code == "sheet/both_sides"


def test_sweeps_are_written_with_totals_of_people_alone_where_they_break_ties() -> None:
    fields = totals_fields(get_rules(alone().state), 4, sweeps=True)
    assert [field.name for field in fields] == ["scores", "sweeps"]


def test_totals_of_games_of_before_are_taken_without_a_look_at_their_melds() -> None:
    table = Table(
        preset="championship",
        mode="sheet",
        hand_in="totals",
        confirmation="paper",
        options={"deals": 8},
        counting=1,
    )
    assert only(table.do(written(700, 556)), ResultEntered).scores == [700, 556]
