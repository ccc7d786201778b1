"""Lake Constance: table cards, the auction, following more strictly, the sack, stopping when it is enough."""

from typing import Any, Literal

import pytest

from engine import Observer, decide, legal_cards, list_offers, redact_events, replay, snapshot, to_act
from engine.audit import audit
from engine.cards import DECK, INDEX, SUIT_NAMES, Card, codes, mask
from engine.commands import Bid, Choose, Deal, Pass, Play, Stop
from engine.contracts import Contract
from engine.events import (
    AuctionFailed,
    AuctionWon,
    DealScored,
    DealStarted,
    DealStopped,
    GameEnded,
    HandDealt,
    TableCardTurned,
    TableDealt,
    TrickTaken,
)
from engine.phases.dealing import deck_from_hands
from engine.variants.lake_constance import LAKE_CONSTANCE, Options
from tests.engine.tables import ANNA, BEAT, EVA, GABI, Table, only, types

SPADES, HEARTS, DIAMONDS, CLUBS = ([card for card in DECK if card[0] == suit] for suit in "SHDC")
# closed, open, hand
ANNAS = [*DIAMONDS[:6], *SPADES[3:], *SPADES[:3], *DIAMONDS[6:]]
BEATS = [*HEARTS[:6], *CLUBS[:6], *CLUBS[6:], *HEARTS[6:]]


def a_table(anna: list[Card] = ANNAS, beat: list[Card] = BEATS, **options: Any) -> Table:
    """Beat deals: Anna has spades open and diamonds below, Beat clubs open and hearts below."""
    table = Table("lake-constance", seats=2, options=options)
    table.do(Deal(deck=deck_from_hands([anna, beat], ANNA), dealer=BEAT))
    return table


def played(contract: Contract = "spades", points: int = 60, **options: Any) -> Table:
    """Anna has won the auction and leads."""
    table = a_table(**options)
    table.do(Bid(seat=ANNA, points=points))
    table.do(Pass(seat=BEAT))
    table.choose(contract)
    return table


def test_six_closed_cards_lie_below_six_open_ones() -> None:
    table = a_table()
    assert [e.size for e in table.log if isinstance(e, HandDealt)] == [6, 6]
    assert [(e.open, e.closed) for e in table.log if isinstance(e, TableDealt)] == [
        (SPADES[3:], DIAMONDS[:6]),
        (CLUBS[:6], HEARTS[:6]),
    ]
    assert audit(table.log) is None


def test_open_table_cards_are_seen_by_all_and_closed_ones_by_nobody() -> None:
    table = played()
    for observer in (Observer.seat(ANNA), Observer.seat(BEAT), EVA, GABI):
        view = list(redact_events(table.log, observer))
        closed = [e.closed for e in view if isinstance(e, TableDealt)]
        assert closed == ([DIAMONDS[:6], HEARTS[:6]] if observer == GABI else [None, None])
        picture = snapshot(replay(view), observer)
        assert [place["open"] for place in picture["table"][BEAT]] == CLUBS[:6]
        assert all(place["closed"] for place in picture["table"][ANNA])
        assert [hand["size"] for hand in picture["hands"]] == [6, 6]
    own = replay(redact_events(table.log, Observer.seat(ANNA)))
    assert legal_cards(own) == legal_cards(table.state)
    assert own.unknown(ANNA) == 6


def test_worlds_that_differ_in_closed_cards_look_the_same_until_they_are_turned() -> None:
    swapped = [*reversed(DIAMONDS[:6]), *ANNAS[6:]]
    tables = [a_table(), a_table(anna=swapped)]
    for table in tables:
        table.do(Bid(seat=ANNA, points=60))
        table.do(Pass(seat=BEAT))
        table.choose("spades")
        table.play("S6 C6")
    one, two = tables
    for observer in (Observer.seat(ANNA), Observer.seat(BEAT), EVA):
        assert list(redact_events(one.log, observer)) == list(redact_events(two.log, observer))


def test_bids_are_multiples_of_five_and_higher_each_time() -> None:
    table = a_table()
    assert to_act(table.state) == (ANNA, "auction", ("bid", "pass"))
    assert table.refused(Bid(seat=ANNA, points=55)) == "bid/out_of_bounds"
    assert table.refused(Bid(seat=ANNA, points=160)) == "bid/out_of_bounds"
    assert table.refused(Bid(seat=ANNA, points=62)) == "bid/wrong_step"
    assert table.refused(Pass(seat=BEAT)) == "pass/not_your_turn"
    table.do(Bid(seat=ANNA, points=60))
    assert table.refused(Bid(seat=BEAT, points=60)) == "bid/out_of_bounds"
    table.do(Bid(seat=BEAT, points=150))
    assert [c.points for c in list_offers(table.state) if isinstance(c, Bid)] == [155]
    table.do(Bid(seat=ANNA, points=155))
    assert to_act(table.state) == (BEAT, "auction", ("pass",))
    assert table.refused(Bid(seat=BEAT, points=160)) == "bid/out_of_bounds"
    table.do(Pass(seat=BEAT))
    assert to_act(table.state) == (ANNA, "contract_choice", ("choose",))


def test_the_first_bid_of_the_dealer_wins_when_the_other_passed() -> None:
    table = a_table(minimum_bid=62)
    table.do(Pass(seat=ANNA))
    assert table.refused(Bid(seat=BEAT, points=60)) == "bid/out_of_bounds"
    events = table.do(Bid(seat=BEAT, points=65))
    assert only(events, AuctionWon).seat == BEAT
    assert to_act(table.state) == (BEAT, "contract_choice", ("choose",))
    table.choose("hearts")
    assert table.turn == BEAT


@pytest.mark.parametrize("minimum", [60, 150])
def test_the_same_dealer_deals_anew_when_both_pass(minimum: int) -> None:
    table = a_table(minimum_bid=minimum)
    table.do(Pass(seat=ANNA))
    assert types(table.do(Pass(seat=BEAT))) == ["bid_passed", "auction_failed"]
    assert isinstance(table.log[-1], AuctionFailed)
    events = table.do(Deal(deck=deck_from_hands([ANNAS, BEATS], ANNA)))
    assert (only(events, DealStarted).deal, only(events, DealStarted).dealer) == (2, BEAT)
    assert audit(table.log) is None


def test_only_suits_may_be_named_unless_the_others_are_allowed() -> None:
    table = a_table()
    table.do(Bid(seat=ANNA, points=60))
    table.do(Pass(seat=BEAT))
    assert table.refused(Choose(seat=ANNA, contract="obenabe")) == "choose/contract_not_offered"
    assert len(list_offers(table.state)) == 4
    assert played("slalom-undenufe", no_trumps=True).turn == ANNA
    table = a_table(no_trumps=True)
    table.do(Bid(seat=ANNA, points=60))
    table.do(Pass(seat=BEAT))
    assert len(list_offers(table.state)) == 8  # all but guschti
    assert table.refused(Choose(seat=ANNA, contract="guschti-obenabe")) == "choose/contract_not_offered"


def test_a_player_without_the_suit_led_trumps() -> None:
    table = played("hearts")
    table.play("S9")
    assert table.legal == "HQ HK HA"
    table = played("clubs")
    table.play("S9")
    assert table.legal == " ".join(CLUBS)
    table = played("diamonds")
    table.play("S9")
    assert table.legal == " ".join([*HEARTS[6:], *CLUBS])


def test_a_card_below_one_that_was_played_is_turned_after_the_trick() -> None:
    table = played()
    events = table.play("S10 C7")
    assert types(events) == [
        "card_played",
        "card_played",
        "trick_taken",
        "table_card_turned",
        "table_card_turned",
    ]
    assert [(e.seat, e.card) for e in events if isinstance(e, TableCardTurned)] == [
        (ANNA, "D7"),
        (BEAT, "H7"),
    ]
    assert "D7" in codes(table.state.hands[ANNA])
    assert snapshot(table.state, EVA)["table"][ANNA][1] == {"open": "D7", "closed": False}
    events = table.play("D7 C6")
    assert [(e.seat, e.card) for e in events if isinstance(e, TableCardTurned)] == [(BEAT, "H6")]
    assert snapshot(table.state, EVA)["table"][ANNA][1] == {"open": None, "closed": False}
    table.play_out()
    assert sum(p or 0 for p in table.state.records[0].card_points) == 157
    assert audit(table.log) is None


def test_a_closed_card_that_a_view_does_not_know_is_not_made_up() -> None:
    table = played()
    table.play("S10")
    seen = replay(redact_events(table.log, Observer.seat(BEAT)))
    events = decide(seen, Play(seat=BEAT, card="C7"))
    assert types(events) == ["card_played", "trick_taken"]


@pytest.mark.parametrize(("values", "points"), [("source", 11), ("six", 0)])
def test_the_ace_keeps_its_points_in_undenufe_as_the_source_prints_it(
    values: Literal["source", "six"], points: int
) -> None:
    worth = LAKE_CONSTANCE.play(Options(undenufe_values=values)).values
    for contract in ("undenufe", "slalom-undenufe"):
        assert worth[contract][8] == points
        assert sum(worth[contract]) == 152


def test_who_bid_and_reached_it_wins_the_deal() -> None:
    table = played(points=150)
    scored = only(table.play_out(), DealScored)
    assert scored.card_points == [157, 0]
    assert scored.scores == [1, -1]


def test_the_opponent_wins_a_deal_whose_bid_was_not_reached() -> None:
    table = a_table()
    table.do(Pass(seat=ANNA))
    table.do(Bid(seat=BEAT, points=155))
    table.choose("diamonds")
    scored = only(table.play_out(), DealScored)
    assert scored.card_points[BEAT] <= 20
    assert scored.scores == [1, -1]


def test_only_who_is_certain_to_win_may_stop_and_the_rest_counts_for_nobody() -> None:
    table = a_table()
    assert table.refused(Stop(seat=ANNA)) == "stop/not_now"
    table = played(points=60)
    assert table.refused(Stop(seat=ANNA)) == "stop/not_certain"
    assert table.refused(Stop(seat=BEAT)) == "stop/not_certain"
    table.play("SJ C10 SA CA S10")
    assert table.refused(Stop(seat=ANNA)) == "stop/not_certain"
    table.play("CK S9")
    events = table.do(Stop(seat=ANNA))
    assert types(events) == ["deal_stopped", "deal_scored"]
    assert only(events, DealStopped).seat == ANNA
    scored = only(events, DealScored)
    assert scored.card_points == [66, 0]
    assert scored.scores == [1, 0]
    assert table.refused(Stop(seat=ANNA)) == "stop/not_now"
    assert audit(table.log) is None


def test_the_opponent_stops_when_the_bid_cannot_be_reached_any_more_also_within_a_trick() -> None:
    table = a_table()
    table.do(Pass(seat=ANNA))
    table.do(Bid(seat=BEAT, points=155))
    table.choose("spades")
    table.play("CA")
    assert table.refused(Stop(seat=ANNA)) == "stop/not_certain"
    table.play("SJ S6")
    assert table.refused(Stop(seat=3)) == "stop/no_such_seat"
    events = table.do(Stop(seat=ANNA))
    assert only(events, DealScored).scores == [1, 0]
    assert only(events, DealScored).card_points == [31, 0]


@pytest.mark.parametrize(("tricks", "sack"), [("few", 0), ("all", -1)])
def test_the_sack_is_judged_on_what_the_loser_could_still_have_taken(tricks: str, sack: int) -> None:
    table = played(points=100)
    while table.state.taken[ANNA] < (100 if tricks == "few" else 137):
        legal = [card for card in codes(legal_cards(table.state)) if card[0] == "S"]
        table.play(legal[0] if legal and table.turn == ANNA else codes(legal_cards(table.state))[-1])
    assert only(table.do(Stop(seat=ANNA)), DealScored).scores == [1, sack]


def test_the_first_to_score_five_wins() -> None:
    """Anna bids high for spades and takes everything, whoever deals."""
    table = Table("lake-constance", seats=2)
    for deal in range(5):
        forehand = deal % 2
        dealer = None if deal else BEAT
        table.do(Deal(deck=deck_from_hands([ANNAS, BEATS], forehand), dealer=dealer))
        if forehand == BEAT:
            table.do(Pass(seat=BEAT))
        table.do(Bid(seat=ANNA, points=150))
        if forehand == ANNA:
            table.do(Pass(seat=BEAT))
        table.choose("spades")
        table.play_out()
    assert only(table.log, GameEnded).winners == [ANNA]
    assert only(table.log, GameEnded).totals == [5, -5]
    assert audit(table.log) is None


def test_unknown_cards_on_the_table_are_written_down_as_such() -> None:
    table = Table("lake-constance", seats=2, mode="transcribed")
    table.do(Deal())
    laid = [event for event in table.log if isinstance(event, TableDealt)]
    assert [(event.open, event.closed) for event in laid] == [([None] * 6, [None] * 6)] * 2
    assert [pile["open"] for pile in snapshot(table.state, GABI)["table"][ANNA]] == [None] * 6
    assert table.state.sizes == [18, 18]


def written() -> Table:
    """A record: Anna has won the auction and plays spades."""
    table = Table("lake-constance", seats=2, mode="transcribed")
    table.do(Deal(deck=deck_from_hands([ANNAS, BEATS], ANNA), dealer=BEAT))
    table.do(Bid(seat=ANNA, points=60))
    table.do(Pass(seat=BEAT))
    table.choose("spades")
    return table


def test_a_deal_with_unknown_cards_has_no_score() -> None:
    table = written()
    events = table.play("S10 C7")
    assert only(events, TrickTaken).points == 10
    while table.state.dealing:
        turn = to_act(table.state)
        assert turn is not None
        table.do(Play(seat=ANNA if turn.seat is None else turn.seat, card=None))
    assert only(table.log, DealScored).scores == [None, None]


def test_a_card_nobody_remembers_costs_no_points_in_a_trick_whose_taker_is_known() -> None:
    """The deck counts 157 between the two; Beat took nothing, so that all of it is Anna's."""
    table = written()
    table.play("SJ")
    assert only(table.do(Play(seat=BEAT, card=None)), TrickTaken).points is None
    left: list[list[Card]] = [[card for card in DIAMONDS + SPADES if card != "SJ"], [*HEARTS, *CLUBS][1:]]
    while table.state.dealing:
        table.play(left[table.turn].pop())
    assert only(table.log, DealScored).card_points == [157, 0]
    assert only(table.log, DealScored).scores == [1, -1]


def test_a_deal_whose_bid_is_not_known_has_points_and_no_score() -> None:
    table = Table("lake-constance", seats=2, mode="transcribed")
    table.do(Deal(deck=deck_from_hands([ANNAS, BEATS], ANNA), dealer=BEAT))
    table.choose("spades")
    left = [list(DIAMONDS + SPADES), list(HEARTS + CLUBS)]
    while table.state.dealing:
        table.play(left[table.turn].pop())
    assert only(table.log, DealScored).card_points == [157, 0]
    assert only(table.log, DealScored).scores == [None, None]


@pytest.mark.parametrize(
    ("hand", "legal"),
    [("C6 H6 D6", "H6 C6"), ("D6 H6 HJ", "H6 HJ"), ("D6 HJ", "D6 HJ"), ("D6 S6", "D6 S6")],
)
def test_who_cannot_follow_must_trump_but_for_the_puur(hand: str, legal: str) -> None:
    follow = LAKE_CONSTANCE.play(Options()).following[SUIT_NAMES.index("hearts")]
    assert codes(follow(mask(hand.split()), [INDEX["C10"]])) == legal.split()


def test_transcript_turns_the_uncovered_table_card() -> None:
    table = Table("lake-constance", seats=2, mode="transcribed")
    table.do(Deal(deck=deck_from_hands([ANNAS, BEATS], ANNA), dealer=BEAT))
    table.do(Choose(seat=ANNA, contract="spades"))
    table.put((ANNA, "S9"), (BEAT, "C6"))
    assert [(e.seat, e.card) for e in table.log if isinstance(e, TableCardTurned)] == [
        (ANNA, "D6"),
        (BEAT, "H6"),
    ]
    assert audit(table.log) is None
