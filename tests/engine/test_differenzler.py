"""Differenzler: predictions, open or sealed, and what they cost."""

import pytest
from msgspec.structs import replace

from engine import IllegalCommand, Observer, list_offers, redact_events, replay, snapshot, to_act, to_dict
from engine.audit import audit
from engine.commands import Choose, Deal, Play, Predict, Start
from engine.decider import decide
from engine.events import (
    ContractSet,
    DealScored,
    GameEnded,
    HandDealt,
    PredictionMade,
    PredictionsRevealed,
    StoeckDeclared,
    TrumpTurned,
)
from engine.ledger.state import State
from engine.phases.dealing import deck_from_hands
from engine.phases.predictions import predictions
from tests.engine.tables import ANNA, BEAT, DARIO, EVA, GABI, SUIT_EACH, Table, cards_of, only, types

SHORT = {"deals": 4}


def a_table(**options: object) -> Table:
    """Dario deals and shows CA, so that clubs are trumps; Dario holds them all."""
    table = Table("differenzler", options={**SHORT, **options})
    table.deal(SUIT_EACH, dealer=DARIO)
    return table


def predict(table: Table, *points: int) -> None:
    for said in points:
        table.do(Predict(seat=table.turn, points=said))


def scored(table: Table) -> DealScored:
    found: DealScored = only(table.log, DealScored)
    return found


def test_the_dealers_last_card_is_shown_and_names_trumps() -> None:
    table = a_table()
    assert to_dict(only(table.log, TrumpTurned)) == {
        "seq": 6,
        "type": "trump_turned",
        "card": "CA",
        "seat": DARIO,
    }
    assert only(table.log, ContractSet).contract == "clubs"
    assert only(table.log, ContractSet).seat is None


def test_an_ace_can_be_made_to_mean_obenabe() -> None:
    table = a_table(turned_contracts={"A": "obenabe"})
    assert only(table.log, ContractSet).contract == "obenabe"


def test_a_cut_card_names_trumps_and_no_hand_is_seen() -> None:
    table = Table("differenzler", options={"trump": "cut"})
    deck = deck_from_hands([cards_of(hand) for hand in SUIT_EACH], ANNA)
    assert table.refused(Deal(deck=deck)) == "deal/cut_missing"
    table.do(Deal(deck=deck, cut="H9"))
    assert only(table.log, TrumpTurned).seat is None
    assert only(table.log, ContractSet).contract == "hearts"
    assert audit(table.log) is None
    assert a_table().refused(Deal(deck=deck)) == "deal/not_now"
    assert Table("differenzler").refused(Deal(deck=deck, cut="H9")) == "deal/no_cut"


def test_a_card_of_a_hand_that_was_changed_beside_a_cut_is_found() -> None:
    table = Table("differenzler", options={"trump": "cut"})
    table.do(Deal(deck=deck_from_hands([cards_of(hand) for hand in SUIT_EACH], ANNA), cut="H9"))
    at = next(seq for seq, event in enumerate(table.log) if isinstance(event, HandDealt))
    hand = table.log[at]
    assert isinstance(hand, HandDealt)
    assert hand.cards
    table.log[at] = replace(hand, cards=(*hand.cards[:-1], hand.cards[0]))
    assert "deal/wrong_deck" in str(audit(table.log))


def test_forehand_predicts_first_and_the_dealer_last() -> None:
    table = a_table()
    assert to_act(table.state) == (ANNA, "predictions", ("predict",))
    assert table.refused(Predict(seat=BEAT, points=3)) == "predict/not_your_turn"
    assert table.refused(Predict(seat=ANNA, points=158)) == "predict/out_of_bounds"
    predict(table, 0, 157, 20)
    assert table.turn == DARIO
    predict(table, 7)
    assert to_act(table.state) == (ANNA, "trick_play", ("play",))
    assert table.refused(Predict(seat=ANNA, points=3)) == "predict/not_now"


def test_the_difference_is_the_penalty() -> None:
    table = a_table()
    predict(table, 10, 0, 3, 150)
    table.play_out()
    assert scored(table).card_points == [0, 0, 0, 157]
    assert scored(table).scores == [10, 0, 3, 7]


@pytest.mark.parametrize(("said", "score"), [(157, -10), (156, 1)])
def test_an_exact_prediction_is_rewarded(said: int, score: int) -> None:
    table = a_table(exact_bonus=10)
    predict(table, 10, 0, 3, said)
    table.play_out()
    assert scored(table).scores == [10, 0, 3, score]


def test_a_prediction_of_nothing_is_rewarded_only_with_a_trick() -> None:
    chiara, dario = "D7 D8 D9 D10 DJ DQ DK DA C6", "D6 C7 C8 C9 C10 CJ CQ CK CA"
    table = Table("differenzler", options={**SHORT, "exact_bonus": 10})
    table.deal([*SUIT_EACH[:2], chiara, dario], dealer=DARIO)
    predict(table, 0, 0, 0, 157)
    table.play("S6 H6 C6 D6")
    table.play_out()
    assert scored(table).card_points == [0, 0, 0, 157]
    assert scored(table).scores == [0, 0, -10, -10]


def test_the_club_plays_with_a_bonus_and_undertrumps_with_trumps_only() -> None:
    table = Table("differenzler", preset="club")
    assert table.state.options["exact_bonus"] == 10
    assert table.state.options["undertrump"] == "only-trumps"
    assert table.state.options["deals"] == 8
    assert Table("differenzler", seats=3).state.options["deals"] == 9


def test_the_dealer_profits_from_what_the_predictions_are_off_by() -> None:
    table = a_table(dealer_incentive=5)
    predict(table, 10, 10, 10, 150)
    table.play_out()
    assert scored(table).scores == [10, 10, 10, 7 - 23 // 5]


@pytest.mark.parametrize(("stoeck", "score"), [(20, 40), (-20, 0), (None, 20)])
def test_the_holder_of_the_stoeck_adds_or_takes_off_twenty(stoeck: int | None, score: int) -> None:
    table = a_table(stoeck=True)
    predict(table, 0, 0, 0, 137)
    table.play("S6 H6 D6 CK")
    assert table.refused(Play(seat=DARIO, card="CQ", stoeck=True)) == "stoeck/choose"
    assert table.refused(Play(seat=DARIO, card="CA", stoeck=20)) == "stoeck/not_second_card"
    events = table.play("CQ", stoeck=stoeck)
    assert [e.points for e in events if isinstance(e, StoeckDeclared)] == ([stoeck] if stoeck else [])
    table.play_out()
    assert scored(table).card_points == [0, 0, 0, 157]
    assert scored(table).scores[DARIO] == score
    assert audit(table.log) is None


def test_the_lowest_total_wins_and_a_stake_is_paid_to_it() -> None:
    """The dealer takes all in turn; Anna alone says so."""
    table = Table("differenzler", options={**SHORT, "stake": 5})
    for deal in range(4):
        table.deal(SUIT_EACH, dealer=None if deal else DARIO)
        for _ in range(4):
            predict(table, 157 if table.turn == table.state.dealer == ANNA else 0)
        table.play_out()
    ended = only(table.log, GameEnded)
    assert ended.totals == [0, 157, 157, 157]
    assert ended.winners == [ANNA]
    assert ended.payments == [-2355, 785, 785, 785]
    assert table.state.payments == (-2355, 785, 785, 785)


def test_a_sealed_prediction_is_its_seats_until_the_last_card() -> None:
    table = a_table(sealed_predictions=True)
    predict(table, 0, 2, 3, 4)
    seen = [e for e in redact_events(table.log, Observer.seat(BEAT)) if isinstance(e, PredictionMade)]
    assert [e.points for e in seen] == [None, 2, None, None]
    for observer, wanted in [
        (EVA, [None] * 4),
        (Observer.seat(BEAT), [None, 2, None, None]),
        (GABI, [0, 2, 3, 4]),
    ]:
        for state in (table.state, replay(redact_events(table.log, observer))):
            assert [p["points"] for p in snapshot(state, observer)["predictions"]] == wanted
    events = table.play_out()
    assert types(events)[-3:] == ["trick_taken", "predictions_revealed", "deal_scored"]
    assert only(events, PredictionsRevealed).points == [0, 2, 3, 4]
    assert audit(table.log) is None


def test_worlds_that_differ_in_sealed_predictions_look_the_same_until_they_are_revealed() -> None:
    one, two = a_table(sealed_predictions=True), a_table(sealed_predictions=True)
    predict(one, 1, 2, 3, 4)
    predict(two, 100, 2, 30, 157)
    for table in (one, two):
        table.play("S6 H6 D6 C6")
    for observer in (Observer.seat(BEAT), EVA):
        assert list(redact_events(one.log, observer)) == list(redact_events(two.log, observer))


def test_open_predictions_are_heard_by_all_and_not_revealed_again() -> None:
    table = a_table()
    assert snapshot(table.state, EVA)["predictions"] == [None] * 4
    predict(table, 1, 2, 3, 4)
    assert [p["points"] for p in snapshot(table.state, EVA)["predictions"]] == [1, 2, 3, 4]
    assert "predictions_revealed" not in types(table.play_out())


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        ({"deals": 6}, 4),
        ({"deals": 4}, 3),
        ({"dealer_incentive": 5, "sealed_predictions": True}, 4),
        ({"dealer_incentive": 3}, 4),
        ({"turned_contracts": {"A": "spades"}}, 4),
        ({"turned_contracts": {"1": "obenabe"}}, 4),
        ({"exact": 1}, 4),
    ],
)
def test_options_that_do_not_fit_are_refused(options: dict[str, object], seats: int) -> None:
    with pytest.raises(IllegalCommand) as refusal:
        decide(State(), Start(variant="differenzler", seats=seats, options=options))
    assert refusal.value.code == "start/bad_options"


def test_a_refusal_of_options_names_the_one_that_does_not_fit() -> None:
    for options, name, said in [
        ({"deals": 6}, "deals", "deals must be a multiple of 4, not 6"),
        (
            {"dealer_incentive": 5, "sealed_predictions": True},
            "dealer_incentive",
            "dealer_incentive needs open predictions",
        ),
    ]:
        with pytest.raises(IllegalCommand) as refusal:
            decide(State(), Start(variant="differenzler", seats=4, options=options))
        assert (refusal.value.detail, refusal.value.params) == (said, {"reason": name})


def test_an_audit_of_what_a_seat_saw_is_refused_in_one_line() -> None:
    table = a_table(sealed_predictions=True)
    predict(table, 1, 2, 3, 4)
    seen = list(redact_events(table.log, Observer.seat(BEAT)))
    assert "a refusal" in str(audit(seen))
    at = next(at for at, event in enumerate(table.log) if isinstance(event, PredictionMade))
    unheard = [*table.log[:at], replace(table.log[at], points=None), *table.log[at + 1 :]]
    assert "does not tell everything" in str(audit(unheard))


def test_an_unknown_turned_card_leaves_the_contract_to_be_named() -> None:
    table = Table("differenzler", mode="transcribed")
    assert types(table.do(Deal())) == ["deal_started", *["hand_dealt"] * 4]
    table.do(Choose(seat=DARIO, contract="hearts"))
    assert table.state.contract == "hearts"
    assert table.refused(Choose(seat=DARIO, contract="hearts")) == "choose/not_now"


def test_a_deal_with_unknown_cards_has_no_score() -> None:
    table = Table("differenzler", mode="transcribed", options=SHORT)
    table.deal(SUIT_EACH, dealer=DARIO)
    predict(table, 1, 2, 3, 4)
    for _ in range(36):
        table.do(Play(seat=table.turn if table.state.trick else ANNA, card=None))
    assert scored(table).scores == [None] * 4


def test_a_deal_with_a_prediction_that_nobody_knows_has_no_score() -> None:
    table = Table("differenzler", mode="transcribed", options=SHORT)
    table.deal(SUIT_EACH, dealer=DARIO)
    predict(table, 3)
    for trick in zip(*(cards_of(hand) for hand in SUIT_EACH), strict=True):
        table.play(" ".join(trick))
    assert scored(table).scores == [None] * 4


def refusal(table: Table, command: Predict | Play) -> IllegalCommand:
    with pytest.raises(IllegalCommand) as refused:
        decide(table.state, command)
    return refused.value


def test_every_prediction_that_can_come_true_is_offered_to_whose_turn_it_is() -> None:
    table = a_table(deals=16)  # rules that no other test has compiled
    predict(table, 3)
    assert to_act(table.state) == (BEAT, "predictions", ("predict",))
    assert list_offers(table.state) == [Predict(seat=BEAT, points=points) for points in range(158)]
    error = refusal(table, Play(seat=BEAT, card="H6"))
    assert error.params == {"command": "play", "phase": "predictions"}


def test_a_refused_prediction_is_told_why() -> None:
    table = a_table()
    error = refusal(table, Predict(seat=ANNA, points=158))
    assert error.detail == "a prediction is 0 to 157, not 158"
    assert error.params == {"points": 158, "highest": 157}
    error = refusal(table, Predict(seat=ANNA, points=None))
    assert (error.code, error.detail) == ("predict/points_missing", "the points must be named")


def test_before_the_first_card_what_nobody_knows_is_said_too() -> None:
    table = Table("differenzler", mode="transcribed", options=SHORT)
    table.deal(SUIT_EACH, dealer=DARIO)
    table.do(Predict(seat=ANNA, points=None))
    error = refusal(table, Predict(seat=ANNA, points=3))
    assert (error.code, error.detail) == ("predict/made", "a seat predicts once")
    assert error.params == {"seat": ANNA}


def test_a_sealed_prediction_that_nobody_knows_is_revealed_as_such() -> None:
    options = {**SHORT, "sealed_predictions": True}
    table = Table("differenzler", mode="transcribed", options=options)
    table.deal(SUIT_EACH, dealer=DARIO)
    predict(table, 1, 2)
    table.do(Predict(seat=table.turn, points=None))
    for trick in zip(*(cards_of(hand) for hand in SUIT_EACH), strict=True):
        table.play(" ".join(trick))
    assert only(table.log, PredictionsRevealed).points == [1, 2, None, None]


def test_what_others_have_sealed_is_not_asked_for_again_when_cards_lie() -> None:
    table = a_table(sealed_predictions=True)
    predict(table, 1, 2, 3, 4)
    table.play("S6")
    seen = replay(redact_events(table.log, Observer.seat(BEAT)))
    assert to_act(seen) == to_act(table.state) == (BEAT, "trick_play", ("play",))


def test_the_phase_says_the_highest_prediction_that_may_be_made() -> None:
    assert predictions(157, sealed=False).highest_prediction == 157
