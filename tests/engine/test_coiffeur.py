"""Coiffeur: ten slots a side, jokers, who chooses and who leads."""

from typing import Any

import pytest

from engine import to_act
from engine.audit import audit
from engine.commands import Choose, CorrectResult, Deal, EnterResult, Push, Rule
from engine.contracts import Contract
from engine.events import ContractSet, DealScored, ResultCorrected, ResultEntered
from engine.queries.sheet_form import list_sheet_fields
from engine.registry import build_game_context
from engine.scoring.ruling_effects import score_deals
from engine.variants.coiffeur import FACTORS, SLOTS
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, SUIT_EACH, Table, only

THREE = ["S6 S7 S8 S9 S10 SJ SQ SK SA D6 D7 D8", "H6 H7 H8 H9 H10 HJ HQ HK HA D9 D10 DJ",
         "C6 C7 C8 C9 C10 CJ CQ CK CA DQ DK DA"]  # fmt: skip


def a_table(seats: int = 4, **options: object) -> Table:
    table = Table("coiffeur", seats=seats, options=options)
    deal(table)
    return table


def deal(table: Table) -> None:
    hands = SUIT_EACH if table.state.seats == 4 else THREE
    table.deal(hands, dealer=None if table.state.deal else table.state.seats - 1)


def choose(table: Table, contract: Contract, slot: str | None = None) -> None:
    table.do(Choose(seat=table.turn, contract=contract, slot=slot))


def a_deal(table: Table, contract: Contract, slot: str | None = None) -> DealScored:
    """Forehand chooses and the deal is played out."""
    choose(table, contract, slot)
    found: DealScored = only(table.play_out(), DealScored)
    if not table.state.over:
        deal(table)
    return found


def test_forehand_names_a_slot_or_pushes_to_the_next_seat_round_the_table() -> None:
    table = a_table()
    for seat in (ANNA, BEAT, CHIARA, DARIO):
        assert to_act(table.state) == (seat, "contract_choice", ("choose", "push"))
        table.do(Push(seat=seat))
    assert to_act(table.state) == (ANNA, "contract_choice", ("choose",))
    assert table.refused(Push(seat=ANNA)) == "push/must_choose"


def test_only_the_side_that_chose_scores_and_times_its_multiplier() -> None:
    table = a_table()
    assert a_deal(table, "spades").scores == [3 * 157, 0]
    table = a_table()
    assert a_deal(table, "hearts").scores == [0, 0]


def test_a_contract_without_a_slot_takes_its_own() -> None:
    table = a_table()
    choose(table, "slalom-undenufe")
    assert only(table.log, ContractSet).slot == "slalom"


@pytest.mark.parametrize("slot", ["hearts", "guschti", "joker9"])
def test_a_contract_is_not_played_in_a_slot_of_another(slot: str) -> None:
    table = a_table()
    refused = Choose(seat=ANNA, contract="slalom-obenabe", slot=slot)
    assert table.refused(refused) == "choose/wrong_slot"


def test_a_slot_is_played_once_a_side_and_a_joker_takes_any_contract_again() -> None:
    table = a_table()
    a_deal(table, "spades")
    assert a_deal(table, "spades").scores == [0, 0]
    assert table.refused(Choose(seat=CHIARA, contract="spades")) == "choose/slot_played"
    assert a_deal(table, "spades", "joker8").scores == [8 * 157, 0]
    table.do(Push(seat=DARIO))
    assert table.refused(Choose(seat=ANNA, contract="hearts", slot="joker8")) == "choose/slot_played"


def test_the_slot_of_an_annulled_deal_is_played_again() -> None:
    table = a_table()
    choose(table, "spades")
    table.rule("annul_deal", deal=1)
    deal(table)
    choose(table, "spades")
    assert table.state.slot == "spades"


@pytest.mark.parametrize(
    ("lead", "contract", "slot", "leader"),
    [
        ("source", "hearts", None, ANNA),
        ("source", "slalom-obenabe", None, BEAT),
        ("source", "guschti-obenabe", "joker7", BEAT),
        ("source", "hearts", "joker7", ANNA),
        ("forehand", "slalom-obenabe", None, ANNA),
        ("declarer", "hearts", None, BEAT),
    ],
)
def test_who_leads(lead: str, contract: Contract, slot: str | None, leader: int) -> None:
    table = a_table(lead=lead)
    table.do(Push(seat=ANNA))
    choose(table, contract, slot)
    assert table.turn == leader


def test_three_play_alone_with_twelve_cards() -> None:
    table = a_table(seats=3)
    table.do(Push(seat=ANNA))
    choose(table, "hearts")
    events = table.play_out()
    assert only(events, DealScored).card_points == [0, 127, 30]
    assert only(events, DealScored).scores == [0, 2 * 127, 0]
    assert len(table.state.records[0].tricks) == 12


def test_melds_stoeck_and_sweep_count_by_option_for_the_choosing_side_only() -> None:
    options = {"melds": True, "stoeck": True, "sweep_bonus": 100}
    table = a_table(**options)
    choose(table, "spades")
    table.play("SA", melds=[SUIT_EACH[0].split()])
    events = table.play_out()
    assert only(events, DealScored).scores == [3 * (157 + 100 + 300 + 20), 0]
    table = a_table(**options)
    table.do(Push(seat=ANNA))
    choose(table, "hearts")
    table.play("SA", melds=[SUIT_EACH[0].split()])
    assert only(table.play_out(), DealScored).scores == [0, 2 * (157 + 100)]


def _all_slots(table: Table) -> list[tuple[int, tuple[str, ...]]]:
    """Play to the end: each chooser takes the first free slot. Returns who was asked what."""
    asked = []
    while not table.state.over:
        turn = to_act(table.state)
        assert turn is not None
        asked.append((table.turn, turn.commands))
        own = [r for r in table.state.records if r.chooser is not None and r.chooser % 2 == table.turn % 2]
        played = {record.slot for record in own}
        slot = next(slot for slot in SLOTS.contracts if slot not in played)
        a_deal(table, SLOTS.contracts[slot][0], slot)
    return asked


def test_a_side_that_has_finished_is_skipped_and_the_next_seat_has_the_duty() -> None:
    table = a_table()
    for slot in SLOTS.contracts:
        while table.turn % 2:
            table.do(Push(seat=table.turn))
        a_deal(table, SLOTS.contracts[slot][0], slot)
    asked = _all_slots(table)
    assert len(table.state.records) == 20
    assert {seat % 2 for seat, _ in asked} == {1}
    assert all("push" in commands for _, commands in asked)
    assert audit(table.log) is None


def test_who_alone_has_slots_left_cannot_push() -> None:
    table = a_table(seats=3)
    for seat in (ANNA, BEAT):
        for slot in SLOTS.contracts:
            while table.turn != seat:
                table.do(Push(seat=table.turn))
            a_deal(table, SLOTS.contracts[slot][0], slot)
    assert to_act(table.state) == (CHIARA, "contract_choice", ("choose",))
    assert table.refused(Push(seat=CHIARA)) == "push/must_choose"
    table.do(Choose(seat=CHIARA, contract="obenabe"))


def test_the_multipliers_are_those_of_the_slots() -> None:
    assert list(FACTORS) == list(SLOTS.contracts)
    assert list(FACTORS.values()) == list(range(1, 11))


def test_a_dealer_is_named_in_the_first_deal_only() -> None:
    table = a_table()
    choose(table, "spades")
    table.play_out()
    dealt = table.commands[1]
    assert isinstance(dealt, Deal)
    assert table.refused(Deal(deck=dealt.deck, dealer=ANNA)) == "deal/wrong_dealer"


# --- a sheet of three


def sheet_of_three(**options: Any) -> Table:
    return Table("coiffeur", 3, mode="sheet", options=options)


def of_three(deal: int = 1, **written: Any) -> EnterResult:
    return EnterResult(seat=ANNA, deal=deal, **{"chooser": BEAT, "slot": "obenabe", **written})


def test_a_sheet_of_three_asks_only_for_the_points_of_who_chose() -> None:
    table = sheet_of_three()
    names = [field.name for field in list_sheet_fields(table.state, 1)]
    assert "own_points" in names
    assert "card_points" not in names
    entered = only(table.do(of_three(own_points=61)), ResultEntered)
    assert (entered.card_points, entered.scores) == ([None, 61, None], [0, 5 * 61, 0])
    corrected = only(
        table.do(CorrectResult(seat=ANNA, deal=1, chooser=BEAT, slot="obenabe", own_points=16)),
        ResultCorrected,
    )
    assert (corrected.card_points, corrected.totals) == ([None, 16, None], [0, 80, 0])
    assert audit(table.log) is None


def test_who_has_all_points_leaves_none_to_the_others() -> None:
    table = sheet_of_three()
    assert only(table.do(of_three(own_points=157)), ResultEntered).card_points == [0, 157, 0]
    assert only(table.do(of_three(2, slot="undenufe", own_points=0)), ResultEntered).card_points == [
        None,
        0,
        None,
    ]
    assert audit(table.log) is None


def test_all_points_of_a_sheet_of_three_may_still_be_written() -> None:
    table = sheet_of_three()
    entered = only(table.do(of_three(card_points=[50, 61, 46])), ResultEntered)
    assert (entered.card_points, entered.scores) == ([50, 61, 46], [0, 305, 0])
    assert audit(table.log) is None


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ({}, "sheet/own_points_missing"),
        ({"card_points": [50, None, 46]}, "sheet/own_points_missing"),
        ({"own_points": 158}, "sheet/out_of_bounds"),
        ({"own_points": 156}, "sheet/impossible_points"),
        ({"card_points": [50, 61, 47]}, "sheet/wrong_sum"),
        ({"card_points": [61]}, "sheet/wrong_sides"),
    ],
)
def test_points_that_cannot_be_are_refused_on_a_sheet_of_three(written: dict[str, Any], code: str) -> None:
    assert sheet_of_three().refused(of_three(**written)) == code


def test_partners_write_the_points_of_both_sides() -> None:
    table = Table("coiffeur", mode="sheet")
    assert table.refused(of_three(own_points=61)) == "sheet/no_own_points"
    assert table.refused(of_three(card_points=[61, None])) == "sheet/card_points_missing"


def test_rulings_change_a_sheet_of_three() -> None:
    table = sheet_of_three()
    table.do(of_three(own_points=61))
    table.do(Rule(kind="score_change", deal=1, scores=[0, 300, 0], reason="counted again"))
    assert table.state.totals == (0, 300, 0)
    table.do(Rule(kind="annul_deal", deal=1, reason="a card was missing", replaces=1))
    assert table.state.totals == (0, 0, 0)
    assert audit(table.log) is None


@pytest.mark.parametrize(
    ("written", "card_points"),
    [
        ({"own_points": 61}, (None, 61, None)),
        ({"card_points": [50, 61, None]}, (50, 61, None)),
        ({"own_points": 157}, (0, 157, 0)),
    ],
)
def test_points_that_a_sheet_of_three_omits_stay_unknown_after_a_ruling(
    written: dict[str, Any], card_points: tuple[int | None, ...]
) -> None:
    table = sheet_of_three()
    table.do(of_three(**written))
    table.rule("warning", deal=1)
    [scored] = score_deals(build_game_context(table.state))
    assert (scored.card_points, scored.scores) == (card_points, (0, 5 * (card_points[BEAT] or 0), 0))


def test_of_three_a_sweep_against_who_chose_has_all_points() -> None:
    entered = only(sheet_of_three(sweep_bonus=100).do(of_three(own_points=0, sweep=CHIARA)), ResultEntered)
    assert entered.card_points == [0, 0, 157]
