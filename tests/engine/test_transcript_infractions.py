"""What people say and do against the rules at a physical table is written down and marked, in every phase."""

from typing import Any

import pytest

from engine import IllegalCommand, Observer, redact_events, snapshot, to_act
from engine.audit import audit
from engine.audit.command_of_event import find_command
from engine.cards import DECK, Card
from engine.commands import (
    Accept,
    Bid,
    Choose,
    Concede,
    Deal,
    Defer,
    Discard,
    Exchange,
    Keep,
    Pass,
    Play,
    Predict,
    Push,
    Stop,
    TakeTurned,
)
from engine.events import (
    AuctionWon,
    CardsDiscarded,
    ContractSet,
    DealConceded,
    DealScored,
    DiscardsCounted,
    Event,
    InfractionFound,
    PredictionsRevealed,
    StoeckDeclared,
    TalonTaken,
    TrickTaken,
    TurnedTaken,
)
from engine.evidence import evidence
from engine.phases.dealing import deck_from_hands
from engine.registry import build_game_context
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, GABI, SUIT_EACH, Table, cards_of, only, types


def written(variant: str, seats: int, deal: Deal | None = None, **start: Any) -> Table:
    table = Table(variant, seats, mode="transcribed", **start)
    table.do(deal or Deal(dealer=seats - 1))
    return table


THREE = ["S6 S7 S8 S9 S10 SJ SQ SK SA", "H6 H7 H8 H9 H10 HJ HQ HK HA", "D6 D7 D8 D9 D10 DJ DQ DK DA"]
_HANDS = [cards_of(hand) for hand in THREE]
DECK_OF_THREE = [*deck_from_hands(_HANDS, ANNA), *cards_of(SUIT_EACH[3])]


def marks(events: list[Any]) -> list[tuple[int, str]]:
    return [(event.seat, event.code) for event in events if isinstance(event, InfractionFound)]


def play_a_deal(table: Table) -> None:
    """Nobody writes down which cards."""
    first = (table.state.dealer or 0) + 1
    for turn in range(36):
        table.do(Play(seat=(first + turn) % table.state.seats, card=None))


def deals(table: Table, *dealers: int) -> list[bool]:
    """Deal by deal these people deal: whether each of them is marked for it."""
    found = []
    for dealer in dealers:
        found.append(marks(table.do(Deal(dealer=dealer))) == [(dealer, "wrong_dealer")])
        play_a_deal(table)
    assert audit(table.log) is None
    return found


def test_whoever_deals_in_anothers_place_is_marked_and_has_exchanged_it() -> None:
    table = written("plus-minus", 3, Deal(dealer=ANNA))
    play_a_deal(table)
    assert deals(table, CHIARA, BEAT, ANNA, BEAT) == [True, False, False, False]
    table.do(Deal())
    assert (table.state.dealer, table.state.place) == (CHIARA, None)
    assert table.refused(Deal(dealer=3)) == "deal/not_now"


def test_the_exchange_waits_for_the_place_of_whoever_dealt() -> None:
    table = written("plus-minus", 3, Deal(dealer=ANNA))
    play_a_deal(table)
    assert deals(table, ANNA, CHIARA, BEAT, BEAT) == [True, False, False, False]


def test_who_deals_in_his_own_place_although_he_has_exchanged_it_is_marked_too() -> None:
    table = written("plus-minus", 3, Deal(dealer=ANNA))
    play_a_deal(table)
    assert deals(table, CHIARA, CHIARA, ANNA, BEAT, BEAT) == [True, True, False, False, False]


def test_of_a_deal_that_is_annulled_the_right_dealer_deals_again() -> None:
    table = written("plus-minus", 3, Deal(dealer=ANNA))
    play_a_deal(table)
    assert marks(table.do(Deal(dealer=CHIARA))) == [(CHIARA, "wrong_dealer")]
    table.rule("annul_deal", deal=2)
    assert deals(table, BEAT, CHIARA, ANNA) == [False] * 3


def test_it_is_the_same_where_it_was_annulled_only_after_its_last_card() -> None:
    table = written("plus-minus", 3, Deal(dealer=ANNA))
    play_a_deal(table)
    assert deals(table, CHIARA) == [True]
    table.rule("annul_deal", deal=2)
    assert deals(table, BEAT, CHIARA) == [False] * 2


def test_when_a_deal_is_annulled_that_was_made_good_already_the_two_exchange_back() -> None:
    table = written("plus-minus", 3, Deal(dealer=ANNA))
    play_a_deal(table)
    assert deals(table, CHIARA) == [True]
    table.do(Deal())
    assert table.state.dealer == BEAT
    table.rule("annul_deal", deal=2)
    play_a_deal(table)
    assert deals(table, ANNA, CHIARA) == [False] * 2


def test_a_dealer_who_is_no_seat_is_a_slip_of_the_pen() -> None:
    table = written("plus-minus", 3)
    table.rule("annul_deal", deal=1)
    assert table.refusal(Deal(dealer=3)) == ("deal/no_such_seat", "there is no seat 3", {"dealer": 3})


def test_the_marked_card_says_who_should_have_dealt() -> None:
    table = Table(mode="transcribed")
    assert marks(table.deal(list(SUIT_EACH), dealer=DARIO)) == [(DARIO, "wrong_dealer")]
    assert audit(table.log) is None
    table.rule("annul_deal", deal=1)
    assert marks(table.do(Deal())) == []
    assert table.state.dealer == BEAT, "Chiara has all diamonds, also D10"
    again = Table(mode="transcribed", won_before=1)
    assert marks(again.do(Deal(dealer=ANNA))) == [(ANNA, "wrong_dealer")]
    assert audit(again.log) is None


def test_who_chooses_or_pushes_against_the_rules_is_marked() -> None:
    table = written("schieber", 4)
    assert marks(table.do(Push(seat=CHIARA))) == [(CHIARA, "out_of_turn")]
    assert marks(table.do(Push(seat=CHIARA))) == [(CHIARA, "not_allowed")]
    assert marks(table.do(Choose(seat=BEAT, contract="slalom-obenabe"))) == [
        (BEAT, "out_of_turn"), (BEAT, "not_allowed"),
    ]  # fmt: skip
    assert audit(table.log) is None
    assert table.refused(Choose(seat=ANNA, contract="hearts")) == "choose/not_now"


def test_a_slot_played_twice_is_marked() -> None:
    table = written("coiffeur", 4)
    table.do(Choose(seat=ANNA, contract="hearts"))
    for seat in list(range(4)) * 9:
        table.do(Play(seat=seat, card=None))
    table.do(Deal())
    for seat in (BEAT, CHIARA):
        assert marks(table.do(Push(seat=seat))) == []
    assert marks(table.do(Choose(seat=DARIO, contract="hearts"))) == []
    for seat in [BEAT, CHIARA, DARIO, ANNA] * 9:
        table.do(Play(seat=seat, card=None))
    table.do(Deal())
    assert marks(table.do(Choose(seat=CHIARA, contract="hearts"))) == [(CHIARA, "not_allowed")]
    assert audit(table.log) is None


def test_a_contract_that_was_forgotten_is_named_later_and_the_tricks_are_counted_by_it() -> None:
    table = Table("coiffeur", 4, mode="transcribed")
    table.deal(list(SUIT_EACH), dealer=DARIO)
    assert to_act(table.state) == (ANNA, "contract_choice", ("choose", "push"))
    hands = [cards_of(hand) for hand in SUIT_EACH]
    for trick in range(9):
        for seat in range(4):
            table.do(Play(seat=seat, card=hands[seat][trick]))
            if (trick, seat) == (8, 2):
                assert to_act(table.state) == (DARIO, "trick_play", ("play", "choose"))
                assert marks(table.do(Choose(seat=CHIARA, contract="spades"))) == []
    assert only(table.log, DealScored).scores == [471, 0]
    assert audit(table.log) is None


def test_a_deal_whose_contract_nobody_knows_has_no_score() -> None:
    table = Table("coiffeur", 4, mode="transcribed")
    table.deal(list(SUIT_EACH), dealer=DARIO)
    hands = [cards_of(hand) for hand in SUIT_EACH]
    for trick in range(9):
        for seat in range(4):
            table.do(Play(seat=seat, card=hands[seat][trick]))
    assert only(table.log, DealScored).scores == [None, None]
    assert audit(table.log) is None


def test_bids_are_written_down_as_they_were_made() -> None:
    table = written("bieter", 3)
    assert marks(table.do(Bid(seat=BEAT, points=495))) == [(BEAT, "out_of_turn"), (BEAT, "not_allowed")]
    assert marks(table.do(Defer(seat=BEAT))) == [(BEAT, "out_of_turn"), (BEAT, "not_allowed")]
    assert marks(table.do(Pass(seat=CHIARA))) == [(CHIARA, "out_of_turn")]
    events = table.do(Pass(seat=ANNA))
    assert types(events) == ["bid_passed", "auction_won", "talon_taken"]
    assert only(events, AuctionWon).seat == BEAT
    assert audit(table.log) is None


def test_an_auction_of_which_only_the_end_is_known() -> None:
    table = written("bieter", 3)
    events = table.do(Bid(seat=CHIARA, points=640, won=True))
    assert types(events) == ["bid_made", "auction_won", "talon_taken"]
    assert only(events, TalonTaken).cards == []
    assert (table.state.declarer, table.state.bid) == (CHIARA, 640)
    assert table.refused(Play(seat=CHIARA, card="S6")) == "play/cards_moved"
    table.do(Discard(seat=CHIARA, cards=["S6", None, None, None, None, None]))
    assert only(table.log, CardsDiscarded).cards == ["S6"]
    table.do(Choose(seat=CHIARA, contract="spades"))
    for seat in [CHIARA, ANNA, BEAT] * 9:
        table.do(Play(seat=seat, card=None))
    assert only(table.log, DiscardsCounted).points is None
    assert audit(table.log) is None
    dealt = Table("bieter", 3)
    dealt.do(Deal(deck=DECK_OF_THREE))
    assert dealt.refused(Bid(seat=ANNA, points=500, won=True)) == "bid/not_over"


def test_whoever_passed_and_bids_again_may_still_win() -> None:
    table = written("bieter", 3)
    table.do(Pass(seat=ANNA))
    table.do(Bid(seat=BEAT, points=500))
    assert marks(table.do(Bid(seat=ANNA, points=510))) == [(ANNA, "out_of_turn")]
    table.do(Pass(seat=CHIARA))
    assert only(table.do(Pass(seat=BEAT)), AuctionWon).seat == ANNA


def test_discards_are_proven_wrong_by_the_hand_that_is_known() -> None:
    table = Table("bieter", 3, mode="transcribed")
    table.do(Deal(deck=DECK_OF_THREE, dealer=CHIARA))
    table.do(Bid(seat=ANNA, points=500, won=True))
    wrong: list[Card | None] = ["H6", "S6", "S7", None, None, None]
    assert marks(table.do(Discard(seat=ANNA, cards=wrong))) == [(ANNA, "not_in_hand")]
    assert audit(table.log) is None
    dealt = Table("bieter", 3)
    dealt.do(Deal(deck=DECK_OF_THREE))
    for command in (Bid(seat=ANNA, points=500), Pass(seat=BEAT), Pass(seat=CHIARA)):
        dealt.do(command)
    assert dealt.refused(Discard(seat=ANNA, cards=wrong)) == "discard/card_missing"
    assert dealt.refused(Discard(seat=ANNA, cards=["S6"])) == "discard/wrong_number"


def second_deal_of_bieter() -> Table:
    table = written("bieter", 3)
    table.do(Bid(seat=ANNA, points=2000, won=True))
    table.do(Discard(seat=ANNA, cards=[None] * 6))
    table.do(Choose(seat=ANNA, contract="spades"))
    for seat in [ANNA, BEAT, CHIARA] * 9:
        table.do(Play(seat=seat, card=None))
    table.do(Deal())
    return table


def test_a_deal_is_conceded_whatever_is_known_of_it() -> None:
    table = second_deal_of_bieter()
    assert table.state.contract is None
    assert only(table.do(Concede(seat=ANNA, stoeck=True)), DealConceded).points == 177
    assert audit(table.log) is None
    table = second_deal_of_bieter()
    assert table.refused(Bid(seat=BEAT, points=600)) == "bid/not_now"
    assert marks(table.do(Accept(seat=BEAT))) == [(BEAT, "out_of_turn")]
    table.do(Choose(seat=CHIARA, contract="hearts"))
    assert audit(table.log) is None
    dealt = Table("differenzler", 4)
    assert dealt.refused(Concede(seat=ANNA)) == "concede/not_now"


def test_only_a_transcript_says_who_held_the_stoeck() -> None:
    table = Table("bieter", 3)
    table.do(Deal(deck=DECK_OF_THREE))
    for command in (Bid(seat=ANNA, points=5000), Pass(seat=BEAT), Pass(seat=CHIARA)):
        table.do(command)
    table.do(Discard(seat=ANNA, cards=["S6", "S7", "S8", "S9", "S10", "SJ"]))
    table.do(Choose(seat=ANNA, contract="spades"))
    table.play_out()
    table.do(Deal(deck=list(DECK)))
    assert table.refused(Concede(seat=ANNA, stoeck=False)) == "concede/stoeck_seen"


def test_predictions_may_be_forgotten_or_impossible() -> None:
    table = written("differenzler", 3, options={"sealed_predictions": True})
    table.do(Choose(seat=CHIARA, contract="hearts"))
    assert marks(table.do(Predict(seat=BEAT, points=158))) == [(BEAT, "out_of_turn"), (BEAT, "not_allowed")]
    assert table.refused(Predict(seat=BEAT, points=1)) == "predict/made"
    assert table.refused(Predict(seat=DARIO, points=1)) == "predict/no_such_seat"
    assert marks(table.do(Predict(seat=ANNA, points=None))) == []
    for seat in [ANNA, BEAT, CHIARA] * 12:
        table.do(Play(seat=seat, card=None))
    assert only(table.log, PredictionsRevealed).points == [None, 158, None]
    assert only(table.log, DealScored).scores == [None, None, None]
    assert audit(table.log) is None
    dealt = Table("differenzler", 3)
    dealt.do(Deal(deck=list(DECK)))
    assert dealt.refused(Predict(seat=ANNA, points=None)) == "predict/points_missing"


def test_a_card_that_was_cut_may_be_forgotten() -> None:
    table = written("differenzler", 4, options={"trump": "cut"})
    assert table.state.contract is None
    table.do(Choose(seat=ANNA, contract="clubs"))
    assert only(table.log, ContractSet).contract == "clubs"
    assert audit(table.log) is None


def test_an_exchange_of_unknown_cards() -> None:
    table = written("la-pomme", 2)
    assert marks(table.do(Exchange(seat=BEAT, cards=["S6", None, None]))) == [(BEAT, "out_of_turn")]
    assert marks(table.do(TakeTurned(seat=ANNA))) == [(ANNA, "not_allowed")]
    taken = only(table.log, TurnedTaken)
    assert (taken.six, taken.card) == (None, None)
    assert evidence(table.log)
    table.do(Keep(seat=ANNA))
    table.do(Choose(seat=ANNA, contract="hearts"))
    assert table.refused(TakeTurned(seat=DARIO)) == "take_turned/no_such_seat"
    assert audit(table.log) is None
    assert snapshot(table.state, GABI)["turned"] is None


def test_who_cannot_have_the_six_is_marked_for_taking_the_turned_card() -> None:
    deck: list[Card | None] = [*cards_of(" ".join(SUIT_EACH))]
    deck[0], deck[26] = deck[26], deck[0]
    for command in (
        Keep(seat=ANNA, take_turned=True),
        Exchange(seat=ANNA, cards=["C6", None, None], take_turned=True),
    ):
        table = written("la-pomme", 2, Deal(deck=deck, dealer=BEAT))
        assert table.state.contract == "diamonds"
        assert ("not_in_hand") in {code for _, code in marks(table.do(command))}
        assert audit(table.log) is None
    table = written("la-pomme", 2, Deal(deck=deck, dealer=BEAT))
    table.do(Keep(seat=ANNA))
    assert marks(table.do(TakeTurned(seat=ANNA))) == [(ANNA, "not_in_hand")]


def test_a_card_names_nothing_but_trumps_where_that_is_all_it_can_name() -> None:
    for table in (written("differenzler", 4), written("la-pomme", 2), written("plus-minus", 3)):
        assert table.refusal(Choose(seat=ANNA, contract="obenabe")) == (
            "choose/contract_not_offered",
            "obenabe is not played here",
            {"contract": "obenabe", "offered": ["diamonds", "hearts", "spades", "clubs"]},
        )
    assert table.refused(Choose(seat=ANNA, contract="hearts", slot="hearts")) == "choose/contract_not_offered"
    assert table.refused(Choose(seat=DARIO, contract="hearts")) == "choose/no_such_seat"


@pytest.mark.parametrize(
    ("known", "may"),
    [
        ((), True),
        (range(9), False),  # of the first hand
        (range(9, 18), False),
        ((27,), False),  # of the talon, open
        ((30,), False),  # and closed
    ],
)
def test_cards_that_may_have_moved_are_told_of_before_the_first_one_falls(known: Any, may: bool) -> None:
    deck = [card if at in known else None for at, card in enumerate(DECK_OF_THREE)]
    table = written("bieter", 3, Deal(deck=deck, dealer=CHIARA))
    if may:
        table.do(Play(seat=ANNA, card="S6"))
        return
    assert table.refusal(Play(seat=ANNA, card="S6")) == (
        "play/cards_moved",
        "say first what became of the talon or the extra cards; cards may be unknown",
        {},
    )


def test_what_is_not_open_yet_or_no_more_names_the_phase() -> None:
    table = written("bieter", 3)
    code, said, params = table.refusal(Discard(seat=ANNA, cards=["S6", *[None] * 5]))
    assert (code, said, params["phase"]) == (
        "discard/not_now",
        "discard is not open in phase auction",
        "auction",
    )
    table = written("schieber", 4)
    table.do(Choose(seat=ANNA, contract="hearts"))
    table.do(Play(seat=ANNA, card="S6"))
    code, _said, params = table.refusal(Choose(seat=ANNA, contract="clubs"))
    assert (code, params["phase"]) == ("choose/not_now", "trick_play")
    table = written("differenzler", 3)
    for seat in range(3):
        table.do(Predict(seat=seat, points=seat))
    table.do(Play(seat=ANNA, card="S6"))
    code, _said, params = table.refusal(Predict(seat=ANNA, points=3))
    assert (code, params["phase"]) == ("predict/not_now", "trick_play")


def test_who_stops_without_being_certain_is_marked_where_all_is_known() -> None:
    table = written("lake-constance", 2)
    table.do(Bid(seat=ANNA, points=60, won=True))
    table.do(Choose(seat=ANNA, contract="hearts"))
    table.do(Play(seat=ANNA, card="HA"))
    table.do(Play(seat=BEAT, card="H6"))
    events = table.do(Stop(seat=ANNA))
    assert marks(events) == [(ANNA, "not_allowed")]
    assert only(events, DealScored).scores == [0, 1]
    table.do(Deal())
    table.do(Bid(seat=BEAT, points=60, won=True))
    table.do(Choose(seat=BEAT, contract="hearts"))
    for seat in (BEAT, ANNA):
        table.do(Play(seat=seat, card=None))
    events = table.do(Stop(seat=BEAT))
    assert marks(events) == []
    assert only(events, DealScored).scores == [None, None]
    assert audit(table.log) is None


@pytest.mark.parametrize(
    ("place", "found"),
    [(3, []), (27, [(BEAT, "revoke")]), (None, [])],
    ids=["closed", "in the hand", "not known"],
)
def test_a_card_that_may_have_lain_closed_proves_no_revoke(place: int | None, found: list[Any]) -> None:
    """Beat does not follow hearts, and plays one in the next trick."""
    deck: list[Any] = [None] * 36
    if place is not None:
        deck[place] = "H7"
    table = written("lake-constance", 2, Deal(deck=deck, dealer=BEAT))
    table.do(Bid(seat=ANNA, points=60, won=True))
    table.do(Choose(seat=ANNA, contract="clubs"))
    table.put((ANNA, "H6"), (BEAT, "D6"), (ANNA, "S6"), (BEAT, "H7"))
    assert marks(table.log) == found
    assert audit(table.log) is None


def plus_minus(*plays: tuple[int, Card | None]) -> tuple[Table, list[Event]]:
    table = written("plus-minus", 4)
    return table, table.put(*plays)


def test_a_revoke_in_the_very_trick_that_names_trumps() -> None:
    table, events = plus_minus((ANNA, "S6"), (BEAT, "H6"), (CHIARA, "S7"), (DARIO, "S8"))
    assert (table.state.contract, marks(events)) == ("hearts", [])
    assert only(events, TrickTaken).seat == BEAT
    found = table.do(Play(seat=BEAT, card="S9"))
    assert marks(found) == [(BEAT, "revoke")]
    assert audit(table.log) is None


def test_whoever_trumps_after_trumps_were_named_did_not_revoke() -> None:
    table, _ = plus_minus((ANNA, "S6"), (BEAT, "H6"), (CHIARA, "H7"), (DARIO, "S8"))
    assert marks(table.do(Play(seat=CHIARA, card="S9"))) == []


def test_a_card_before_trumps_were_named_is_judged_without_them() -> None:
    table, events = plus_minus(
        (ANNA, "S6"), (BEAT, "S7"), (CHIARA, "S8"), (DARIO, "S9"), (DARIO, "C6"), (ANNA, "D6")
    )
    assert table.state.contract == "diamonds"
    assert marks(events) == []
    assert marks(table.do(Play(seat=BEAT, card="C7")) + table.do(Play(seat=CHIARA, card="C8"))) == []
    assert marks(table.do(Play(seat=ANNA, card="C9"))) == [(ANNA, "revoke")]


def test_an_unknown_card_may_have_named_trumps() -> None:
    table, events = plus_minus((ANNA, "S6"), (BEAT, None), (CHIARA, "H7"), (DARIO, "S8"))
    assert table.state.contract is None
    assert only(events, TrickTaken).seat is None
    table.do(Play(seat=CHIARA, card="S7"))
    assert marks(table.log) == []
    assert marks(table.do(Choose(seat=BEAT, contract="diamonds"))) == []
    assert table.refused(Choose(seat=BEAT, contract="hearts")) == "choose/not_now"
    assert audit(table.log) is None


def test_a_revoke_that_is_one_whatever_was_trumps() -> None:
    """Chiara throws a club on spades, and neither spades nor any trump there may be forbids her to follow."""
    table, _ = plus_minus((ANNA, "S6"), (BEAT, None), (CHIARA, "C7"), (DARIO, "S8"))
    table.do(Choose(seat=BEAT, contract="diamonds"))
    assert marks(table.do(Play(seat=CHIARA, card="S7"))) == [(CHIARA, "revoke")]
    assert audit(table.log) is None


def test_an_overtrump_is_owed_only_where_the_unknown_trump_was_lower() -> None:
    table, _ = plus_minus((ANNA, "S6"), (BEAT, "H7"), (CHIARA, None), (DARIO, "H6"))
    assert marks(table.put((BEAT, "D6"), (CHIARA, "D7"), (DARIO, "H8"))) == []
    table, _ = plus_minus((ANNA, "S6"), (BEAT, "H7"), (CHIARA, "S7"), (DARIO, "H6"))
    table.put((BEAT, "D6"), (CHIARA, "D7"))
    assert marks(table.do(Play(seat=DARIO, card="H8"))) == [(DARIO, "undertrump")]


def test_a_stoeck_is_believed_while_nobody_knows_what_was_trumps() -> None:
    table = written("schieber", 4, preset="championship")
    table.put((ANNA, "HQ"), (BEAT, "H6"), (CHIARA, "H7"), (DARIO, "H8"))
    assert only(table.do(Play(seat=ANNA, card="HK", stoeck=True)), StoeckDeclared).points == 20
    assert marks(table.do(Play(seat=BEAT, card="S6"))) == []
    assert audit(table.log) is None


def test_cards_that_lie_elsewhere_are_in_no_hand() -> None:
    table = Table("bieter", 3, mode="transcribed")
    deck: list[Any] = [None] * 27 + ["S6", "S7", "S8", "S9", None, None, None, None, None]
    table.do(Deal(deck=deck, dealer=CHIARA))
    table.do(Bid(seat=BEAT, points=500, won=True))
    table.do(Discard(seat=BEAT, cards=["S6", None, None, None, None, None]))
    table.do(Choose(seat=BEAT, contract="hearts"))
    assert marks(table.do(Play(seat=BEAT, card="S6"))) == [(BEAT, "not_in_hand")]
    assert marks(table.do(Play(seat=CHIARA, card="S7"))) == []


def test_a_view_or_a_torn_log_does_not_tell_every_command() -> None:
    table = written("bieter", 3)
    table.do(Bid(seat=ANNA, points=500, won=True))
    table.do(Discard(seat=ANNA, cards=[None] * 6))
    seen = list(redact_events(table.log, Observer.seat(BEAT)))
    at = next(event.seq for event in seen if isinstance(event, CardsDiscarded))
    with pytest.raises(IllegalCommand, match="log/not_known"):
        find_command(build_game_context(table.state), seen, at)
    torn, _ = plus_minus((ANNA, "S6"))
    difference = audit([*torn.log, ContractSet(seq=torn.state.seq, contract="hearts")])
    assert difference is not None
    assert "log/not_known" in difference.why
