"""What was said before the first card of a transcribed deal, and is told when cards lie already."""

from typing import Any

import pytest

from engine import next_play, replay, to_act
from engine.audit import audit
from engine.commands import (
    Bid,
    Choose,
    Close,
    Deal,
    Declared,
    Defer,
    Discard,
    Pass,
    Play,
    Predict,
    Push,
    TakeBack,
)
from engine.events import (
    CardPlayed,
    ContractSet,
    DealScored,
    DiscardsCounted,
    GameEnded,
    InfractionFound,
    MeldsScored,
    PredictionsRevealed,
    TakenBack,
)
from engine.evidence import evidence
from engine.notation import notate, page, parse
from tests.engine.tables import ANNA, BEAT, CARD, CHIARA, DARIO, SUIT_EACH, Table, only, types

CARDS: list[list[Any]] = [hand.split() for hand in SUIT_EACH]

UNSEEN: list[tuple[int, Any]] = [(ANNA, "S6"), (BEAT, None), (CHIARA, "S7"), (DARIO, "S8")]


def written(variant: str, seats: int = 4, **start: Any) -> Table:
    table = Table(variant, seats, mode="transcribed", **start)
    table.do(Deal(dealer=seats - 1))
    return table


def marks(events: list[Any]) -> list[tuple[int, int, str]]:
    return [(e.seat, e.trick, e.code) for e in events if isinstance(e, InfractionFound)]


def play_all(table: Table, hands: list[list[Any]] = CARDS, leader: int = ANNA) -> list[Any]:
    """Each seat plays its cards in their order; `leader` takes every trick."""
    events: list[Any] = []
    for cards in zip(*hands, strict=True):
        for turn in range(table.state.seats):
            seat = (leader + turn) % table.state.seats
            events += table.do(Play(seat=seat, card=cards[seat]))
    return events


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
    told: list[tuple[Any, Any]] = [
        ((None, "slalom"), [(ANNA, 1, "out_of_turn")]),
        (("slalom-obenabe", "slalom"), []),
    ]
    for (contract, slot), found in told:
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


@pytest.mark.parametrize("leader", [ANNA, BEAT])
def test_while_nobody_knows_who_won_the_auction_either_may_have_led(leader: int) -> None:
    table = written("lake-constance", 2)
    table.do(Choose(seat=BEAT, contract="hearts"))
    for seat, card in ((leader, "S6"), (1 - leader, "D6"), (leader, "S7")):
        assert marks(table.do(Play(seat=seat, card=CARD[card]))) == []
    sound(table)


def test_nor_who_should_have_led_when_the_contract_is_told_after_the_last_card() -> None:
    table = lake()
    play_all(table, LAKE, leader=BEAT)
    assert marks(table.do(Choose(seat=BEAT, contract="diamonds"))) == []
    assert marks(table.do(Bid(seat=ANNA, points=60, won=True))) == [(BEAT, 1, "out_of_turn")]
    sound(table)


@pytest.mark.parametrize("declarer", [ANNA, BEAT])
def test_once_it_is_known_who_won_the_auction_it_is_his_turn_to_lead(declarer: int) -> None:
    table = lake()
    table.do(Bid(seat=declarer, points=60, won=True))
    table.do(Choose(seat=declarer, contract="hearts"))
    assert to_act(table.state) == (declarer, "trick_play", ("play",))
    assert next_play(table.state)[0] == declarer


def test_a_card_that_is_not_known_may_have_made_what_the_rules_say_of_its_rank() -> None:
    table = written("differenzler", options={"turned_contracts": {"6": "undenufe"}})
    assert only(table.do(Choose(seat=ANNA, contract="undenufe")), ContractSet).contract == "undenufe"
    sound(table)


def test_who_did_not_win_the_auction_did_not_choose() -> None:
    table = written("lake-constance", 2)
    table.do(Bid(seat=ANNA, points=60, won=True))
    table.do(Play(seat=ANNA, card="S6"))
    assert marks(table.do(Choose(seat=BEAT, contract="hearts"))) == [(BEAT, 1, "out_of_turn")]
    sound(table)


def test_where_a_card_names_trumps_anybody_tells_it() -> None:
    table = written("plus-minus")
    for seat, card in UNSEEN:
        table.do(Play(seat=seat, card=card))
    assert marks(table.do(Choose(seat=DARIO, contract="hearts"))) == []
    sound(table)


def test_a_card_that_nobody_saw_has_named_trumps_and_nobody_chose_them() -> None:
    table = written("plus-minus")
    for seat, card in UNSEEN:
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


def test_a_contract_told_after_the_last_card_makes_the_score() -> None:
    table = written("schieber")
    assert only(play_all(table), DealScored).scores == [None, None]
    closed = table.state.copy()
    told = table.do(Choose(seat=ANNA, contract="spades"))
    assert types(told) == ["taken_back", "contract_set", "deal_scored"]
    scored = only(told, DealScored)
    assert (scored.card_points, scored.scores, scored.totals) == ([157, 0], [514, 0], [514, 0])
    assert [record.scores for record in table.state.records] == [(514, 0)]
    assert table.refused(Choose(seat=ANNA, contract="spades")) == "choose/not_now"
    (proof,) = evidence(table.log)
    assert (proof.contracts, [fact.points.least for fact in proof.points]) == (["spades"], [157, 0])
    assert "\n0 chooses spades" in notate(table.log)
    sound(table)
    assert table.refused(TakeBack(to=only(told, DealScored).seq)) == "take_back/not_here"
    table.do(TakeBack(to=told[0].seq))
    assert table.state.records == closed.records
    assert table.state.totals == closed.totals
    assert only(table.do(Choose(seat=CHIARA, contract="hearts")), DealScored).scores == [0, 257]
    sound(table)
    table.do(Deal())
    assert table.refused(TakeBack(to=told[0].seq)) == "take_back/not_here"
    sound(table)


def test_what_a_contract_told_after_the_last_card_proves_is_marked() -> None:
    table = written("schieber")
    mixed = [list(cards) for cards in CARDS]
    mixed[BEAT][0], mixed[CHIARA][1] = "S9", "H7"
    mixed[ANNA][3], mixed[BEAT][1] = "H7", "S9"
    mixed[BEAT][0], mixed[CHIARA][1] = "H6", "D7"
    assert marks(play_all(table, mixed)) == []
    first = next(e for e in table.log if isinstance(e, CardPlayed) and e.seat == BEAT)
    events = table.do(Choose(seat=BEAT, contract="clubs"))
    told = only(events, ContractSet)
    assert [e for e in events if isinstance(e, InfractionFound)] == [
        InfractionFound(seq=told.seq + 1, seat=BEAT, trick=1, code="out_of_turn", at_seq=told.seq),
        InfractionFound(
            seq=told.seq + 2, seat=BEAT, trick=1, code="revoke", at_seq=first.seq, proof_seq=told.seq
        ),
    ]
    sound(table)


def test_a_slot_told_after_the_last_card_makes_the_score() -> None:
    table = written("coiffeur")
    table.do(Choose(seat=ANNA, contract="spades", slot=None))
    assert only(play_all(table), DealScored).scores == [None, None]
    told = table.do(Choose(seat=ANNA, contract=None, slot="joker7"))
    assert only(told, DealScored).scores == [7 * 157, 0]
    sound(table)


def test_contract_and_slot_are_told_one_after_the_other() -> None:
    table = written("coiffeur")
    play_all(table)
    assert only(table.do(Choose(seat=ANNA, contract=None, slot="joker8")), DealScored).scores == [None] * 2
    told = table.do(Choose(seat=ANNA, contract="spades"))
    assert only(told, DealScored).scores == [8 * 157, 0]
    sound(table)
    table.do(TakeBack(to=told[0].seq))
    assert (table.state.slot, table.state.contract) == ("joker8", None)
    sound(table)


def test_the_end_of_a_game_waits_for_nobody_and_is_written_again() -> None:
    table = written("schieber", preset="championship", options={"deals": 1})
    assert only(play_all(table), GameEnded).totals == [0, 0]
    assert to_act(table.state) is None
    assert only(table.do(Choose(seat=ANNA, contract="spades")), GameEnded).totals == [257, 0]
    assert table.state.over
    sound(table)


def test_nothing_is_told_of_a_deal_that_a_referee_has_ruled_on_or_that_was_broken_off() -> None:
    table = written("schieber")
    play_all(table)
    table.rule("warning", against=ANNA)
    assert table.refused(Choose(seat=ANNA, contract="spades")) == "choose/not_now"
    table = written("schieber")
    play_all(table)
    table.do(Close(reason="the hall burns"))
    assert table.refused(Choose(seat=ANNA, contract="spades")) == "choose/not_now"
    table = written("schieber")
    assert table.refused(Bid(seat=ANNA, points=500)) == "bid/not_now"
    table = Table("schieber", mode="transcribed")
    assert table.refused(Choose(seat=ANNA, contract="spades")) == "choose/not_now"


def test_melds_that_only_the_contract_compares_are_counted_when_it_is_told() -> None:
    table = written("schieber")
    table.do(Play(seat=ANNA, card="S6", melds=[["S6", "S7", "S8"]]))
    table.do(Play(seat=BEAT, card="HQ", melds=[["HQ", "HK", "HA"]]))
    rest = [cards[:] for cards in CARDS]
    rest[BEAT] = ["HQ", *[card for card in rest[BEAT] if card != "HQ"]]
    for seat in (CHIARA, DARIO):
        table.do(Play(seat=seat, card=rest[seat][0]))
    play_all(table, [cards[1:] for cards in rest])
    assert table.state.melds == ((None, None),)
    told = table.do(Choose(seat=ANNA, contract="undenufe"))
    assert only(told, MeldsScored).side == 0
    sound(table)


def test_trumps_that_an_unknown_card_named_are_told_after_the_last_card() -> None:
    table = written("plus-minus")
    hands: list[list[Any]] = [list(cards) for cards in CARDS]
    hands[BEAT][0] = None
    play_all(table, hands)
    before = table.log[:]
    table.do(Choose(seat=ANNA, contract="hearts"))
    assert table.log[: len(before)] == before
    sound(table)


LAKE: list[list[Any]] = [
    [f"{suit}{rank}" for suit in suits for rank in ("A", "K", "Q", "J", "10", "9", "8", "7", "6")]
    for suits in ("SH", "DC")
]


def lake() -> Table:
    return written("lake-constance", 2)


def test_an_auction_is_told_when_cards_lie() -> None:
    table = lake()
    table.do(Play(seat=ANNA, card="SA"))
    assert to_act(table.state) == (BEAT, "trick_play", ("play", "choose", "bid", "pass"))
    assert types(table.do(Bid(seat=ANNA, points=60))) == ["bid_made"]
    assert types(table.do(Bid(seat=BEAT, points=65))) == ["bid_made"]
    assert types(table.do(Bid(seat=ANNA, points=70))) == ["bid_made"]
    assert types(table.do(Pass(seat=BEAT))) == ["bid_passed", "auction_won"]
    assert to_act(table.state) == (BEAT, "trick_play", ("play", "choose"))
    table.do(Choose(seat=ANNA, contract="spades"))
    assert table.refused(Bid(seat=ANNA, points=80, won=True)) == "bid/not_now"
    table.do(Play(seat=BEAT, card="DA"))
    play_all(table, [cards[1:] for cards in LAKE])
    assert only(table.log, DealScored).scores == [1, -1]
    sound(table)


def test_an_auction_is_told_after_the_last_card() -> None:
    table = lake()
    play_all(table, LAKE)
    table.do(Choose(seat=ANNA, contract="spades"))
    assert table.state.records[0].scores == (None, None)
    told = table.do(Bid(seat=ANNA, points=60, won=True))
    assert types(told) == ["taken_back", "bid_made", "auction_won", "deal_scored"]
    assert only(told, DealScored).scores == [1, -1]
    sound(table)
    table.do(TakeBack(to=told[0].seq))
    for word in (Bid(seat=ANNA, points=60), Bid(seat=BEAT, points=155)):
        table.do(word)
        assert table.state.records[0].scores == (None, None)
    assert only(table.do(Pass(seat=ANNA)), DealScored).totals == [1, -1]
    sound(table)


def test_the_auction_of_a_deal_that_was_played_did_not_fail() -> None:
    table = lake()
    table.do(Play(seat=ANNA, card="SA"))
    table.do(Pass(seat=ANNA))
    assert table.refusal(Pass(seat=BEAT)) == (
        "pass/was_played",
        "somebody won the auction of a deal that was played",
        {},
    )


def test_who_led_without_having_won_the_auction_is_marked_when_it_is_told() -> None:
    table = lake()
    (led,) = table.do(Play(seat=ANNA, card="SA"))
    table.do(Play(seat=BEAT, card="DA"))
    table.do(Bid(seat=BEAT, points=60, won=True))
    table.do(Choose(seat=BEAT, contract="spades"))
    played, found = table.do(Play(seat=ANNA, card="SK"))
    assert marks([found]) == [(ANNA, 1, "out_of_turn")]
    assert isinstance(found, InfractionFound)
    assert (found.at_seq, found.proof_seq) == (led.seq, played.seq)
    sound(table)


THREE = CARDS[:3]


def test_whoever_won_an_auction_that_is_told_later_says_what_he_put_away() -> None:
    table = written("bieter", 3)
    for seat in range(3):
        table.do(Play(seat=seat, card=CARDS[seat][0]))
    assert to_act(table.state) == (None, "trick_play", ("play", "choose", "bid", "defer", "pass"))
    table.do(Defer(seat=ANNA))
    assert types(table.do(Bid(seat=ANNA, points=500, won=True))) == ["bid_made", "auction_won", "talon_taken"]
    assert to_act(table.state) == (ANNA, "discards", ("discard",))
    assert table.refused(Play(seat=ANNA, card="S7")) == "play/cards_moved"
    table.do(Discard(seat=ANNA, cards=["C6", "C7", "C8", "C9", None, None]))
    table.do(Choose(seat=ANNA, contract="spades"))
    play_all(table, [cards[1:] for cards in THREE])
    (proof,) = evidence(table.log)
    assert proof.hands[ANNA].size == 9
    assert [fact.side for fact in proof.points] == [0, 1]
    assert proof.points[1].points.most == 0
    sound(table)


@pytest.mark.parametrize("chosen", [False, True])
def test_it_is_the_same_after_the_last_card(chosen: bool) -> None:
    table = written("bieter", 3)
    play_all(table, THREE)
    assert table.state.records[0].scores == (None, None)
    told = table.do(Bid(seat=BEAT, points=500, won=True))
    assert types(told) == ["taken_back", "bid_made", "auction_won", "talon_taken"]
    assert to_act(table.state) == (BEAT, "discards", ("discard",))
    assert table.refused(Deal()) == "deal/not_now"
    sound(table)
    if chosen:
        table.do(Choose(seat=BEAT, contract="hearts"))
    away = table.do(Discard(seat=BEAT, cards=["C6", "C7", "C8", "C9", "C10", "CJ"]))
    assert only(away, DiscardsCounted).points == (12 if chosen else None)
    if not chosen:
        away = table.do(Choose(seat=BEAT, contract="hearts"))
        assert only(away, DiscardsCounted).points == 12
    scored = only(away, DealScored)
    assert scored.card_points is not None
    assert evidence(table.log)[0].contradictions == []
    sound(table)
    kinds = [event for event in table.log if isinstance(event, TakenBack)]
    assert len(kinds) == (1 if chosen else 2)


def test_whoever_won_the_auction_is_declarer_and_another_who_chose_is_marked() -> None:
    table = lake()
    told = table.do(Choose(seat=BEAT, contract="spades"))
    play_all(table, LAKE)
    assert marks(table.log) == []
    events = table.do(Bid(seat=ANNA, points=60, won=True))
    assert marks(events) == [(BEAT, 1, "out_of_turn")]
    assert only(events, InfractionFound).at_seq == told[0].seq
    assert only(events, DealScored).scores == [1, -1]
    sound(table)


@pytest.mark.parametrize(
    ("target", "melds", "won"),
    [(500, False, [0]), (514, False, [0]), (515, False, None), (500, True, None)],
    ids=["reached", "just reached", "just not reached", "nobody knows who was first"],
)
def test_a_target_that_a_late_sum_reaches_ends_the_game(target: int, melds: bool, won: Any) -> None:
    table = written("schieber", options={"target": target})
    for seat in range(4):
        heard = [Declared(points=100)] * 3 if melds and seat == BEAT else None
        table.do(Play(seat=seat, card=CARDS[seat][0], heard=heard))
    play_all(table, [cards[1:] for cards in CARDS])
    events = table.do(Choose(seat=ANNA, contract="spades"))
    assert [event.winners for event in events if isinstance(event, GameEnded)] == ([won] if won else [])
    sound(table)


def test_a_late_sum_ends_no_game_whose_target_must_be_claimed() -> None:
    table = written("schieber", options={"target": 500, "claim_out": "required"})
    play_all(table)
    assert types(table.do(Choose(seat=ANNA, contract="spades")))[-1] == "deal_scored"
    assert not table.state.over
    sound(table)


def test_a_game_that_its_last_deal_has_ended_is_not_ended_again_by_its_target() -> None:
    table = written("schieber", options={"target": 500, "deals": 1})
    play_all(table)
    events = table.do(Choose(seat=ANNA, contract="spades"))
    assert only(events, GameEnded).winners == [0]
    sound(table)


def differenzler(**options: object) -> Table:
    """Spades, of which Anna has all: she takes the 157."""
    table = written("differenzler", options=options)
    table.do(Choose(seat=DARIO, contract="spades"))
    return table


def test_predictions_are_told_when_cards_lie_whoever_remembers_first() -> None:
    table = differenzler()
    table.do(Predict(seat=ANNA, points=150))
    table.do(Predict(seat=BEAT, points=None))
    table.do(Play(seat=ANNA, card="S6"))
    assert to_act(table.state) == (BEAT, "trick_play", ("play", "predict"))
    assert types(table.do(Predict(seat=DARIO, points=20))) == ["prediction_made"]
    assert table.refused(Predict(seat=DARIO, points=30)) == "predict/made"
    assert table.refused(Predict(seat=CHIARA, points=None)) == "predict/points_missing"
    assert table.refused(Predict(seat=4, points=3)) == "predict/no_such_seat"
    table.do(Predict(seat=BEAT, points=0))
    for seat, at in ((BEAT, 0), (CHIARA, 0), (DARIO, 0), (ANNA, 1)):
        table.do(Play(seat=seat, card=CARDS[seat][at]))
    assert marks(table.do(Predict(seat=CHIARA, points=158))) == [(CHIARA, 1, "not_allowed")]
    assert to_act(table.state) == (BEAT, "trick_play", ("play",))
    assert table.refused(Predict(seat=CHIARA, points=15)) == "predict/not_now"
    for seat in (BEAT, CHIARA, DARIO):
        table.do(Play(seat=seat, card=CARDS[seat][1]))
    play_all(table, [cards[2:] for cards in CARDS])
    assert only(table.log, DealScored).scores == [7, 0, 158, 20]
    sound(table)


@pytest.mark.parametrize("sealed", [False, True])
def test_the_last_prediction_is_told_after_the_last_card(sealed: bool) -> None:
    table = differenzler(sealed_predictions=sealed)
    for seat, points in enumerate((150, None, 0)):
        table.do(Predict(seat=seat, points=points))
    play_all(table)
    assert list(table.state.records[0].scores) == [None] * 4
    assert types(table.do(Predict(seat=DARIO, points=20)))[-1] == "deal_scored"
    assert list(table.state.records[0].scores) == [None] * 4
    told = table.do(Predict(seat=BEAT, points=1))
    revealed = ["predictions_revealed"] if sealed else []
    assert types(told) == ["taken_back", "prediction_made", *revealed, "deal_scored"]
    assert [e.points for e in told if isinstance(e, PredictionsRevealed)] == (
        [[150, 1, 0, 20]] if sealed else []
    )
    assert table.state.records[0].scores == (7, 1, 0, 20)
    assert table.refused(Predict(seat=BEAT, points=3)) == "predict/not_now"
    sound(table)
