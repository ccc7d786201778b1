"""The audit accepts what was played and refuses, with the place, whatever was changed."""

import copy
import functools
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine import CorruptLog, decide, decode_event, replay, to_dict
from engine.audit import audit, audit_all
from engine.audit.rules_versions import has_other_rules
from engine.cards import DECK
from engine.commands import ClaimOut, Close, ConfirmResult, CorrectResult, Deal, EnterResult, Resume
from engine.events import (
    CardPlayed,
    DealScored,
    Event,
    ExtraDealt,
    GameStarted,
    HandDealt,
    PredictionMade,
    Pushed,
    TableDealt,
    TrickTaken,
)
from engine.registry import VARIANTS
from tests.engine.random_games import GAMES, beginning_of, log_of
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, SUIT_EACH, Table, club_table

BY_NAME = {str(game): game for game in GAMES}
CONSEQUENCES = {
    "trick_taken",
    "deal_scored",
    "game_ended",
    "melds_scored",
    "stoeck_declared",
    "hand_taken_up",
    "auction_won",
    "talon_taken",
    "table_card_turned",
    "predictions_revealed",
}


@functools.cache
def _log_of(name: str) -> list[Event]:
    return beginning_of(BY_NAME[name], 11)


def refused(log: list[Event]) -> bool:
    try:
        return audit(log) is not None
    except CorruptLog:
        return True


def changed(value: Any, draw: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + draw(st.sampled_from([-1, 1, 10]))
    if isinstance(value, list) and value:
        at = draw(st.integers(0, len(value) - 1))
        return [*value[:at], changed(value[at], draw), *value[at + 1 :]]
    if isinstance(value, dict) and value:
        key = draw(st.sampled_from(sorted(value)))
        return {**value, key: changed(value[key], draw)}
    if (
        isinstance(value, str)
        and value[:1] in "DHSC"
        and value[1:] in ("6", "7", "8", "9", "10", "J", "Q", "K", "A")
    ):
        return draw(st.sampled_from(["D6", "H9", "SJ", "CA"]))
    return draw(st.sampled_from([None, 0, "spades", []]))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_changed_consequence_is_found(data: st.DataObject) -> None:
    log = list(_log_of(data.draw(st.sampled_from(sorted(BY_NAME)))))
    places = [at for at, event in enumerate(log) if event.__struct_config__.tag in CONSEQUENCES]
    at = data.draw(st.sampled_from(places))
    before = to_dict(log[at])
    after = copy.deepcopy(before)
    name = data.draw(st.sampled_from([key for key in before if key != "type"]))
    after[name] = changed(before[name], data.draw)
    try:
        log[at] = decode_event(after)
    except CorruptLog:
        return
    assume(to_dict(log[at]) != before)
    assert refused(log)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_a_removed_doubled_or_swapped_event_is_found(data: st.DataObject) -> None:
    log = list(_log_of(data.draw(st.sampled_from(sorted(BY_NAME)))))
    at = data.draw(st.integers(0, len(log) - 2))
    kind = data.draw(st.sampled_from(["remove", "double", "swap"]))
    if kind == "remove":
        del log[at]
    elif kind == "double":
        log.insert(at, log[at])
    else:
        log[at], log[at + 1] = log[at + 1], log[at]
    assert refused(log)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_a_removed_event_is_found_though_all_others_are_numbered_anew(data: st.DataObject) -> None:
    log = list(_log_of(data.draw(st.sampled_from(sorted(BY_NAME)))))
    at = data.draw(st.integers(0, len(log) - 2))
    removed = log.pop(at)
    assume(
        removed.__struct_config__.tag
        not in ("bid_deferred", "bid_passed", "bid_made", "extra_kept", "melds_declared")
    )
    renumbered = [replace(event, seq=seq) for seq, event in enumerate(log)]
    assert refused(renumbered)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_another_card_in_a_whole_deal_is_found(data: st.DataObject) -> None:
    log = list(_log_of(data.draw(st.sampled_from(sorted(BY_NAME)))))
    end = max((at for at, event in enumerate(log) if isinstance(event, DealScored)), default=0)
    cards_of_whole_deals = [at for at, event in enumerate(log[:end]) if isinstance(event, CardPlayed)]
    assume(cards_of_whole_deals)
    at = data.draw(st.sampled_from(cards_of_whole_deals))
    card = data.draw(st.sampled_from(["D6", "H9", "SJ", "CA", "D10", "SQ"]))
    played = log[at]
    assert isinstance(played, CardPlayed)
    assume(played.card != card)
    log[at] = decode_event({**to_dict(log[at]), "card": card})
    assert refused(log)


def test_cards_before_the_deal_is_ready_for_them_are_found() -> None:
    log = list(_log_of("differenzler-default-4"))
    at = next(at for at, event in enumerate(log) if isinstance(event, PredictionMade))
    del log[at : at + 4]
    assert refused([replace(event, seq=seq) for seq, event in enumerate(log)])


def test_a_log_begins_with_its_start() -> None:
    for log in ([], [CardPlayed(seq=0, seat=0, card="S6")]):
        with pytest.raises(CorruptLog):
            audit(log)


def test_a_record_is_not_followed_beyond_what_a_ledger_can_hold() -> None:
    log = list(_log_of("differenzler-default-3"))
    at = next(at for at, event in enumerate(log) if isinstance(event, HandDealt))
    log[at] = replace(log[at], seat=3)
    assert [difference.seq for difference in audit_all(log)] == [at]


@pytest.mark.parametrize(("name", "kind"), [("la-pomme", ExtraDealt), ("lake-constance", TableDealt)])
def test_cards_that_are_laid_out_for_a_seat_there_is_not_are_found(name: str, kind: type[Event]) -> None:
    log = list(_log_of(f"{name}-default-2"))
    at = next(at for at, event in enumerate(log) if isinstance(event, kind))
    log[at] = replace(log[at], seat=2)
    assert 0 < audit_all(log)[0].seq <= at


def test_a_card_too_many_is_found_in_the_hand_that_has_it() -> None:
    log = list(_log_of("schieber-championship-4"))
    at = max(at for at, event in enumerate(log[:6]) if isinstance(event, HandDealt))
    first, last = log[2], log[at]
    assert isinstance(first, HandDealt)
    assert isinstance(last, HandDealt)
    log[at] = replace(last, size=10, cards=[*(last.cards or ()), *(first.cards or ())[:1]])
    assert audit_all(log)[0].seq == at


def test_a_fault_of_the_engine_is_not_blamed_on_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumbles(*_: object) -> list[Event]:
        raise KeyError("S6")

    monkeypatch.setattr("engine.audit.decide", stumbles)
    with pytest.raises(KeyError):
        audit_all(_log_of("differenzler-default-3"))


def test_a_wrong_number_in_a_trick_is_found() -> None:
    log = list(_log_of("schieber-championship-4"))
    at = [at for at, event in enumerate(log) if isinstance(event, CardPlayed)][1]
    log[at] = replace(log[at], seq=at + 1)
    assert refused(log)


def test_melds_without_a_card_have_no_cause() -> None:
    table = club_table("spades", SUIT_EACH)
    table.play("S6", melds=[["S6", "S7", "S8"]])
    for log in (table.log[:-1], [*table.log[:-1], Pushed(seq=8, seat=0)]):
        difference = audit(log)
        assert difference is not None
        assert "log/no_cause" in difference.why


def test_a_record_that_contradicts_itself_is_corrupt() -> None:
    table = club_table("spades", SUIT_EACH, target=None, deals=1)
    log = [*table.log[:3], replace(table.log[3], seat=3), *table.log[4:]]
    assert refused(log)


def test_the_first_difference_is_named() -> None:
    log = list(log_of(GAMES[0], 1))
    at = next(at for at, event in enumerate(log) if isinstance(event, TrickTaken))
    log[at] = TrickTaken(seq=at, seat=0, points=99)
    difference = audit(log)
    assert difference is not None
    assert difference.seq == at
    assert '"points":99' in str(difference)


def test_a_log_that_stops_in_the_middle_of_its_consequences_is_found() -> None:
    log = log_of(GAMES[0], 1)
    difference = audit(log[:-1])
    assert difference is not None
    assert difference.recorded is None
    assert "recorded nothing" in str(difference)


def test_a_log_may_end_between_two_commands() -> None:
    log = log_of(GAMES[0], 1)
    assert audit(log[:6]) is None


def test_an_event_without_cause_is_a_difference() -> None:
    log = list(log_of(GAMES[0], 1)[:6])
    log.append(TrickTaken(seq=6, seat=0, points=1))
    difference = audit(log)
    assert difference is not None
    assert "log/no_cause" in difference.why


def test_every_difference_can_be_listed() -> None:
    log = list(log_of(GAMES[0], 1))
    tricks = [at for at, event in enumerate(log) if isinstance(event, TrickTaken)][:2]
    for at in tricks:
        log[at] = decode_event({**to_dict(log[at]), "points": 77})
    found = audit_all(log)
    assert [difference.seq for difference in found][:2] == tricks
    assert len(found) >= 3  # the deal's score follows the record, not the rules
    log[tricks[0]] = decode_event(
        {**to_dict(log[tricks[0]]), "type": "trick_taken", "seat": None, "points": None}
    )
    assert audit_all(log)


def test_other_rules_are_told_apart() -> None:
    log = list(log_of(GAMES[0], 1)[:1])
    assert not has_other_rules(log)
    version = VARIANTS["schieber"].rules_version + 1
    assert has_other_rules([decode_event({**to_dict(log[0]), "rules_version": version})])
    for wrong in (decode_event({**to_dict(log[0]), "variant": "skat"}), CardPlayed(seq=0, seat=0, card="S6")):
        with pytest.raises(CorruptLog):
            has_other_rules([wrong])
    with pytest.raises(CorruptLog, match="log/unknown_rules"):
        has_other_rules([])


def test_options_nobody_knows_are_corrupt() -> None:
    log = list(log_of(GAMES[0], 1)[:2])
    log[0] = decode_event({**to_dict(log[0]), "options": {"jokers": 2}})
    with pytest.raises(CorruptLog) as error:
        decide(replay(log), Close(reason="x"))
    assert error.value.code == "log/unknown_rules"
    assert refused(log)


def test_what_cannot_follow_is_corrupt() -> None:
    log: list[Event] = [event for event in log_of(GAMES[0], 1)[:3] if isinstance(event, GameStarted)]
    log.append(decode_event({"seq": 1, "type": "deal_started", "deal": 1, "dealer": 3}))
    log.append(decode_event({"seq": 2, "type": "hand_dealt", "seat": 3, "size": 9, "cards": ["S6"]}))
    assert refused(log)


@pytest.mark.parametrize(
    "change",
    [
        lambda hand, other: replace(hand, cards=hand.cards[::-1]),
        lambda hand, other: replace(hand, cards=other.cards),
        lambda hand, other: replace(hand, cards=hand.cards[1:]),
        lambda hand, other: replace(hand, cards=None),
        lambda hand, other: replace(hand, size=8),
        lambda hand, other: replace(hand, seat=other.seat),
        lambda hand, other: replace(hand, face_down=True),
        lambda hand, other: replace(hand, seq=hand.seq + 1),
        lambda hand, other: other,
    ],
)
def test_a_hand_that_no_deck_gives_is_found(change: Any) -> None:
    table = club_table("spades", SUIT_EACH)
    table.play_out()
    table.deal(SUIT_EACH)
    assert audit(table.log) is None
    hand, other = table.log[-4:-2]
    assert refused([*table.log[:-4], change(hand, other), *table.log[-3:]])


@pytest.mark.parametrize(
    "change",
    [
        lambda named: replace(named, seat=BEAT),
        lambda named: replace(named, seat=None),
        lambda named: replace(named, contract="slalom-obenabe"),
        lambda named: replace(named, slot="joker1"),
        lambda named: replace(named, seq=named.seq + 1),
    ],
)
def test_a_contract_that_could_not_be_named_is_found(change: Any) -> None:
    table = club_table("spades", SUIT_EACH)
    assert audit(table.log) is None
    assert refused([*table.log[:-1], change(table.log[-1])])


def test_logs_with_everything_beside_the_cards_are_accepted() -> None:
    table = club_table("spades", SUIT_EACH, target=2000, claim_out="required")
    table.play("S6", melds=[["SQ", "SK", "SA"]])
    table.rule("bar_suit", against=ANNA, suit="spades")
    table.play_out()
    table.rule("award_from_trick", deal=1, trick=3, against=ANNA, article="7")
    table.rule("score_change", deal=1, scores=[1, 2], replaces=1)
    table.rule("short_hand", deal=1, against=BEAT, choice="points")
    table.rule("penalty", against=CHIARA, points=10)
    table.deal(SUIT_EACH)
    table.rule("annul_deal", deal=2)
    table.deal(SUIT_EACH)
    table.choose("hearts")
    table.do(ClaimOut(seat=DARIO))
    assert audit(table.log) is None


def test_a_sheet_and_a_closed_game_are_accepted() -> None:
    table = Table(preset="championship", mode="sheet", won_before=1)
    table.do(EnterResult(seat=ANNA, deal=1, card_points=[100, 57], stoeck=0))
    table.do(CorrectResult(seat=BEAT, deal=1, card_points=[157, 0], sweep=0, contract="spades"))
    table.do(ConfirmResult(seat=ANNA, deal=1))
    table.do(Close(reason="the lights went out"))
    assert audit(table.log) is None


def test_a_game_that_is_closed_and_taken_up_again_before_its_first_deal_is_accepted() -> None:
    table = Table()
    table.do(Close(reason="the lights went out"))
    table.do(Resume(reason="they are on again"))
    table.do(Deal(deck=[*DECK]))
    assert audit(table.log) is None


def test_a_stoeck_before_the_trick_of_the_other_side_is_not_a_declaration() -> None:
    hands = ["S6 S7 S8 S9 S10 SJ SA H6 H7", "SQ SK H8 H9 H10 HJ HQ HK HA", *SUIT_EACH[2:]]
    for codes in ("SJ SQ D6 C6", "S6 SQ D6 C6"):
        table = club_table("spades", hands, target=40)
        table.play(codes)
        assert audit(table.log) is None
    table.play("SK", stoeck=True)
    assert audit(table.log) is None


def test_a_card_that_is_not_named_is_found_whichever_it_was() -> None:
    log = _log_of("schieber-default-4")
    cards = {at: event.card for at, event in enumerate(log) if isinstance(event, CardPlayed)}
    played = list(cards)[:36]
    assert {cards[at] for at in played} == set(DECK)
    for at in played:
        assert refused([*log[:at], replace(log[at], card=None), *log[at + 1 :]])
