"""Dealing: packets of three, who is forehand, what a deck must be, and cards that lie face down."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from engine import Observer, State, cards, replay, view_for
from engine.cards import Card
from engine.commands import Choose, Deal, Push, Start
from engine.decider import open_phase
from engine.events import DealStarted, Event, HandDealt, HandTakenUp, InfractionFound
from engine.registry import table_of
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, SUIT_EACH, Table, only


def audit_run(state: State, log: Sequence[Event], at: int) -> int:
    """How many events of a log the first open phase follows by itself."""
    table = table_of(state)
    return open_phase(table).audit_run(table, log, at)


DECK: list[Card | None] = [*cards.DECK]


def test_packets_of_three_go_round_from_forehand() -> None:
    table = Table(preset="championship", options={"partner_waits": False})
    events = table.do(Deal(deck=DECK, dealer=ANNA))
    assert isinstance(events[0], DealStarted)
    assert events[0].dealer == ANNA
    first = events[1]
    assert isinstance(first, HandDealt)
    assert first.seat == BEAT
    assert first.cards == ["D6", "D7", "D8", "H9", "H10", "HJ", "SQ", "SK", "SA"]
    assert [event.seat for event in events[1:] if isinstance(event, HandDealt)] == [BEAT, CHIARA, DARIO, ANNA]


@pytest.mark.parametrize(("marker", "card"), [("D10", "D10"), ("D7", "D7")])
def test_the_holder_of_the_marked_card_is_forehand(marker: str, card: str) -> None:
    table = Table(options={"first_forehand": marker})
    started = only(table.do(Deal(deck=DECK)), DealStarted)
    holder = next(seat for seat in range(4) if table.state.hands[seat] & cards.BIT[card])
    assert (started.dealer + 1) % 4 == holder
    assert table.turn == holder


def test_where_nothing_says_who_deals_first_the_last_seat_does() -> None:
    table = Table(preset="championship")
    assert only(table.do(Deal(deck=DECK)), DealStarted).dealer == DARIO


def test_the_deal_passes_to_the_next_seat() -> None:
    table = Table(preset="championship")
    table.deal(SUIT_EACH, dealer=ANNA)
    table.choose("spades")
    table.play_out()
    assert table.refusal(Deal(deck=DECK, dealer=BEAT)) == (
        "deal/wrong_dealer",
        "a dealer is named in the first deal only",
        {"dealer": BEAT},
    )
    assert only(table.do(Deal(deck=DECK)), DealStarted).dealer == BEAT


def test_the_side_that_won_deals_the_next_game() -> None:
    table = Table(won_before=1)
    assert table.refusal(Deal(deck=DECK, dealer=ANNA)) == (
        "deal/wrong_dealer",
        "a player of the side that won deals",
        {"dealer": ANNA},
    )
    started, first, *_others = Table(won_before=1).do(Deal(deck=DECK))
    assert isinstance(started, DealStarted)
    assert isinstance(first, HandDealt)
    assert (started.dealer, first.seat, (first.cards or [])[:3]) == (BEAT, CHIARA, DECK[:3])
    assert only(table.do(Deal(deck=DECK, dealer=DARIO)), DealStarted).dealer == DARIO


WHOLE = "a deck is all 36 cards, each once"


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        (Deal(), "deal/deck_missing", "a dealt game needs a deck of 36 cards"),
        (Deal(deck=DECK[:35]), "deal/wrong_deck", WHOLE),
        (Deal(deck=[*DECK[:35], "D6"]), "deal/wrong_deck", WHOLE),
        (Deal(deck=[*DECK[:35], None]), "deal/wrong_deck", WHOLE),
        (Deal(deck=DECK, cut="D6"), "deal/no_cut", "a card is cut where the game says so, only there"),
    ],
)
def test_a_wrong_deck_is_refused(command: Deal, code: str, said: str) -> None:
    assert Table().refusal(command) == (code, said, {})


@pytest.mark.parametrize("named", range(4))
def test_nobody_is_named_dealer_where_a_card_says_it(named: int) -> None:
    assert Table().refusal(Deal(deck=DECK, dealer=named)) == (
        "deal/wrong_dealer",
        "the holder of D10 is forehand",
        {"dealer": named, "marker": "D10"},
    )


def test_without_a_marked_card_anybody_may_be_written_down_as_dealer() -> None:
    table = Table(preset="championship", mode="transcribed")
    events = table.do(Deal(dealer=BEAT))
    assert only(events, DealStarted).dealer == BEAT
    assert [type(event) for event in events] == [DealStarted, *[HandDealt] * 4]


def test_it_is_written_down_that_the_side_dealt_that_had_not_won() -> None:
    table = Table(won_before=1, mode="transcribed")
    found = only(table.do(Deal(dealer=CHIARA)), InfractionFound)
    assert (found.seat, found.code) == (CHIARA, "wrong_dealer")
    assert (table.state.dealer, table.state.place) == (CHIARA, BEAT)


def test_a_transcribed_deck_may_be_known_in_part() -> None:
    table = Table(mode="transcribed", preset="championship")
    table.do(Deal(deck=["S6", *[None] * 35], dealer=DARIO))
    assert cards.codes(table.state.hands[ANNA]) == ["S6"]
    assert [table.state.unknown(seat) for seat in range(4)] == [8, 9, 9, 9]
    assert Table(mode="transcribed").refused(Deal(deck=["S6", "S6", *[None] * 34])) == "deal/wrong_deck"


def test_an_unknown_marked_card_leaves_the_dealer_to_be_named() -> None:
    table = Table(mode="transcribed")
    assert only(table.do(Deal(dealer=CHIARA)), DealStarted).dealer == CHIARA


def test_the_partner_sees_his_cards_only_after_forehand_has_spoken() -> None:
    table = Table(preset="championship")
    table.deal(SUIT_EACH, dealer=DARIO)
    chiara = Observer.seat(CHIARA)
    waiting = replay(view_for(table.log, chiara))
    assert waiting.hands[CHIARA] == 0
    assert waiting.unknown(CHIARA) == 9
    assert replay(view_for(table.log, Observer.seat(ANNA))).hands[ANNA]
    taken = only(table.do(Push(seat=ANNA)), HandTakenUp)
    assert taken.seat == CHIARA
    seen = replay(view_for(table.log, chiara))
    assert seen.hands[CHIARA] == table.state.hands[CHIARA]
    assert seen.face_down == ()
    for other in (ANNA, BEAT, DARIO):
        assert replay(view_for(table.log, Observer.seat(other))).hands[CHIARA] == 0


def test_naming_a_contract_frees_the_partners_cards_too() -> None:
    table = Table(preset="championship")
    table.deal(SUIT_EACH, dealer=DARIO)
    assert only(table.do(Choose(seat=ANNA, contract="clubs")), HandTakenUp).seat == CHIARA


def test_a_game_is_started_once() -> None:
    assert Table().refused(Start(variant="schieber", seats=4)) == "start/not_now"


def second_deal(**options: Any) -> tuple[State, list[Event], int]:
    """A state before the second deal, the log with it, and where in the log that deal begins."""
    table = Table(preset="championship", options=options)
    table.deal(SUIT_EACH, dealer=ANNA)
    table.choose("spades")
    table.play_out()
    before, at = table.state.copy(), len(table.log)
    table.do(Deal(deck=DECK[::-1]))
    return before, table.log, at


@pytest.mark.parametrize("waits", [False, True])
def test_a_deal_that_is_plainly_right_is_followed_in_one_pass(waits: bool) -> None:
    state, log, at = second_deal(partner_waits=waits)
    assert audit_run(state, log, at) == 5
    assert state == replay(log)
    assert [hand.face_down for hand in log[at + 1 :] if isinstance(hand, HandDealt)].count(True) == waits


def _other(event: Any, **fields: Any) -> Any:
    return msgspec.structs.replace(event, **fields)


@pytest.mark.parametrize(
    "change",
    [
        lambda deal: [_other(deal[0], seq=deal[0].seq + 1), *deal[1:]],
        lambda deal: [_other(deal[0], deal=1), *deal[1:]],
        lambda deal: [_other(deal[0], dealer=ANNA), *deal[1:]],
        lambda deal: deal[:4],
        lambda deal: [*deal[:2], deal[3], deal[2], *deal[4:]],
        lambda deal: [*deal[:4], _other(deal[4], seat=deal[3].seat)],
        lambda deal: [*deal[:4], _other(deal[4], seq=deal[3].seq)],
        lambda deal: [*deal[:4], deal[0]],
        lambda deal: [*deal[:4], _other(deal[4], face_down=True)],
        lambda deal: [*deal[:3], _other(deal[3], face_down=False), deal[4]],
        lambda deal: [*deal[:4], _other(deal[4], size=8)],
        lambda deal: [*deal[:4], _other(deal[4], size=8, cards=deal[4].cards[1:])],
        lambda deal: [*deal[:4], _other(deal[4], cards=deal[4].cards[::-1])],
        lambda deal: [*deal[:4], _other(deal[4], cards=deal[3].cards)],
        lambda deal: [*deal[:4], _other(deal[4], cards=[deal[4].cards[0], *deal[4].cards[:-1]])],
        lambda deal: [*deal[:4], _other(deal[4], cards=None)],
    ],
)
def test_any_other_deal_is_left_to_be_decided_again(change: Callable[[list[Any]], list[Any]]) -> None:
    state, log, at = second_deal(partner_waits=True)
    before = state.copy()
    assert audit_run(state, [*log[:at], *change(log[at : at + 5])], at) == 0
    assert state == before
