"""Games in which everyone plays alone, where that matters: no seat 3 with three, no other side to give to."""

from typing import Any

import pytest

from engine.cards import DECK
from engine.commands import Deal, EnterResult, Play, Rule
from engine.events import ResultEntered
from tests.engine.tables import BEAT, DARIO, Table, only


def three(**start: Any) -> Table:
    return Table("differenzler", 3, **start)


def test_there_is_no_seat_3_with_three() -> None:
    assert three().refused(Deal(deck=list(DECK), dealer=DARIO)) == "deal/no_such_seat"
    assert (
        three(mode="sheet").refused(EnterResult(seat=DARIO, deal=1, card_points=[157, 0, 0]))
        == "sheet/no_such_seat"
    )
    assert three().refused(Rule(kind="warning", against=DARIO, reason="x")) == "rule/no_such_seat"


def test_a_sheet_whose_scores_do_not_follow_from_its_points_must_carry_them() -> None:
    table = Table("plus-minus", 4, mode="sheet")
    command = EnterResult(seat=BEAT, deal=1, card_points=[60, 40, 40, 17])
    if table.state.rules is None:
        assert table.refused(command) == "sheet/scores_missing"
    written = EnterResult(seat=BEAT, deal=1, card_points=[60, 40, 40, 17], scores=[1, 0, 0, 1])
    assert only(table.do(written), ResultEntered).totals == [1, 0, 0, 1]


@pytest.mark.parametrize("kind", ["award_from_trick", "card_powerless"])
def test_points_are_moved_between_two_sides_only(kind: str) -> None:
    table = three()
    table.do(Deal(deck=list(DECK)))
    command = Rule(kind=kind, deal=1, trick=1, against=BEAT, reason="x")  # type: ignore[arg-type]
    assert table.refused(command) == "rule/needs_two_sides"


def test_a_transcribed_card_of_no_seat_is_refused() -> None:
    table = Table("plus-minus", 3, mode="transcribed")
    table.do(Deal())
    assert table.refused(Play(seat=DARIO, card="S6")) == "play/no_such_seat"
