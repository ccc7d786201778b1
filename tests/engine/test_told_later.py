"""What was said before the first card of a transcribed deal, and is told when cards lie already."""

from typing import Any

import pytest

from engine import replay
from engine.audit import audit
from engine.commands import Bid, Choose, Deal, Play, Push
from engine.events import InfractionFound
from engine.notation import notate, page, parse
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, SUIT_EACH, Table

CARDS = [hand.split() for hand in SUIT_EACH]


def written(variant: str, seats: int = 4, **start: Any) -> Table:
    table = Table(variant, seats, mode="transcribed", **start)
    table.do(Deal(dealer=seats - 1))
    return table


def marks(events: list[Any]) -> list[tuple[int, int, str]]:
    return [(e.seat, e.trick, e.code) for e in events if isinstance(e, InfractionFound)]


def sound(table: Table) -> None:
    """The log is what the rules give, and its text and its bytes lead to it again."""
    assert audit(table.log) is None
    assert replay(table.log) == table.state
    start: Any = table.commands[0]
    again = Table(start.variant, start.seats, mode="transcribed", options=start.options, preset=start.preset)
    for command in parse(notate(table.log))[1:]:
        again.do(command)
    assert again.log == table.log


def test_a_wrong_chooser_is_marked_whenever_the_contract_is_told() -> None:
    for late in (False, True):
        table = written("schieber")
        if late:
            table.do(Play(seat=ANNA, card="S6"))
            table.do(Play(seat=BEAT, card="H6"))
        assert marks(table.do(Choose(seat=BEAT, contract="hearts"))) == [(BEAT, 1, "out_of_turn")]
        sound(table)


def test_a_contract_that_may_not_be_played_is_marked_also_where_it_is_told_later() -> None:
    table = written("schieber")
    table.do(Play(seat=ANNA, card="S6"))
    assert marks(table.do(Choose(seat=ANNA, contract="slalom-obenabe"))) == [(ANNA, 1, "not_allowed")]
    sound(table)


def test_to_be_told_late_is_no_offence_and_nobody_may_have_written_who_pushed() -> None:
    for seat in (ANNA, CHIARA):
        table = written("schieber")
        table.do(Play(seat=ANNA, card="S6"))
        assert marks(table.do(Choose(seat=seat, contract="hearts"))) == []
    for seat in range(4):
        table = written("coiffeur")
        table.do(Play(seat=ANNA, card="S6"))
        assert marks(table.do(Choose(seat=seat, contract="hearts"))) == []


def test_who_has_pushed_did_not_choose() -> None:
    table = written("schieber")
    table.do(Push(seat=ANNA))
    table.do(Play(seat=ANNA, card="S6"))
    assert marks(table.do(Choose(seat=ANNA, contract="hearts"))) == [(ANNA, 1, "out_of_turn")]
    sound(table)


def test_who_is_marked_for_a_choice_is_not_marked_again_when_the_rest_is_remembered() -> None:
    table = written("coiffeur")
    table.do(Choose(seat=ANNA, contract="spades", slot="spades"))
    for card in range(9):
        for seat in range(4):
            table.do(Play(seat=seat, card=CARDS[seat][card]))
    table.do(Deal())
    for rest, found in [
        ((None, "slalom"), [(ANNA, 1, "out_of_turn")]),
        (("slalom-obenabe", "slalom"), []),
    ]:
        contract, slot = rest
        assert marks(table.do(Choose(seat=ANNA, contract=contract, slot=slot))) == found
        if contract is None:
            table.do(Play(seat=BEAT, card="H6"))
    sound(table)
    table = written("coiffeur")
    table.do(Choose(seat=ANNA, contract="spades", slot=None))
    table.do(Play(seat=ANNA, card="S6"))
    assert marks(table.do(Choose(seat=BEAT, contract=None, slot="spades"))) == []


@pytest.mark.parametrize("late", [False, True])
def test_while_nobody_knows_who_won_the_auction_anybody_may_have_chosen(late: bool) -> None:
    table = written("lake-constance", 2)
    if late:
        table.do(Play(seat=BEAT, card="S6"))
    assert marks(table.do(Choose(seat=BEAT, contract="hearts"))) == []
    sound(table)


def test_who_did_not_win_the_auction_did_not_choose() -> None:
    table = written("lake-constance", 2)
    table.do(Bid(seat=ANNA, points=60, won=True))
    table.do(Play(seat=ANNA, card="S6"))
    assert marks(table.do(Choose(seat=BEAT, contract="hearts"))) == [(BEAT, 1, "out_of_turn")]
    sound(table)


def test_where_a_card_names_trumps_anybody_tells_it() -> None:
    table = written("plus-minus")
    for seat, card in [(ANNA, "S6"), (BEAT, None), (CHIARA, "S7"), (DARIO, "S8")]:
        table.do(Play(seat=seat, card=card))
    assert marks(table.do(Choose(seat=DARIO, contract="hearts"))) == []
    sound(table)


def test_a_card_that_nobody_saw_has_named_trumps_and_nobody_chose_them() -> None:
    table = written("plus-minus")
    for seat, card in [(ANNA, "S6"), (BEAT, None), (CHIARA, "S7"), (DARIO, "S8")]:
        table.do(Play(seat=seat, card=card))
    table.do(Choose(seat=CHIARA, contract="hearts"))
    for text in (notate(table.log), notate(table.commands), page(table.log)):
        assert "chooses" not in text
    assert "\nan unknown card names hearts, seat 2\n" in notate(table.log)
    assert "Contract: hearts\n" in page(table.log)
    assert "hearts, seat" not in page(table.log)
    told = [Choose(seat=CHIARA, contract="hearts")]
    assert parse("an unknown card names hearts, seat 2") == parse("2 chooses hearts") == told
    sound(table)
