"""Forehand names a contract or pushes to the partner, who must name one."""

from engine import cards, offers, to_act
from engine.commands import Choose, Play, Push
from engine.events import ContractSet, Pushed
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, SUIT_EACH, Table, only


def dealt(**options: object) -> Table:
    table = Table(options={"first_forehand": "drawn", **options})
    table.deal(SUIT_EACH, dealer=DARIO)
    return table


def test_forehand_names_a_contract_and_leads() -> None:
    table = dealt()
    assert to_act(table.state) == (ANNA, "contract_choice", ("choose", "push"))
    assert only(table.do(Choose(seat=ANNA, contract="undenufe")), ContractSet).seat == ANNA
    assert to_act(table.state) == (ANNA, "trick_play", ("play",))


def test_the_partner_must_name_one_and_forehand_leads() -> None:
    table = dealt()
    assert only(table.do(Push(seat=ANNA)), Pushed).seat == ANNA
    assert to_act(table.state) == (CHIARA, "contract_choice", ("choose",))
    assert table.refused(Push(seat=CHIARA)) == "push/must_choose"
    table.do(Choose(seat=CHIARA, contract="diamonds"))
    assert table.turn == ANNA


def test_nobody_else_may_speak() -> None:
    table = dealt()
    assert table.refused(Push(seat=BEAT)) == "push/not_your_turn"
    assert table.refused(Choose(seat=CHIARA, contract="clubs")) == "choose/not_your_turn"
    assert table.refused(Play(seat=ANNA, card="S6")) == "play/not_now"


def test_only_the_contracts_of_the_game_can_be_named() -> None:
    assert dealt().refused(Choose(seat=ANNA, contract="slalom-obenabe")) == "choose/contract_not_offered"
    assert dealt().refused(Choose(seat=ANNA, contract="clubs", slot="joker7")) == "choose/no_slots"


def test_slalom_and_guschti_can_be_added() -> None:
    table = dealt(contracts=["spades", "slalom-undenufe"], deals=1)
    table.choose("slalom-undenufe")
    table.play("S7 H6 D6 C6")
    assert table.state.tricks[0].points == 33
    assert table.turn == ANNA


def test_offers_are_every_choice_there_is() -> None:
    table = dealt()
    assert len(offers(table.state)) == 7
    table.do(Push(seat=ANNA))
    assert len(offers(table.state)) == 6
    table.choose("spades")
    assert [command.card for command in offers(table.state)] == cards.codes(table.state.hands[ANNA])
