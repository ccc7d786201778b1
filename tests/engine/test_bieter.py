"""Bieter: the auction, the talon, conceding, and each side's own target."""

from collections.abc import Sequence
from typing import Any

import pytest

from engine import Observer, list_offers, redact_events, replay, snapshot, to_act
from engine.audit import audit
from engine.cards import DECK, Card, codes
from engine.commands import (
    Accept,
    Bid,
    Choose,
    Concede,
    ConfirmResult,
    Deal,
    Defer,
    Discard,
    EnterResult,
    Pass,
    Play,
    Rule,
)
from engine.contracts import Contract
from engine.events import (
    AuctionFailed,
    AuctionWon,
    CardsDiscarded,
    ContractSet,
    DealConceded,
    DealScored,
    DealStarted,
    DiscardsCounted,
    GameEnded,
    HandDealt,
    StoeckDeclared,
    TalonDealt,
    TalonTaken,
)
from engine.phases.dealing import deck_from_hands
from engine.variants.bieter import BIETER, Options
from tests.engine.tables import ANNA, BEAT, CHIARA, EVA, GABI, Table, cards_of, only, types

SPADES, HEARTS, DIAMONDS, CLUBS = ([card for card in DECK if card[0] == suit] for suit in "SHDC")
TALON = CLUBS[:6]


def a_table(**options: Any) -> Table:
    """Chiara deals; the talon is C6 C7 C8 open, C9 C10 CJ closed; CQ CK CA stay out."""
    table = Table("bieter", seats=3, options=options)
    table.do(Deal(deck=[*deck_from_hands([SPADES, HEARTS, DIAMONDS], ANNA), *CLUBS], dealer=CHIARA))
    return table


def bid(table: Table, points: int) -> None:
    table.do(Bid(seat=table.turn, points=points))


def give_up(table: Table, seats: int = 1) -> None:
    for _ in range(seats):
        table.do(Pass(seat=table.turn))


def won(points: int = 500, **options: Any) -> Table:
    """Anna has won the auction and has the talon."""
    table = a_table(**options)
    bid(table, points)
    give_up(table, 2)
    return table


def playing(contract: Contract = "spades", discarded: Sequence[Card] = TALON, **options: Any) -> Table:
    """Anna plays the first deal."""
    table = won(**options)
    table.do(Discard(seat=ANNA, cards=[*discarded]))
    table.choose(contract)
    return table


def later(hands: list[list[Card]] | None = None, **options: Any) -> Table:
    """The second deal, dealt by Anna, whose last card is shown."""
    table = playing(**options)
    table.play_out()
    whole = hands or [[*SPADES, *CLUBS[:3]], [*HEARTS, *CLUBS[3:6]], [*DIAMONDS, *CLUBS[6:]]]
    table.do(Deal(deck=deck_from_hands(whole, BEAT)))
    return table


def test_three_open_and_three_closed_cards_make_the_talon() -> None:
    table = a_table()
    talon = only(table.log, TalonDealt)
    assert (talon.open, talon.closed) == (["C6", "C7", "C8"], ["C9", "C10", "CJ"])
    for seat in range(3):
        (seen,) = [e for e in redact_events(table.log, Observer.seat(seat)) if isinstance(e, TalonDealt)]
        assert seen.closed is None
    assert snapshot(table.state, EVA)["talon"] == {"open": ["C6", "C7", "C8"], "size": 3}


def test_cards_that_nobody_gets_make_no_difference_to_anybody() -> None:
    table, other = a_table(), Table("bieter", seats=3)
    deck = [*deck_from_hands([SPADES, HEARTS, DIAMONDS], ANNA), *CLUBS[:6], "CA", "CQ", "CK"]
    other.do(Deal(deck=deck, dealer=CHIARA))
    assert other.log == table.log


def test_all_cards_can_be_dealt_with_ten_each() -> None:
    table = Table("bieter", seats=3, options={"first_hand": 10})
    table.do(Deal(deck=list(DECK)))
    assert [e.size for e in table.log if isinstance(e, HandDealt)] == [10, 10, 10]
    assert only(table.log, TalonDealt).closed == list(DECK[33:])
    assert audit(table.log) is None


def test_a_seat_bids_passes_or_defers_its_first_word_once() -> None:
    table = a_table()
    assert to_act(table.state) == (ANNA, "auction", ("bid", "defer", "pass"))
    table.do(Defer(seat=ANNA))
    bid(table, 500)
    give_up(table)
    assert to_act(table.state) == (ANNA, "auction", ("bid", "pass"))
    assert table.refused(Defer(seat=ANNA)) == "defer/not_now"
    bid(table, 510)
    assert table.turn == BEAT
    assert snapshot(table.state, EVA)["bids"] == [
        {"seat": BEAT, "points": 500},
        {"seat": ANNA, "points": 510},
    ]


@pytest.mark.parametrize(
    ("raise_by", "points", "code"),
    [
        (10, 490, "bid/out_of_bounds"),
        (10, 500, "bid/out_of_bounds"),
        (10, 515, "bid/wrong_step"),
        (25, 520, "bid/out_of_bounds"),
    ],
)
def test_a_bid_is_high_enough_and_a_multiple_of_ten(raise_by: int, points: int, code: str) -> None:
    table = a_table(**{"raise": raise_by})
    assert table.refused(Bid(seat=BEAT, points=500)) == "bid/not_your_turn"
    bid(table, 500)
    assert table.refused(Bid(seat=BEAT, points=points)) == code
    bid(table, 530)


def test_what_is_offered_in_an_auction_can_be_said() -> None:
    table = a_table()
    assert [type(command) for command in list_offers(table.state)] == [Pass, Defer, Bid, Bid, Bid, Bid]


def test_the_next_dealer_deals_anew_when_all_pass() -> None:
    table = a_table()
    give_up(table, 3)
    assert isinstance(table.log[-1], AuctionFailed)
    events = table.do(Deal(deck=list(DECK)))
    assert (only(events, DealStarted).deal, only(events, DealStarted).dealer) == (2, ANNA)
    assert only(events, TalonDealt)


def test_a_bidder_who_passes_while_another_has_deferred_is_out_like_everybody() -> None:
    table = a_table()
    give_up(table, 1)
    bid(table, 550)
    table.do(Defer(seat=table.turn))
    give_up(table, 2)
    assert isinstance(table.log[-1], AuctionFailed)


def test_nothing_goes_to_the_other_side_before_there_are_sides() -> None:
    table = a_table()
    short = Rule(kind="short_hand", reason="seen", deal=1, against=ANNA, choice="points")
    award = Rule(kind="award_from_trick", reason="seen", deal=1, trick=1, against=ANNA)
    assert table.refused(short) == table.refused(award) == "rule/sides_unknown"
    table.rule("short_hand", deal=1, against=ANNA, choice="annul")
    assert table.state.annulled


def test_the_declarer_takes_the_talon_and_discards_as_many() -> None:
    table = won()
    assert only(table.log, AuctionWon).seat == ANNA
    assert only(table.log, TalonTaken).cards == TALON
    assert to_act(table.state) == (ANNA, "discards", ("discard",))
    assert table.refused(Discard(seat=BEAT, cards=[*HEARTS[:6]])) == "discard/not_your_turn"
    assert table.refused(Discard(seat=ANNA, cards=[*TALON[:5]])) == "discard/wrong_number"
    assert table.refused(Discard(seat=ANNA, cards=["C6"] * 6)) == "discard/wrong_number"
    assert table.refused(Discard(seat=ANNA, cards=[*TALON[:5], "CA"])) == "discard/not_in_hand"
    table.do(Discard(seat=ANNA, cards=[*TALON]))
    assert to_act(table.state) == (ANNA, "contract_choice", ("choose",))
    assert codes(table.state.hands[ANNA]) == SPADES


def test_nobody_else_sees_talon_and_discards() -> None:
    table = won()
    table.do(Discard(seat=ANNA, cards=[*SPADES[:6]]))
    own = SPADES[:6]
    for observer, wanted in [
        (Observer.seat(BEAT), None),
        (EVA, None),
        (GABI, own),
        (Observer.seat(ANNA), own),
    ]:
        view = list(redact_events(table.log, observer))
        assert only(view, CardsDiscarded).cards == wanted
        assert only(view, TalonTaken).cards == (TALON if wanted else None)
        assert snapshot(table.state, observer)["discards"][ANNA] == wanted
    known = replay(redact_events(table.log, Observer.seat(BEAT)))
    assert known.hands[ANNA] == 0
    assert known.unknown(ANNA) == 9


def test_worlds_that_differ_in_closed_talon_and_discards_look_the_same_to_the_opponents() -> None:
    """Anna discards the closed talon, whatever it was, and three of the open one."""
    tables = []
    for closed in (cards_of("C9 C10 CJ"), cards_of("CQ CK CA")):
        left = [code for code in CLUBS[3:] if code not in closed]
        table = Table("bieter", seats=3)
        deck = [*deck_from_hands([SPADES, HEARTS, DIAMONDS], ANNA), *CLUBS[:3], *closed, *left]
        table.do(Deal(deck=deck, dealer=CHIARA))
        bid(table, 500)
        give_up(table, 2)
        table.do(Discard(seat=ANNA, cards=[*CLUBS[:3], *closed]))
        table.choose("spades")
        table.play("S6 H6 D6 S7")
        tables.append(table)
    one, two = tables
    for observer in (Observer.seat(BEAT), Observer.seat(CHIARA), EVA):
        assert list(redact_events(one.log, observer)) == list(redact_events(two.log, observer))
    own = Observer.seat(ANNA)
    assert list(redact_events(one.log, own)) != list(redact_events(two.log, own))


def test_the_discards_count_for_the_declarer_after_the_last_trick() -> None:
    table = playing("clubs", discarded=SPADES[:6])
    events = table.play_out()
    assert types(events)[-3:] == ["trick_taken", "discards_counted", "deal_scored"]
    assert only(events, DiscardsCounted).points == 12
    (record,) = table.state.records
    tricks = sum(trick.points or 0 for trick in record.tricks if trick.taker == ANNA)
    assert only(events, DealScored).card_points[0] == 12 + tricks
    assert audit(table.log) is None


@pytest.mark.parametrize(("first_lead", "leader"), [("declarer", BEAT), ("forehand", ANNA)])
def test_who_leads_in_the_first_deal(first_lead: str, leader: int) -> None:
    table = a_table(first_lead=first_lead)
    give_up(table)
    bid(table, 500)
    give_up(table)
    table.do(Discard(seat=BEAT, cards=[*TALON]))
    table.choose("hearts")
    assert table.turn == leader


def test_later_deals_show_the_dealers_last_card_and_ask_the_declarer() -> None:
    table = later()
    assert table.state.contract == "clubs"
    assert table.state.chooser is None
    assert to_act(table.state) == (ANNA, "concession", ("accept", "concede"))
    assert table.refused(Accept(seat=BEAT)) == "accept/not_your_turn"
    assert table.refused(Play(seat=BEAT, card="H6")) == "play/not_now"
    table.do(Accept(seat=ANNA))
    assert to_act(table.state) == (BEAT, "trick_play", ("play",))
    table.play_out()
    assert sum(p or 0 for p in table.state.records[1].card_points) == 157
    assert audit(table.log) is None


@pytest.mark.parametrize(
    ("last", "turned", "contract"),
    [
        ("SA", None, "obenabe"),
        ("S6", None, "undenufe"),
        ("S7", {"7": "obenabe"}, "obenabe"),
        ("SA", {}, "spades"),
    ],
)
def test_what_the_shown_card_means(last: Card, turned: dict[str, str] | None, contract: str) -> None:
    anna = [*CLUBS[:3], *(code for code in SPADES if code != last), last]
    options = {} if turned is None else {"turned_contracts": turned}
    table = later([anna, [*HEARTS, *CLUBS[3:6]], [*DIAMONDS, *CLUBS[6:]]], **options)
    assert [e.contract for e in table.log if isinstance(e, ContractSet)][-1] == contract


@pytest.mark.parametrize(
    ("beat", "chiara", "points"),
    [("C9 C10 CJ", "CQ CK CA", 177), ("C9 C10 CQ", "CJ CK CA", 157)],
    ids=["in one hand", "in two hands"],
)
def test_a_conceded_deal_counts_157_and_the_stoeck_of_one_opponent(
    beat: str, chiara: str, points: int
) -> None:
    table = later([[*SPADES, *CLUBS[:3]], [*HEARTS, *cards_of(beat)], [*DIAMONDS, *cards_of(chiara)]])
    events = table.do(Concede(seat=ANNA))
    assert types(events) == ["deal_conceded", "deal_scored"]
    assert only(events, DealConceded).points == points
    assert only(events, DealScored).card_points == [0, 157]
    assert only(events, DealScored).scores == [0, points]
    assert audit(table.log) is None


def test_the_stoeck_of_a_conceded_deal_counts_only_where_stoeck_counts() -> None:
    table = later(stoeck=False)
    assert only(table.do(Concede(seat=ANNA)), DealConceded).points == 157
    shown = [*CLUBS[:3], *SPADES]
    table = later([shown, [*HEARTS, *CLUBS[3:6]], [*DIAMONDS, *CLUBS[6:]]])
    assert only(table.do(Concede(seat=ANNA)), DealConceded).points == 157


def test_the_opponents_win_on_reaching_their_target_by_a_concession() -> None:
    table = later(opponents_target=170)
    events = table.do(Concede(seat=ANNA))
    assert only(events, GameEnded).winners == [1]
    assert to_act(table.state) is None


def test_the_declarer_wins_on_reaching_the_bid_in_the_middle_of_a_deal() -> None:
    table = won(points=50, minimum_bid=10, melds=False)
    table.do(Discard(seat=ANNA, cards=[*TALON]))
    table.choose("spades")
    table.play("SJ H10 D10")
    events = table.play("S10 HA D6")
    assert types(events)[-3:] == ["trick_taken", "deal_scored", "game_ended"]
    assert only(events, GameEnded).winners == [0]
    assert only(events, GameEnded).totals == [61, 0]
    assert audit(table.log) is None


def test_the_discards_can_win_the_game_with_the_sweep_before_them() -> None:
    """Anna takes all tricks in spades: 127 points, the sweep, and then what she has put away."""
    table = won(points=230, minimum_bid=10, melds=False, stoeck=False)
    table.do(Discard(seat=ANNA, cards=[*TALON]))
    table.choose("spades")
    events = table.play_out()
    assert types(events)[-4:] == ["trick_taken", "discards_counted", "deal_scored", "game_ended"]
    assert only(events, DealScored).card_points == [127 + 12, 0]
    assert only(events, GameEnded).totals == [127 + 100 + 12, 0]
    assert audit(table.log) is None


def test_each_side_has_stoeck_priority_against_its_own_target() -> None:
    """Anna would reach her bid with the first trick, but Beat still holds a Stöck that wins for Beat's
    side.
    """
    anna, beat = [*SPADES[1:], "HJ"], [*HEARTS[:5], *HEARTS[6:], "S6"]
    options = {"minimum_bid": 10, "opponents_target": 20, "melds": False}
    table = Table("bieter", seats=3, options=options)
    deck = [*deck_from_hands([anna, beat, DIAMONDS], ANNA), *CLUBS]
    table.do(Deal(deck=deck, dealer=CHIARA))
    bid(table, 30)
    give_up(table, 2)
    table.do(Discard(seat=ANNA, cards=[*TALON]))
    table.choose("hearts")
    events = table.play("HJ H6 D10")
    assert types(events)[-3:] == ["stoeck_declared", "deal_scored", "game_ended"]
    assert only(events, StoeckDeclared).seat == BEAT
    assert only(events, GameEnded).winners == [1]
    assert audit(table.log) is None


def test_an_annulled_first_deal_is_auctioned_again() -> None:
    table = playing()
    table.rule("annul_deal", deal=1)
    events = table.do(Deal(deck=list(DECK)))
    assert only(events, DealStarted).dealer == CHIARA
    assert only(events, TalonDealt)
    assert to_act(table.state) == (ANNA, "auction", ("bid", "defer", "pass"))
    bid(table, 600)
    give_up(table, 2)
    assert table.state.bid == 600
    assert table.state.won_in == 2


def test_a_further_game_is_dealt_by_anybody() -> None:
    table = Table("bieter", seats=3, won_before=0)
    assert only(table.do(Deal(deck=list(DECK), dealer=BEAT)), DealStarted).dealer == BEAT


def test_the_stoeck_is_declared_as_in_other_games() -> None:
    table = playing()
    table.play("SK H6 D6")
    assert only(table.play("SQ", stoeck=True), StoeckDeclared).points == 20
    assert table.refused(Choose(seat=ANNA, contract="spades")) == "choose/not_now"


def test_a_sheet_says_who_declares_and_ends_with_a_target() -> None:
    table = Table("bieter", seats=3, mode="sheet", options={"opponents_target": 300})
    assert table.refused(EnterResult(seat=ANNA, deal=1, card_points=[20, 120])) == "sheet/chooser_missing"
    table.do(EnterResult(seat=ANNA, deal=1, card_points=[120, 20], chooser=CHIARA, bid=500))
    assert table.refused(ConfirmResult(seat=BEAT, deal=1)) == "sheet/own_side"
    table.do(ConfirmResult(seat=CHIARA, deal=1))
    table.do(EnterResult(seat=CHIARA, deal=2, card_points=[157, 0], sweep=0))
    assert table.refused(ConfirmResult(seat=CHIARA, deal=2)) == "sheet/own_side"
    table.do(ConfirmResult(seat=BEAT, deal=2))
    table.do(EnterResult(seat=ANNA, deal=3, card_points=[157, 0], stoeck=0))
    events = table.do(ConfirmResult(seat=CHIARA, deal=3))
    assert only(events, GameEnded).winners == [0]


def test_a_sheet_knows_that_three_cards_are_missing_in_the_first_deal() -> None:
    table = Table("bieter", seats=3, mode="sheet")

    def first(points: int, deal: int = 1, bid: int = 500, **rest: Any) -> EnterResult:
        return EnterResult(seat=ANNA, deal=deal, card_points=[points, 0], chooser=BEAT, bid=bid, **rest)

    assert table.refused(first(111)) == table.refused(first(156)) == "sheet/wrong_sum"
    assert table.refused(first(112, contract="obenabe")) == "sheet/wrong_sum"
    table.do(first(112, contract="hearts"))
    table.rule("annul_deal", deal=1)
    assert table.refused(first(157, deal=2, bid=515)) == "sheet/out_of_bounds"
    assert table.refused(first(157, deal=2, bid=490)) == "sheet/out_of_bounds"
    assert table.refused(first(157, deal=2, contract="slalom-obenabe")) == "sheet/contract_not_offered"
    table.do(first(157, deal=2, bid=510))
    assert (table.state.declarer, table.state.bid) == (BEAT, 510)
    assert table.refused(EnterResult(seat=ANNA, deal=3, card_points=[100, 56])) == "sheet/wrong_sum"
    slalom = EnterResult(seat=ANNA, deal=3, card_points=[100, 57], contract="slalom-obenabe")
    assert table.refused(slalom) == "sheet/contract_not_offered"
    table.do(EnterResult(seat=ANNA, deal=3, card_points=[100, 57]))
    assert table.refused(first(157, deal=4)) == "sheet/no_chooser"
    whole = Table("bieter", seats=3, mode="sheet", options={"first_hand": 10})
    assert whole.refused(first(112)) == "sheet/wrong_sum"


def test_discards_that_nobody_knows_leave_the_first_deal_open() -> None:
    """Three more cards were never dealt, so what the opponents took does not tell the rest."""
    assert not BIETER.play(Options()).all_counted
    table = Table("bieter", seats=3, mode="transcribed")
    table.do(Deal(dealer=CHIARA))
    table.do(Bid(seat=ANNA, points=500, won=True))
    table.do(Discard(seat=ANNA, cards=[None] * 6))
    table.do(Choose(seat=ANNA, contract="spades"))
    for cards in zip(SPADES, HEARTS, DIAMONDS, strict=True):
        for seat, card in enumerate(cards):
            table.do(Play(seat=seat, card=card))
    assert only(table.log, DiscardsCounted).points is None
    assert {trick.taker for trick in table.state.records[0].tricks} == {ANNA}
    assert only(table.log, DealScored).card_points == [None, None]
