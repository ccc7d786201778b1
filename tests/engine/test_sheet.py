"""Sheets: one side writes a result, the other confirms it; a correction is an entry of its own."""

from typing import Any

import pytest

from engine import list_sheet_fields, to_act
from engine.audit import audit
from engine.commands import ClaimOut, Close, ConfirmResult, CorrectResult, Deal, EnterResult, Resume, Rule
from engine.events import GameEnded, ResultConfirmed, ResultCorrected, ResultEntered, RulingMade
from tests.engine.tables import ANNA, BEAT, CHIARA, SUIT_EACH, Table, only, types


def sheet(**options: Any) -> Table:
    return Table(preset="championship", mode="sheet", options={"deals": 2, **options})


def enter(deal: int = 1, seat: int = ANNA, points: tuple[int, int] = (100, 57), **rest: Any) -> EnterResult:
    return EnterResult(seat=seat, deal=deal, card_points=list(points), **rest)


def test_a_result_carries_its_scores_and_the_totals() -> None:
    table = sheet()
    entered = only(table.do(enter(stoeck=1)), ResultEntered)
    assert (entered.side, entered.scores, entered.totals) == (0, [100, 77], [100, 77])
    assert only(table.do(enter(2, points=(157, 0), sweep=0)), ResultEntered).totals == [357, 77]


def test_a_sheet_that_does_not_sum_names_the_deal() -> None:
    table = sheet()
    assert table.refused(enter(points=(100, 58))) == "sheet/wrong_sum"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (enter(2), "sheet/wrong_deal"),
        (enter(sweep=0), "sheet/sweep_needs_all_points"),
        (enter(sweep=2), "sheet/no_such_side"),
        (enter(melds=[20, 0]), "sheet/no_melds"),
        (enter(scores=[100, 100]), "sheet/wrong_scores"),
        (EnterResult(seat=ANNA, deal=1, card_points=[157]), "sheet/wrong_sides"),
        (enter(contract="slalom-obenabe"), "sheet/contract_not_offered"),
        (enter(contract="obenabe", stoeck=0), "sheet/no_trumps"),
        (ConfirmResult(seat=BEAT, deal=1), "sheet/nothing_entered"),
        (CorrectResult(seat=BEAT, deal=1, card_points=[100, 57]), "sheet/nothing_entered"),
        (Deal(), "deal/not_now"),
        (ClaimOut(seat=ANNA), "claim_out/not_now"),
    ],
)
def test_what_cannot_stand_on_a_sheet_is_refused(command: Any, code: str) -> None:
    assert sheet().refused(command) == code


def test_a_game_without_stoeck_refuses_one() -> None:
    assert sheet(stoeck=False).refused(enter(stoeck=0)) == "sheet/no_stoeck"


def test_the_other_side_confirms() -> None:
    table = sheet()
    table.do(enter())
    assert table.refused(ConfirmResult(seat=CHIARA, deal=1)) == "sheet/own_side"
    assert only(table.do(ConfirmResult(seat=BEAT, deal=1)), ResultConfirmed).side == 1
    assert table.refused(ConfirmResult(seat=BEAT, deal=1)) == "sheet/confirmed_already"


def test_a_correction_is_an_entry_of_its_own_and_must_be_confirmed_anew() -> None:
    table = sheet()
    entered = only(table.do(enter()), ResultEntered)
    table.do(ConfirmResult(seat=BEAT, deal=1))
    assert table.refused(enter()) == "sheet/entered_already"
    corrected = only(table.do(CorrectResult(seat=BEAT, deal=1, card_points=[57, 100])), ResultCorrected)
    assert (corrected.replaces, corrected.totals) == (entered.seq, [57, 100])
    assert table.refused(ConfirmResult(seat=BEAT, deal=1)) == "sheet/own_side"
    table.do(ConfirmResult(seat=ANNA, deal=1))


def test_the_game_ends_with_its_last_deal_confirmed() -> None:
    table = sheet()
    assert to_act(table.state) == (None, "sheet", ("enter_result",))
    table.do(enter(1))
    table.do(enter(2))
    assert to_act(table.state) == (None, "sheet", ("confirm_result", "correct_result"))
    assert table.refused(enter(3)) == "sheet/wrong_deal"
    assert types(table.do(ConfirmResult(seat=BEAT, deal=2))) == ["result_confirmed"]
    ended = only(table.do(ConfirmResult(seat=BEAT, deal=1)), GameEnded)
    assert (ended.winners, ended.totals) == ([0], [200, 114])


def test_multipliers_ask_for_the_contract() -> None:
    table = Table(mode="sheet")
    assert table.refused(enter()) == "sheet/contract_missing"
    entered = only(table.do(enter(contract="undenufe", melds=[50, 0])), ResultEntered)
    assert entered.scores == [600, 228]
    assert table.refused(enter(2, contract="undenufe", melds=[50, 50])) == "sheet/melds_of_one_side"


def test_a_target_ends_a_sheet_too() -> None:
    table = Table(mode="sheet", options={"target": 300})
    table.do(enter(contract="obenabe"))
    ended = only(table.do(ConfirmResult(seat=BEAT, deal=1)), GameEnded)
    assert (ended.winners, ended.totals) == ([0], [300, 171])


def test_rulings_change_what_a_written_deal_counts() -> None:
    table = sheet()
    table.do(enter())
    assert (
        table.refused(Rule(kind="award_from_trick", deal=1, trick=1, against=0, reason="x"))
        == "rule/tricks_unknown"
    )
    made = only(table.rule("score_change", deal=1, scores=[0, 157]), RulingMade)
    assert (made.scores_before, made.scores, made.totals) == ([100, 57], [0, 157], [0, 157])
    table.rule("annul_deal", deal=1)
    assert table.state.totals == (0, 0)
    table.do(enter(2))
    assert to_act(table.state) == (None, "sheet", ("confirm_result", "correct_result", "enter_result"))
    assert table.refused(Rule(kind="score_change", deal=9, scores=[0, 0], reason="x")) == "rule/no_such_deal"


def over() -> Table:
    """Two deals on the sheet, signed: 200 to 114 with the Stöck in none."""
    table = sheet(stoeck=False)
    for deal in (1, 2):
        table.do(enter(deal))
        table.do(ConfirmResult(seat=BEAT, deal=deal))
    assert table.state.over
    return table


def correction(deal: int = 1, points: tuple[int, int] = (10, 147), **more: Any) -> CorrectResult:
    return CorrectResult(seat=ANNA, deal=deal, card_points=list(points), **more)


def test_what_is_over_is_put_right_with_a_reason_and_says_who_has_won_by_it() -> None:
    table = over()
    assert table.state.winners == (0,)
    corrected = only(table.do(correction(reason="sides exchanged")), ResultCorrected)
    assert (corrected.totals, corrected.winners, corrected.reason) == ([110, 204], [1], "sides exchanged")
    assert (table.state.winners, table.state.totals) == ((1,), (110, 204))
    assert all(result.confirmed for result in table.state.results)
    assert table.state.over
    assert audit(table.log) is None


def test_what_is_over_is_not_corrected_without_a_reason() -> None:
    table = over()
    assert table.refused(correction()) == "sheet/reason_missing"
    assert table.refused(enter(3)) == "enter_result/not_now"
    assert table.refused(correction(3, reason="x")) == "sheet/nothing_entered"
    assert table.refused(correction(points=(10, 140), reason="x")) == "sheet/wrong_sum"


def test_an_official_s_correction_leaves_a_signature_standing_and_a_player_s_does_not() -> None:
    table = sheet(stoeck=False)
    table.do(enter())
    table.do(ConfirmResult(seat=BEAT, deal=1))
    table.do(correction(reason="read wrongly"))
    assert table.state.results[0].confirmed
    table.do(correction(points=(20, 137)))
    assert not table.state.results[0].confirmed
    table.do(correction(points=(30, 127), reason="read wrongly again"))
    assert not table.state.results[0].confirmed


def test_an_official_s_entry_needs_no_other_side_and_ends_the_game() -> None:
    table = sheet(stoeck=False)
    table.do(enter(reason="from the sheet on paper"))
    assert table.refused(ConfirmResult(seat=BEAT, deal=1)) == "sheet/confirmed_already"
    assert types(table.do(enter(2, reason="from the sheet on paper"))) == ["result_entered", "game_ended"]
    assert audit(table.log) is None


def test_a_sheet_that_was_broken_off_is_resumed() -> None:
    table = sheet(stoeck=False)
    table.do(enter())
    assert table.refused(Resume(reason="x")) == "resume/not_closed"
    table.do(Close(reason="too late"))
    assert to_act(table.state) is None
    assert table.refused(enter(2)) == "sheet/broken_off"
    assert table.refused(ConfirmResult(seat=BEAT, deal=1)) == "sheet/broken_off"
    assert table.refused(correction()) == "sheet/reason_missing"
    table.do(correction(points=(57, 100), reason="read wrongly"))
    assert table.refused(Close(reason="again")) == "close/over"
    table.do(Resume(reason="they have come back"))
    table.do(ConfirmResult(seat=BEAT, deal=1))
    table.do(enter(2, reason="from the sheet on paper"))
    assert table.state.over
    assert audit(table.log) is None
    assert table.refused(Resume(reason="x")) == "resume/not_closed"


def test_a_dealt_game_goes_on_where_it_was_broken_off() -> None:
    table = Table(preset="championship", options={"deals": 2})
    table.deal(SUIT_EACH)
    turn = to_act(table.state)
    table.do(Close(reason="fire alarm"))
    table.do(Resume(reason="false alarm"))
    assert to_act(table.state) == turn
    assert audit(table.log) is None


def ruling(deal: int = 1, **more: Any) -> Rule:
    """A score that a referee sets, which stands without signatures."""
    return Rule(kind="score_change", deal=deal, scores=[102, 60], reason="Stöck", stands=True, **more)


def test_what_has_changed_since_it_was_looked_at_is_neither_confirmed_nor_corrected() -> None:
    table = sheet()
    seen = only(table.do(enter()), ResultEntered).seq
    changed = only(
        table.do(CorrectResult(seat=ANNA, deal=1, card_points=[99, 58], seen=seen)), ResultCorrected
    )
    assert table.refused(ConfirmResult(seat=BEAT, deal=1, seen=seen)) == "sheet/changed_since"
    late = CorrectResult(seat=BEAT, deal=1, card_points=[90, 67], seen=seen)
    assert table.refused(late) == "sheet/changed_since"
    table.do(Rule(kind="score_change", deal=1, scores=[1, 2], reason="x"))
    assert table.refused(ConfirmResult(seat=BEAT, deal=1, seen=changed.seq)) == "sheet/changed_since"
    table.do(ConfirmResult(seat=BEAT, deal=1, seen=table.state.seq - 1))


def test_another_deal_that_changed_meanwhile_hinders_nothing() -> None:
    table = sheet()
    seen = only(table.do(enter()), ResultEntered).seq
    table.do(enter(2))
    table.do(ConfirmResult(seat=BEAT, deal=1, seen=seen))


def test_what_is_ruled_needs_no_signature_and_ends_the_game() -> None:
    table = sheet()
    table.do(enter(1))
    table.do(enter(2))
    table.do(ConfirmResult(seat=BEAT, deal=2))
    assert types(table.do(ruling())) == ["ruling_made", "game_ended"]
    assert audit(table.log) is None


def test_what_is_ruled_is_not_confirmed_or_changed_by_players() -> None:
    table = sheet()
    table.do(enter(1))
    table.do(ruling())
    assert table.refused(ConfirmResult(seat=BEAT, deal=1)) == "sheet/ruled"
    assert table.refused(CorrectResult(seat=BEAT, deal=1, card_points=[57, 100])) == "sheet/ruled"
    table.do(CorrectResult(deal=1, card_points=[57, 100], reason="read wrongly"))
    assert table.state.totals == (102, 60)
    table.do(Rule(kind="warning", reason="on appeal", replaces=1, stands=True))
    assert table.state.totals == (57, 100)
    table.do(ConfirmResult(seat=BEAT, deal=1))
    assert audit(table.log) is None


def test_a_ruling_as_older_records_have_it_leaves_the_signature_to_the_other_side() -> None:
    table = sheet()
    table.do(enter(1))
    table.do(Rule(kind="score_change", deal=1, scores=[102, 60], reason="Stöck"))
    table.do(ConfirmResult(seat=BEAT, deal=1))
    assert audit(table.log) is None


def test_only_on_a_sheet_a_ruling_stands_in_the_place_of_signatures() -> None:
    table = Table(preset="championship")
    table.deal(SUIT_EACH)
    assert table.refused(Rule(kind="warning", reason="x", stands=True)) == "rule/no_sheet"


def bieter() -> Table:
    """A game in which seat 2 has won the auction, with the first deal signed."""
    table = Table("bieter", 3, mode="sheet")
    table.do(EnterResult(seat=CHIARA, deal=1, chooser=CHIARA, bid=500, card_points=[100, 57]))
    table.do(ConfirmResult(seat=BEAT, deal=1))
    return table


@pytest.mark.parametrize(("stoeck", "scores"), [(None, [0, 157]), (1, [0, 177])])
def test_a_deal_is_given_away_on_a_sheet(stoeck: int | None, scores: list[int]) -> None:
    table = bieter()
    given = EnterResult(seat=CHIARA, deal=2, card_points=[0, 157], conceded=True, stoeck=stoeck)
    entered = only(table.do(given), ResultEntered)
    assert (entered.scores, entered.side, entered.conceded) == (scores, 0, True)
    assert table.refused(ConfirmResult(seat=CHIARA, deal=2)) == "sheet/own_side"
    table.do(ConfirmResult(seat=ANNA, deal=2))
    assert audit(table.log) is None


@pytest.mark.parametrize(
    "fields",
    [
        {"card_points": [10, 147]},
        {"card_points": [157, 0]},
        {"card_points": [0, 157], "sweep": 1},
        {"card_points": [0, 157], "melds": [0, 50]},
        {"card_points": [0, 157], "stoeck": 0},
    ],
)
def test_what_was_given_away_was_not_played(fields: dict[str, Any]) -> None:
    refused = EnterResult(seat=CHIARA, deal=2, conceded=True, **fields)
    assert bieter().refused(refused) == "sheet/conceded_and_played"


def test_the_deal_of_the_auction_is_not_given_away_nor_one_of_another_game() -> None:
    given: dict[str, Any] = {"card_points": [0, 157], "conceded": True}
    first = EnterResult(seat=ANNA, deal=1, chooser=ANNA, bid=500, **given)
    assert Table("bieter", 3, mode="sheet").refused(first) == "sheet/no_conceded"
    assert sheet().refused(enter(points=(0, 157), conceded=True)) == "sheet/no_conceded"
    assert "conceded" in [field.name for field in list_sheet_fields(bieter().state)]
