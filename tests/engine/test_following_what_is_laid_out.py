"""What lies beside the hands of a deal, and an exchange, are followed in an audit where they are plainly
right; whatever else stands in a log is decided again."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from engine import VARIANTS, IllegalCommand, State, advance, decide, next_play, replay
from engine.cards import DECK
from engine.cli.playing import random_command
from engine.command_of_event import cause_of
from engine.commands import Bid, Defer, Pass, Play, Start
from engine.decider import open_phase
from engine.events import (
    BidDeferred,
    BidMade,
    BidPassed,
    DealAccepted,
    DealStarted,
    Event,
    ExtraExchanged,
    ExtraKept,
    HandDealt,
    TalonTaken,
    TurnedTaken,
)
from engine.registry import table_of
from engine.rules import Table

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("la-pomme", {}),
    ("lake-constance", {}),
    ("bieter", {"first_hand": 9}),
    ("bieter", {"first_hand": 10}),
    ("differenzler", {"trump": "cut"}),
    ("differenzler", {}),
]


OF_BIDS = {"bieter", "lake-constance"}


def game(variant: str, options: dict[str, Any], seed: int) -> list[Event]:
    rng, state = random.Random(seed), State()
    log: list[Event] = list(
        advance(state, Start(variant=variant, seats=max(VARIANTS[variant].seats), options=options))
    )
    table = table_of(state)
    while not state.over and state.deal < 4:
        seat, legal = next_play(table)
        card = DECK[rng.choice([n for n in range(36) if legal >> n & 1])] if legal else None
        command = Play(seat=seat or 0, card=card) if card else random_command(table, rng)
        if state.deal == 1 and isinstance(command, Bid | Defer):
            command = Pass(seat=command.seat)  # where nobody bids there is a talon in the next deal too
        log += advance(table, command)
    return log


def followed(log: list[Event], at: int) -> tuple[int, State]:
    state = replay(log[:at])
    table = table_of(state)
    return open_phase(table).audit_run(table, log, at), state


def later_deals(log: list[Event]) -> list[tuple[int, int, int]]:
    """Where a deal begins, where its hands end, and where what is laid out ends."""
    found = []
    for at, event in enumerate(log):
        if isinstance(event, DealStarted) and event.deal > 1:
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
    deals = later_deals(log)
    assert deals
    for at, hands, end in deals:
        assert end >= hands > at
        assert followed(log, at)[1] == replay(log[:end])


@pytest.mark.parametrize(("variant", "options"), GAMES)
def test_whatever_else_is_laid_out_is_left_to_be_decided_again(variant: str, options: dict[str, Any]) -> None:
    log = game(variant, options, 3)
    tried = 0
    for at, hands, end in later_deals(log)[:1]:
        assert followed(log[:hands], at)[0] == 0
        for place in range(hands, end):
            for wrong in forged(log[place]):
                count, state = followed([*log[:place], wrong, *log[place + 1 :]], at)
                assert count == 0, (log[place], wrong)
                assert state == replay(log[:at])
                tried += 1
    assert tried


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
            count, state = followed(log, at)
            takes = isinstance(after, TurnedTaken) and after.seat == event.seat  # type: ignore[attr-defined]
            assert count == 1 + takes
            assert state == replay(log[: at + count])
            kinds.add(type(event))
            plain += count
            wrong: Event = TurnedTaken(seq=at + 1, seat=event.seat, six="S6", card="SA")  # type: ignore[attr-defined]
            if takes:
                wrong = replace(after, card=after.six)  # type: ignore[attr-defined]
            assert followed([*log[: at + 1], wrong, *log[at + 2 :]], at)[0] == 0, "no such card is taken"
            for change in WRONG + (WRONG_CARDS if isinstance(event, ExtraExchanged) else []):
                assert followed([*log[:at], change(event), *log[at + 1 :]], at)[0] == 0
    assert plain
    assert kinds == {ExtraExchanged, ExtraKept}


def said(table: Table) -> list[Event]:
    """Whatever could be said next in an auction, by the rules or not."""
    state = table.state
    seq, last = state.seq, state.extras.bids[-1][1] if state.extras.bids else 0
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
            table = table_of(replay(log[:at]))
            for word in said(table):
                try:
                    expected = decide(table, cause_of(table, [*log[:at], word], at))
                except IllegalCommand:
                    expected = []
                right = expected[:1] == [word]
                for rest in (expected[1:], [DealStarted(seq=at + 1, deal=9, dealer=0)]):
                    count, state = followed([*log[:at], word, *rest], at)
                    whole = right and (len(expected) == 1 or rest == expected[1:])
                    taken_up = any(isinstance(event, TalonTaken) for event in expected)
                    assert count == (len(expected) if whole and not taken_up else 0), (word, rest)
                    assert state == replay([*log[:at], *expected[:count]])
                    verdicts.add((type(word), bool(count), len(expected)))
    assert {(BidMade, True, 1), (BidPassed, True, 1), (BidPassed, True, 2), (BidMade, False, 0)} <= verdicts


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
