"""What lies beside the hands of a deal, and an exchange, are followed in an audit where they are plainly
right; whatever else stands in a log is decided again."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from engine import VARIANTS, IllegalCommand, State, advance, decide, next_play, replay
from engine.audit import audit
from engine.audit.command_of_event import find_command
from engine.cards import DECK, Card
from engine.cli.playing import random_command
from engine.commands import Bid, Command, Deal, Defer, Pass, Play, Start
from engine.decider import open_phase
from engine.events import (
    BidDeferred,
    BidMade,
    BidPassed,
    CardPlayed,
    CardsDiscarded,
    DealAccepted,
    DealConceded,
    DealStarted,
    Event,
    ExtraExchanged,
    ExtraKept,
    HandDealt,
    MeldsDeclared,
    MeldsScored,
    StoeckDeclared,
    TrickTaken,
    TurnedTaken,
)
from engine.registry import build_game_context
from engine.rules import GameContext
from tests.engine.random_games import Game, log_of
from tests.engine.tables import Table as Played

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("la-pomme", {}),
    ("lake-constance", {}),
    ("bieter", {"first_hand": 9}),
    ("bieter", {"first_hand": 10}),
    ("differenzler", {"trump": "cut"}),
    ("differenzler", {}),
]


OF_BIDS = {"bieter", "lake-constance"}
WITH_CARDS = MeldsDeclared | MeldsScored | StoeckDeclared


def game(variant: str, options: dict[str, Any], seed: int) -> list[Event]:
    rng, state = random.Random(seed), State()
    log: list[Event] = list(
        advance(state, Start(variant=variant, seats=max(VARIANTS[variant].seats), options=options))
    )
    context = build_game_context(state)
    while not state.over and state.deal < 4:
        seat, legal = next_play(context)
        card = DECK[rng.choice([n for n in range(36) if legal >> n & 1])] if legal else None
        command = Play(seat=seat or 0, card=card) if card else random_command(context, rng)
        if state.deal == 1 and isinstance(command, Bid | Defer):
            command = Pass(seat=command.seat)  # where nobody bids there is a talon in the next deal too
        log += advance(context, command)
    return log


def followed(log: list[Event], at: int) -> tuple[int, State]:
    state = replay(log[:at])
    context = build_game_context(state)
    return open_phase(context).audit_run(context, log, at), state


def deals(log: list[Event]) -> list[tuple[int, int, int]]:
    """Where a deal begins, where its hands end, and where what is laid out ends."""
    found = []
    for at, event in enumerate(log):
        if isinstance(event, DealStarted):
            hands = at + 1 + sum(isinstance(e, HandDealt) for e in log[at + 1 : at + 5])
            found.append((at, hands, at + followed(log, at)[0]))
    return found


def forged(event: Any) -> list[Any]:
    """An event with something else in one of its fields."""
    made = [replace(event, seq=event.seq + 1), DealStarted(seq=event.seq, deal=9, dealer=0)]
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if isinstance(value, list) and value:
            made += [replace(event, **{name: changed}) for changed in (value[:-1], [*value[1:], value[1]])]
            made += [replace(event, **{name: None})] if name in ("cards", "closed") else []
        elif name in ("size", "seat") and value is not None:
            made.append(replace(event, **{name: value + 1}))
    return made


@pytest.mark.parametrize(("variant", "options"), GAMES)
def test_what_is_laid_out_is_followed_with_the_hands(variant: str, options: dict[str, Any]) -> None:
    log = game(variant, options, 3)
    assert len(deals(log)) > 1
    for at, hands, end in deals(log):
        assert end >= hands > at
        assert followed(log, at)[1] == replay(log[:end])


@pytest.mark.parametrize(("variant", "options"), GAMES)
def test_whatever_else_is_laid_out_is_left_to_be_decided_again(variant: str, options: dict[str, Any]) -> None:
    log = game(variant, options, 3)
    tried = 0
    for at, hands, end in deals(log)[:2]:
        assert followed(log[:hands], at)[0] == 0
        for place in range(hands, end):
            for wrong in forged(log[place]):
                count, state = followed([*log[:place], wrong, *log[place + 1 :]], at)
                assert count == 0, (log[place], wrong)
                assert state == replay(log[:at])
                tried += 1
    assert tried


def test_after_an_auction_without_a_bid_its_dealer_is_followed_once_more_and_nobody_else() -> None:
    played = Played("lake-constance", seats=2)
    played.do(Deal(deck=[*DECK], dealer=0))
    for _ in range(2):
        played.do(Pass(seat=played.turn))
    at = len(played.log)
    dealt: list[Any] = played.do(Deal(deck=[*DECK]))
    assert followed(played.log, at) == (len(dealt), played.state)
    others = [replace(event, seat=1 - event.seat) for event in dealt[1:]]
    assert followed([*played.log[:at], replace(dealt[0], dealer=1), *others], at)[0] == 0


@pytest.mark.parametrize("left", ["D6", "D7", "SA", "CA"])
def test_a_card_that_lies_twice_is_not_followed_whichever_is_left_in_the_deck(left: Card) -> None:
    played = Played("la-pomme", seats=2)
    played.do(Deal(deck=[*(card for card in DECK if card != left), left], dealer=1))
    assert followed(played.log, 1) == (len(played.log) - 1, played.state)
    first, second = played.log[2:4]
    assert isinstance(first, HandDealt)
    assert isinstance(second, HandDealt)
    assert first.cards
    assert second.cards
    twice = sorted([*second.cards[1:], first.cards[-1]], key=DECK.index)
    assert followed([*played.log[:3], replace(second, cards=twice), *played.log[4:]], 1)[0] == 0


def exchanges(log: list[Event]) -> list[int]:
    return [at for at, event in enumerate(log) if isinstance(event, ExtraExchanged | ExtraKept)]


WRONG: list[Callable[[Any], Any]] = [
    lambda event: replace(event, seq=event.seq + 1),
    lambda event: replace(event, seat=1 - event.seat),
    lambda event: DealStarted(seq=event.seq, deal=9, dealer=0),
]
WRONG_CARDS: list[Callable[[Any], Any]] = [
    lambda event: replace(event, size=event.size + 1),
    lambda event: replace(event, given=None),
    lambda event: replace(event, given=event.taken),
    lambda event: replace(event, given=event.given[::-1]),
    lambda event: replace(event, taken=event.given),
]


def test_only_a_plain_exchange_is_followed() -> None:
    kinds, plain = set(), 0
    for seed in range(12):
        log = game("la-pomme", {}, seed)
        for at in exchanges(log):
            event, after = log[at], log[at + 1]
            assert isinstance(event, ExtraExchanged | ExtraKept)
            count, state = followed(log, at)
            takes = isinstance(after, TurnedTaken) and after.seat == event.seat
            assert count == 1 + takes
            assert state == replay(log[: at + count])
            kinds.add(type(event))
            plain += count
            wrong = TurnedTaken(seq=at + 1, seat=event.seat, six="S6", card="SA")
            if isinstance(after, TurnedTaken) and takes:
                wrong = replace(after, card=after.six)
            assert followed([*log[: at + 1], wrong, *log[at + 2 :]], at)[0] == 0, "no such card is taken"
            for change in WRONG + (WRONG_CARDS if isinstance(event, ExtraExchanged) else []):
                assert followed([*log[:at], change(event), *log[at + 1 :]], at)[0] == 0
    assert plain
    assert kinds == {ExtraExchanged, ExtraKept}


def said(context: GameContext) -> list[Event]:
    """Whatever could be said next in an auction, by the rules or not."""
    state = context.state
    seq, last = state.seq, state.variant_state.bids[-1][1] if state.variant_state.bids else 0
    found: list[Event] = [BidMade(seq=seq + 1, seat=0, points=last + 100)]
    for seat in range(state.seats):
        found += [BidPassed(seq=seq, seat=seat), BidDeferred(seq=seq, seat=seat)]
        found += [BidMade(seq=seq, seat=seat, points=last + more) for more in (-5, 0, 1, 5, 7, 10, 60, 500)]
    return found


@pytest.mark.parametrize(("variant", "options"), [game for game in GAMES if game[0] in OF_BIDS])
def test_in_an_auction_is_followed_what_would_be_decided(variant: str, options: dict[str, Any]) -> None:
    verdicts = set()
    for seed in range(6):
        log = game(variant, options, seed)
        for at in [
            at for at, event in enumerate(log) if isinstance(event, BidMade | BidPassed | BidDeferred)
        ]:
            context = build_game_context(replay(log[:at]))
            for word in said(context):
                try:
                    expected = decide(context, find_command(context, [*log[:at], word], at))
                except IllegalCommand:
                    expected = []
                right = expected[:1] == [word]
                for rest in (expected[1:], [DealStarted(seq=at + 1, deal=9, dealer=0)]):
                    count, state = followed([*log[:at], word, *rest], at)
                    whole = right and (len(expected) == 1 or rest == expected[1:])
                    assert count == (len(expected) if whole else 0), (word, rest)
                    assert state == replay([*log[:at], *expected[:count]])
                    verdicts.add((type(word), bool(count), len(expected)))
    won = 3 if variant == "bieter" else 2  # a talon is taken with it
    assert {(BidMade, True, 1), (BidPassed, True, 1), (BidPassed, True, won), (BidMade, False, 0)} <= verdicts


def test_a_declarer_who_plays_on_is_followed() -> None:
    found = 0
    for seed in range(6):
        log = game("bieter", {}, seed)
        for at, event in enumerate(log):
            if isinstance(event, DealAccepted):
                assert followed(log, at)[0] == 1
                for wrong in (replace(event, seat=(event.seat + 1) % 3), replace(event, seq=at + 1)):
                    assert followed([*log[:at], wrong], at)[0] == 0
                found += 1
    assert found


def test_a_first_deal_is_followed_where_its_forehand_may_be_it() -> None:
    log = game("schieber", {}, 1)
    marked = sum(isinstance(event, HandDealt) for event in log[:6])
    assert followed(log, 1)[0] == 1 + marked
    begun = log[1]
    assert isinstance(begun, DealStarted)
    for dealer in (*range(4), 4, -1):
        wrong = replace(begun, dealer=dealer)
        order = [replace(hand, seq=2 + turn) for turn, hand in enumerate(in_turn(log[2:6], dealer))]
        assert bool(followed([log[0], wrong, *order, *log[6:]], 1)[0]) is (dealer == begun.dealer)
    assert followed([replace(log[0], won_before=0), *log[1:]], 1)[0] == 0


def in_turn(hands: list[Any], dealer: int) -> list[Any]:
    return sorted(hands, key=lambda hand: (hand.seat - dealer - 1) % len(hands))


def test_the_first_dealer_of_a_game_without_a_marked_card_is_who_is_named() -> None:
    log = game("la-pomme", {}, 1)
    begun = log[1]
    assert isinstance(begun, DealStarted)
    for dealer in (0, 1, 2, -1):
        order = [replace(e, seq=2 + turn) for turn, e in enumerate(in_turn(log[2:4], dealer))]
        extra = [replace(e, seq=4 + turn) for turn, e in enumerate(in_turn(log[4:6], dealer))]
        count, _ = followed([log[0], replace(begun, dealer=dealer), *order, *extra, *log[6:]], 1)
        assert count == (7 if dealer in (0, 1) else 0)


def test_a_declarer_who_gives_the_deal_away_is_followed_with_what_it_costs() -> None:
    ends = set()
    for seed in range(12):
        log = whole_game("bieter", seed)
        for at, event in enumerate(log):
            if not isinstance(event, DealConceded):
                continue
            count, state = followed(log, at)
            assert count >= 2
            assert state == replay(log[: at + count])
            ends.add(count)
            other = (event.seat + 1) % 3
            for change in ({"seat": other}, {"seq": at + 1}, {"points": 157 + 177 - event.points}):
                count, state = followed([*log[:at], replace(event, **change), *log[at + 1 :]], at)
                assert (count, state) == (0, replay(log[:at]))
            for place in range(at + 1, at + max(ends) - 1):
                wrong = replace(log[place], totals=[1, 2])
                count, state = followed([*log[:place], wrong, *log[place + 1 :]], at)
                assert (count, state) == (0, replay(log[:at]))
    assert ends == {2, 3}, "it goes on, or the others have won with it"


def test_a_declarer_who_puts_cards_away_is_followed_where_he_holds_them() -> None:
    found = 0
    for seed in range(6):
        log = game("bieter", {}, seed)
        for at, event in enumerate(log):
            if not isinstance(event, CardsDiscarded):
                continue
            count, state = followed(log, at)
            assert (count, state) == (1, replay(log[: at + 1]))
            cards = event.cards or []
            not_held = next(DECK[card] for card in range(36) if not held(log[:at], event.seat) >> card & 1)
            changes: list[dict[str, Any]] = [
                {"seat": (event.seat + 1) % 3}, {"seq": at + 1}, {"size": len(cards) + 1}, {"cards": None},
                {"cards": cards[::-1]}, {"cards": cards[1:], "size": len(cards) - 1},
                {"cards": sorted([*cards[1:], not_held], key=DECK.index)}, {"cards": [cards[0], *cards[:-1]]},
            ]  # fmt: skip
            for change in changes:
                assert followed([*log[:at], replace(event, **change), *log[at + 1 :]], at)[0] == 0, change
            found += 1
    assert found


def held(log: list[Event], seat: int) -> int:
    return replay(log).hands[seat]


def whole_game(variant: str, seed: int) -> list[Event]:
    return log_of(Game(variant, None, max(VARIANTS[variant].seats)), seed)


def decided_again(log: list[Event], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kinds of events of a log whose command an audit makes out and decides."""
    found: list[str] = []

    def cause(context: GameContext, log: list[Event], at: int) -> Command:
        found.append(type(log[at]).__name__)
        return find_command(context, log, at)

    monkeypatch.setattr("engine.audit.find_command", cause)
    assert audit(log) is None
    return found


@pytest.mark.parametrize("variant", ["bieter", "lake-constance", "la-pomme", "coiffeur"])
def test_cards_of_tricks_that_end_nothing_and_go_with_no_word_are_not_decided_one_by_one(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(4):
        log = whole_game(variant, seed)
        tricks = [type(event) for event in log if isinstance(event, CardPlayed | TrickTaken | WITH_CARDS)]
        seats = max(VARIANTS[variant].seats)
        plain = [CardPlayed] * seats + [TrickTaken]
        most = 0
        while tricks:
            if tricks[: seats + 1] == plain:
                del tricks[: seats + 1]
            else:
                most += tricks.pop(0) is CardPlayed
        reaching = 2 * seats if variant == "bieter" else 0  # the one before discards count, and the last
        assert decided_again(log, monkeypatch).count("CardPlayed") <= most + reaching
