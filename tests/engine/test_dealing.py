"""Dealing: packets of three, who is forehand, what a deck must be, and cards that lie face down."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import pytest

from engine import Observer, State, cards, decide, redact_events, replay
from engine.audit import audit
from engine.audit.command_of_event import find_command
from engine.cards import Card
from engine.commands import Choose, Deal, Play, Push, Start
from engine.decider import open_phase
from engine.events import (
    DealStarted,
    Event,
    ExtraDealt,
    HandDealt,
    HandTakenUp,
    InfractionFound,
    TableDealt,
    TalonDealt,
    TrumpTurned,
)
from engine.phases.dealing import dealing
from engine.phases.laying_out import cut_card, last_card
from engine.registry import build_game_context, get_rules
from tests.engine.random_games import GAMES, Game, positions
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, SUIT_EACH, Table, only


def audit_run(state: State, log: Sequence[Event], at: int) -> int:
    """How many events of a log the first open phase follows by itself."""
    context = build_game_context(state)
    return open_phase(context).audit_run(context, log, at)


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
    waiting = replay(redact_events(table.log, chiara))
    assert waiting.hands[CHIARA] == 0
    assert waiting.unknown(CHIARA) == 9
    assert replay(redact_events(table.log, Observer.seat(ANNA))).hands[ANNA]
    taken = only(table.do(Push(seat=ANNA)), HandTakenUp)
    assert taken.seat == CHIARA
    seen = replay(redact_events(table.log, chiara))
    assert seen.hands[CHIARA] == table.state.hands[CHIARA]
    assert seen.face_down == ()
    for other in (ANNA, BEAT, DARIO):
        assert replay(redact_events(table.log, Observer.seat(other))).hands[CHIARA] == 0


@pytest.mark.parametrize("game", [game for game in GAMES if game.variant != "schieber"], ids=str)
def test_only_in_schieber_may_a_hand_lie_face_down_until_its_owner_is_to_take_it_up(game: Game) -> None:
    for _, _, events, _ in deals_of(game, 8):
        assert not any(hand.face_down for hand in events if isinstance(hand, HandDealt))


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


# --- what the game says of a deal before it, and the way back from its events ------------------------------


ENOUGH = 5
"""Deals of a game, after which each seat has dealt."""


def deals_of(game: Game, seed: int) -> Iterator[tuple[State, Deal, list[Event], list[Event]]]:
    """The first deals of a random game: the state before each, its command, its events, the log so far."""
    state = State()
    for command, events, log in positions(game, seed):
        if isinstance(command, Deal):
            if state.deal == ENOUGH:
                return
            yield state.copy(), command, events, log
        replay(events, state)


def given(events: Sequence[Event], first: int, seats: int) -> dict[tuple[str, int | None], set[Card]]:
    """What everybody got by kind and turn, in the words of `FromDeck`."""
    found: dict[tuple[str, int | None], set[Card]] = {}
    for event in events:
        if isinstance(event, TalonDealt):
            found["talon", None] = {card for card in event.open if card}
        elif isinstance(event, TrumpTurned):
            found["turned", None] = {event.card} if event.card else set()
        elif isinstance(event, HandDealt | ExtraDealt | TableDealt):
            turn = (event.seat - first) % seats
            if isinstance(event, TableDealt):
                found["table", turn] = {card for card in event.open if card}
                found["closed", turn] = {card for card in event.closed or () if card}
            else:
                kind = "hand" if isinstance(event, HandDealt) else "extra"
                found[kind, turn] = set(event.cards or ())
    return found


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_card_is_dealt_from_where_the_game_says_it_lies_in_the_deck(game: Game) -> None:
    for state, command, events, _ in deals_of(game, 5):
        rules, deck = get_rules(state), command.deck or []
        marked = rules.marker is not None and state.dealer is None
        started = only(events, DealStarted)
        first = 0 if marked else (started.dealer + 1) % game.seats
        said = rules.phases[0].places(game.seats, state.declarer is not None)
        assert {(where.kind, where.turn): {deck[at] for at in where.at} for where in said} == given(
            events, first, game.seats
        )


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_events_of_a_deal_lead_back_to_a_command_that_deals_the_same(game: Game) -> None:
    for state, _, events, log in deals_of(game, 6):
        back = find_command(build_game_context(state), [*log, *events], len(log))
        assert isinstance(back, Deal)
        assert set(back.deck or ()) == set(DECK)
        assert decide(state, back) == events


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_deal_of_a_game_is_followed_in_one_pass(game: Game) -> None:
    for state, _, events, log in deals_of(game, 7):
        wrong = [*events[:-1], _other(events[-1], seq=events[-1].seq + 1)]
        assert audit_run(state, [*log, *wrong], len(log)) == 0
        assert audit_run(state, [*log, *events], len(log)) == len(events)
        assert state == replay([*log, *events])


def test_a_card_that_is_turned_may_name_every_suit_and_no_other_says_anything() -> None:
    assert dealing(lay_out=last_card({})).card_contracts == cards.SUIT_NAMES
    assert dealing(lay_out=cut_card({"6": "undenufe"})).card_contracts == (*cards.SUIT_NAMES, "undenufe")
    assert dealing().card_contracts == ()


def by_the_next(deal: Sequence[Any]) -> list[Any]:
    """The same deal, by the seat after its dealer and to the seats after those it went to."""
    started, *hands = deal
    return [
        _other(started, dealer=(started.dealer + 1) % 4),
        *(_other(hand, seat=(hand.seat + 1) % 4) for hand in hands),
    ]


def test_a_first_deal_after_another_game_is_left_to_be_decided() -> None:
    table = Table(won_before=1)
    deal = table.do(Deal(deck=DECK))
    assert audit_run(replay(table.log[:1]), [table.log[0], *by_the_next(deal)], 1) == 0
    assert audit(table.log) is None


def test_a_first_deal_in_which_another_holds_the_marked_card_is_left_to_be_decided() -> None:
    table = Table(options={"first_forehand": "D10"})
    started, first, second, *rest = table.do(Deal(deck=DECK))
    assert isinstance(first, HandDealt)
    assert isinstance(second, HandDealt)
    swapped = [_other(first, cards=second.cards), _other(second, cards=first.cards)]
    assert audit_run(replay(table.log[:1]), [table.log[0], started, *swapped, *rest], 1) == 0


def test_a_later_deal_by_somebody_else_is_left_to_be_decided() -> None:
    state, log, at = second_deal(partner_waits=False)
    assert audit_run(state, [*log[:at], *by_the_next(log[at:])], at) == 0


def test_a_refusal_before_the_deal_names_the_phase() -> None:
    assert Table().refusal(Play(seat=ANNA, card="S6"))[2] == {"command": "play", "phase": "dealing"}


def test_cards_that_nobody_saw_are_unknown_in_the_command_that_a_record_leads_back_to() -> None:
    table = Table("la-pomme", seats=2, mode="transcribed")
    table.do(Deal(deck=DECK, dealer=BEAT))
    back = find_command(build_game_context(replay(table.log[:1])), table.log, 1)
    assert isinstance(back, Deal)
    seen = 2 * (9 + 3) + 1
    assert back.deck == [*DECK[:seen], *[None] * (36 - seen)]


def test_what_lies_closed_for_a_spectator_is_unknown_in_the_command_too() -> None:
    table = Table("lake-constance", seats=2)
    table.do(Deal(deck=DECK, dealer=BEAT))
    seen = list(redact_events(table.log, Observer.spectator()))
    back = find_command(build_game_context(replay(seen[:1])), seen, 1)
    assert isinstance(back, Deal)
    assert {card for card in back.deck or () if card} == {
        card for event in seen if isinstance(event, TableDealt) for card in event.open
    }
