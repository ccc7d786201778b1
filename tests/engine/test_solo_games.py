"""Games in which everyone plays alone, where that matters: no seat 3 with three, no other side to give to."""

from typing import Any

from engine.cards import DECK
from engine.commands import Deal, EnterResult, Play, Rule
from tests.engine.tables import DARIO, Table


def three(**start: Any) -> Table:
    return Table("differenzler", 3, **start)


def test_there_is_no_seat_3_with_three() -> None:
    assert three().refusal(Deal(deck=list(DECK), dealer=DARIO)) == (
        "deal/no_such_seat",
        "there is no seat 3",
        {"dealer": DARIO},
    )
    assert (
        three(mode="sheet").refused(EnterResult(seat=DARIO, deal=1, card_points=[157, 0, 0]))
        == "sheet/no_such_seat"
    )
    assert three().refused(Rule(kind="warning", against=DARIO, reason="x")) == "rule/no_such_seat"


def test_a_transcribed_card_of_no_seat_is_refused() -> None:
    table = Table("plus-minus", 3, mode="transcribed")
    table.do(Deal())
    assert table.refusal(Play(seat=DARIO, card="S6")) == (
        "play/no_such_seat",
        "there is no seat 3",
        {"seat": DARIO},
    )
