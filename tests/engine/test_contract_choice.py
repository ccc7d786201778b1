"""Forehand names a contract or pushes to the partner, who must name one."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine import IllegalCommand, cards, decide, list_offers, to_act
from engine.audit import audit
from engine.commands import Choose, Command, Deal, Play, Push
from engine.events import ContractSet, HandTakenUp, InfractionFound, Pushed
from engine.phases.contract_choice import contract_choice
from engine.variants.coiffeur import SLOTS
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
    assert len(list_offers(table.state)) == 7
    table.do(Push(seat=ANNA))
    assert len(list_offers(table.state)) == 6
    table.choose("spades")
    hand = cards.codes(table.state.hands[ANNA])
    assert list(list_offers(table.state)) == [Play(seat=ANNA, card=card) for card in hand]


ALL_SIX = ["diamonds", "hearts", "spades", "clubs", "obenabe", "undenufe"]


@pytest.mark.parametrize(
    ("pushed", "command", "code", "said", "params"),
    [
        (True, Push(seat=CHIARA), "push/must_choose", "a contract must be named now", {"seat": CHIARA}),
        (
            False,
            Choose(seat=ANNA, contract=None),
            "choose/contract_missing",
            "the contract must be named",
            {},
        ),
        (
            False,
            Choose(seat=ANNA, contract="slalom-obenabe"),
            "choose/contract_not_offered",
            "slalom-obenabe is not played here",
            {"contract": "slalom-obenabe", "offered": ALL_SIX},
        ),
        (
            False,
            Choose(seat=ANNA, contract="clubs", slot="joker7"),
            "choose/no_slots",
            "this game has no slots",
            {"slot": "joker7"},
        ),
    ],
)
def test_a_refusal_says_what_was_wrong(
    pushed: bool, command: Command, code: str, said: str, params: dict[str, Any]
) -> None:
    table = dealt()
    if pushed:
        table.do(Push(seat=ANNA))
    with pytest.raises(IllegalCommand) as refused:
        decide(table.state, command)
    assert (refused.value.code, refused.value.detail, refused.value.params) == (code, said, params)


def test_a_refusal_of_what_comes_later_names_the_phase() -> None:
    with pytest.raises(IllegalCommand) as refused:
        decide(dealt().state, Play(seat=ANNA, card="S6"))
    assert refused.value.detail == "play is not open in phase contract_choice"
    assert refused.value.params["phase"] == "contract_choice"


def test_a_push_out_of_turn_and_a_second_one_are_marked_where_the_table_is_written_down() -> None:
    table = Table(mode="transcribed")
    table.do(Deal(dealer=DARIO))
    marked = [
        [(mark.seat, mark.code) for mark in table.do(Push(seat=seat)) if isinstance(mark, InfractionFound)]
        for seat in (BEAT, BEAT)
    ]
    assert marked == [[(BEAT, "out_of_turn")], [(BEAT, "out_of_turn"), (BEAT, "not_allowed")]]


@pytest.mark.parametrize("pushed", [True, False])
def test_the_cards_that_the_partner_takes_up_are_told_and_the_audit_expects_them(pushed: bool) -> None:
    table = Table(preset="championship")
    table.deal(SUIT_EACH, dealer=DARIO)
    events = table.do(Push(seat=ANNA) if pushed else Choose(seat=ANNA, contract="clubs"))
    assert only(events, HandTakenUp).cards == SUIT_EACH[CHIARA].split()
    assert audit(table.log) is None


def test_every_slot_is_offered_with_every_contract_it_has() -> None:
    table = Table("coiffeur")
    table.deal(SUIT_EACH, dealer=DARIO)
    choices = [(c.slot, c.contract) for c in list_offers(table.state) if isinstance(c, Choose)]
    assert choices == [(slot, contract) for slot, some in SLOTS.contracts.items() for contract in some]


def test_a_choice_whose_slot_was_struck_out_is_no_choice_of_this_game() -> None:
    table = Table("coiffeur")
    table.deal(SUIT_EACH, dealer=DARIO)
    table.do(Choose(seat=ANNA, contract="clubs", slot="clubs"))
    assert audit(table.log) is None
    chosen = only(table.log, ContractSet)
    found = audit([*table.log[:-1], replace(chosen, slot=None)])
    assert found is not None
    assert found.expected == chosen


def test_the_phase_says_what_may_be_named_in_it() -> None:
    phase = contract_choice(("clubs", "undenufe"))
    assert phase.contracts == ("clubs", "undenufe")
