"""A slot whose contract nobody remembers, and a contract of which nobody wrote down the slot."""

from typing import Any

import pytest

from engine import audit, decode_command, replay, to_act
from engine.commands import Choose, Deal, Play, Push, Start, TakeBack
from engine.contracts import Contract
from engine.events import ContractSet, DealScored, InfractionFound
from engine.evidence import Evidence, evidence
from engine.notation import notate, parse
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, SUIT_EACH, Table, cards_of, only, types

CARDS = [cards_of(hand) for hand in SUIT_EACH]


def written(**options: Any) -> Table:
    table = Table("coiffeur", mode="transcribed", options=options)
    table.do(Deal(dealer=DARIO))
    return table


def first_trick(table: Table, leader: int = ANNA) -> list[Any]:
    """Each the lowest of its own suit; what was found."""
    for turn in range(4):
        seat = (leader + turn) % 4
        table.do(Play(seat=seat, card=CARDS[seat][0]))
    return [event.code for event in table.log if isinstance(event, InfractionFound)]


def play_out(table: Table) -> None:
    """The rest of the deal; whoever took the trick before leads, and so has every one."""
    for trick in range(len(table.state.tricks), 9):
        leader = table.state.leader or 0
        for turn in range(4):
            seat = (leader + turn) % 4
            table.do(Play(seat=seat, card=CARDS[seat][trick]))


def proof(table: Table) -> Evidence:
    assert audit.audit(table.log) is None
    assert replay(table.log) == table.state
    start = table.commands[0]
    assert isinstance(start, Start)
    again = Table("coiffeur", mode="transcribed", options=start.options)
    for command in parse(notate(table.log))[1:]:
        again.do(command)
    assert again.log == table.log
    return evidence(table.log)[-1]


def test_a_contract_of_which_the_slot_is_not_known_is_played_and_not_scored() -> None:
    table = written()
    table.do(Choose(seat=ANNA, contract="spades", slot=None))
    assert table.state.slot is None
    assert first_trick(table) == []
    assert proof(table).slots == ["spades", "joker7", "joker8"]
    play_out(table)
    scored = only(table.log, DealScored)
    assert (scored.card_points, scored.scores) == ([157, 0], [None, None])
    assert table.state.records[0].slot is None
    proof(table)


def test_a_contract_said_without_a_slot_still_takes_its_own() -> None:
    table = written()
    assert only(table.do(Choose(seat=ANNA, contract="spades")), ContractSet).slot == "spades"
    assert proof(table).slots == ["spades"]


def test_a_slot_of_one_contract_tells_it() -> None:
    table = written()
    assert only(table.do(Choose(seat=ANNA, contract=None, slot="clubs")), ContractSet).contract == "clubs"
    assert "0 chooses clubs, slot clubs" in notate(table.log)


def test_a_slot_whose_contract_is_not_known_leaves_those_that_it_takes() -> None:
    table = written()
    table.do(Choose(seat=ANNA, contract=None, slot="slalom"))
    assert to_act(table.state) == (None, "trick_play", ("play", "choose"))
    assert first_trick(table, BEAT) == []  # who leads depends on what is not known
    facts = proof(table)
    assert (facts.contracts, facts.slots) == (["slalom-obenabe", "slalom-undenufe"], ["slalom"])
    assert facts.tricks[0].takers == [BEAT]
    assert "0 chooses ?, slot slalom" in notate(table.log)


def test_what_is_remembered_later_completes_the_choice() -> None:
    table = written()
    table.do(Choose(seat=ANNA, contract=None, slot="joker8"))
    first_trick(table)
    told = only(table.do(Choose(seat=BEAT, contract="undenufe")), ContractSet)
    assert (told.seat, told.contract, told.slot) == (ANNA, "undenufe", "joker8")
    play_out(table)
    assert only(table.log, DealScored).scores == [8 * 157, 0]
    proof(table)


def test_a_slot_remembered_later_makes_the_score() -> None:
    table = written()
    table.do(Push(seat=ANNA))
    table.do(Choose(seat=BEAT, contract="hearts", slot=None))
    first_trick(table)
    assert to_act(table.state) == (BEAT, "trick_play", ("play", "choose"))
    assert table.refusal(Choose(seat=BEAT, contract="hearts", slot=None)) == (
        "choose/known_already",
        "another choice is written down, or nothing new is said",
        {},
    )
    assert table.refused(Choose(seat=BEAT, contract="spades", slot="spades")) == "choose/known_already"
    (told,) = table.do(Choose(seat=BEAT, contract=None, slot="joker7"))
    assert isinstance(told, ContractSet)
    assert (told.contract, told.slot) == ("hearts", "joker7")
    assert table.refused(Choose(seat=BEAT, contract="hearts", slot="joker8")) == "choose/not_now"
    proof(table)
    table.do(TakeBack(to=told.seq))
    assert table.state.slot is None


def test_a_slot_and_a_contract_that_do_not_fit_are_a_slip_of_the_pen() -> None:
    table = written()
    table.do(Choose(seat=ANNA, contract=None, slot="slalom"))
    assert table.refused(Choose(seat=ANNA, contract="spades")) == "choose/wrong_slot"
    assert table.refused(Choose(seat=ANNA, contract="spades", slot="spades")) == "choose/known_already"


@pytest.mark.parametrize("slot", [{}, {"slot": None}])
def test_something_has_to_be_known_of_a_choice(slot: dict[str, None]) -> None:
    table = written()
    assert table.refused(Choose(seat=ANNA, contract=None, **slot)) == "choose/contract_missing"
    other = Table(mode="transcribed", options={"first_forehand": "drawn"})
    other.do(Deal(dealer=DARIO))
    assert other.refused(Choose(seat=ANNA, contract=None, **slot)) == "choose/contract_missing"


def test_in_a_game_that_is_dealt_both_are_named() -> None:
    table = Table("coiffeur")
    table.deal(SUIT_EACH)
    assert table.refused(Choose(seat=ANNA, contract=None, slot="slalom")) == "choose/contract_missing"
    assert only(table.do(Choose(seat=ANNA, contract="spades", slot=None)), ContractSet).slot == "spades"


def test_a_side_with_an_unknown_slot_has_finished_when_it_has_played_ten() -> None:
    """Nobody is accused of a slot that may have been another one; the eleventh is one too many."""
    table = Table("coiffeur", mode="transcribed")
    deals: list[tuple[Contract, str | None]] = [
        ("spades", None),
        ("spades", "spades"),
        ("clubs", "clubs"),
        ("hearts", "hearts"),
    ]
    deals += [("diamonds", "diamonds"), ("obenabe", "obenabe"), ("undenufe", "undenufe")]
    deals += [("obenabe", "joker7"), ("slalom-obenabe", "slalom"), ("guschti-obenabe", "guschti")]
    for contract, slot in deals:
        table.do(Deal(dealer=DARIO))
        table.do(Choose(seat=ANNA, contract=contract, slot=slot))
        for _ in range(9):
            for seat in range(4):
                table.do(Play(seat=seat, card=None))
    marks = {event.code for event in table.log if isinstance(event, InfractionFound)}
    assert marks == {"wrong_dealer"}
    table.do(Deal(dealer=DARIO))
    assert table.turn == BEAT  # Anna's side has finished
    assert "infraction_found" in types(table.do(Choose(seat=ANNA, contract="spades", slot="joker8")))
    proof(table)


def test_a_choice_in_json_may_leave_the_slot_out_or_say_that_it_is_not_known() -> None:
    left_out = decode_command({"cmd": "choose", "seat": 2, "contract": "spades"})
    unknown = decode_command({"cmd": "choose", "seat": 2, "contract": "spades", "slot": None})
    assert left_out != unknown
    assert [*parse("2 chooses spades"), *parse("2 chooses spades, slot ?")] == [left_out, unknown]
    assert notate([left_out, unknown]).split("\n")[:2] == ["2 chooses spades", "2 chooses spades, slot ?"]
    assert left_out == Choose(seat=CHIARA, contract="spades")
