"""Bots: legal, deterministic, with a player's knowledge, and clearly better than chance."""

import copy
from typing import Any

import pytest

from engine import (
    Observer,
    State,
    cards,
    decide,
    decode_command,
    encode,
    evolve,
    legal_cards,
    redact_events,
    replay,
    to_act,
)
from engine.commands import Choose, Command, Play, Push
from engine.contracts import CONTRACTS
from engine.events import Event
from games.bots import choose, contract_choice
from games.bots.quick_decisions import anything
from tests.bench import bots

SEED = b"a seed of the test"
ONE = dict.fromkeys(CONTRACTS[:6], 1)
SIMPLE = {"target": None, "deals": 1, "first_forehand": "drawn", "melds": False, "multipliers": ONE}


def table(*hands: str, options: dict[str, object] | None = None) -> list[Event]:
    """A game dealt so that seat 0, forehand, holds the first hand, and so on; the rest fill up."""
    given = [hand.split() for hand in hands] + [[] for _ in range(4 - len(hands))]
    rest = [card for card in cards.DECK if card not in {c for hand in given for c in hand}]
    for hand in given:
        while len(hand) < 9:
            hand.append(rest.pop())
    deck = [hand[3 * packet + i] for packet in range(3) for hand in given for i in range(3)]
    state, log = State(), []
    start = {"cmd": "start", "variant": "schieber", "seats": 4, "options": {**SIMPLE, **(options or {})}}
    for command in (start, {"cmd": "deal", "deck": deck, "dealer": 3}):
        log += follow(state, command)
    return log


def follow(state: State, command: Command | dict[str, Any]) -> list[Event]:
    decoded = decode_command(command) if isinstance(command, dict) else command
    events = decide(state, decoded)
    for event in events:
        evolve(state, event)
    return list(events)


def after(log: list[Event], *commands: dict[str, object]) -> list[Event]:
    state, log = replay(log), list(log)
    for command in commands:
        log += follow(state, command)
    return log


def chosen(log: list[Event], seed: bytes = SEED) -> object:
    """What the bot whose turn it is does, from its own view."""
    turn = to_act(replay(log))
    assert turn is not None
    assert turn.seat is not None
    return choose(replay(redact_events(log, Observer.seat(turn.seat))), turn.seat, seed)


STRONG = "H6 H9 HJ HA HK D6 D7 S6 CA"


def test_a_strong_trump_hand_is_named() -> None:
    assert chosen(table(STRONG)) == Choose(seat=0, contract="hearts")


def test_a_weak_hand_is_pushed_and_the_partner_names() -> None:
    log = table("D7 D8 D10 H7 H8 S8 S10 C8 C10")
    assert chosen(log) == Push(seat=0)
    assert isinstance(chosen(after(log, {"cmd": "push", "seat": 0})), Choose)


def test_aces_are_played_top_down_and_sixes_bottom_up() -> None:
    assert chosen(table("DA DK DQ HA HK SA SK CA C10")) == Choose(seat=0, contract="obenabe")
    assert chosen(table("D6 D7 D8 H6 H7 S6 S7 C6 C8")) == Choose(seat=0, contract="undenufe")


def test_multipliers_move_the_choice() -> None:
    hand = "D6 D9 DJ DA S9 SJ SA H6 C7"
    dear = {**ONE, "spades": 8}
    assert chosen(table(hand)) == Choose(seat=0, contract="diamonds")
    assert chosen(table(hand, options={"multipliers": dear})) == Choose(seat=0, contract="spades")


def test_the_declarer_draws_trumps_from_the_top() -> None:
    log = after(table(STRONG), {"cmd": "choose", "seat": 0, "contract": "hearts"})
    assert chosen(log) == Play(seat=0, card="HJ")


def test_no_trumps_are_led_once_the_opponents_have_none() -> None:
    beat, dario = "H7 D9 D10 DJ S7 S8 S9 C6 C7", "H8 DK DA SQ SK SA CQ CK C8"
    log = after(
        table("H6 H9 HJ HA HK HQ D6 S6 CA", beat, "H10 D7 D8 DQ S10 SJ C9 C10 CJ", dario),
        {"cmd": "choose", "seat": 0, "contract": "hearts"},
        *({"cmd": "play", "seat": seat, "card": card} for seat, card in enumerate(["HJ", "H7", "H10", "H8"])),
    )
    led = chosen(log)
    assert isinstance(led, Play)
    assert led.card == "CA"


def test_the_partner_who_surely_takes_the_trick_gets_points() -> None:
    log = after(
        table("CA C9 C7 D6 D7 D8 H6 H7 H8", "C6 CJ", "C10 C8", "CQ CK"),
        {"cmd": "choose", "seat": 0, "contract": "obenabe"},
        {"cmd": "play", "seat": 0, "card": "CA"},
        {"cmd": "play", "seat": 1, "card": "C6"},
    )
    assert chosen(log) == Play(seat=2, card="C10")


def test_the_opponents_get_the_least_and_a_trick_is_taken_cheaply() -> None:
    log = after(
        table("CK C9 C7 D6 D7 D8 H6 H7 H8", "CA C10 C6", "C8", "CQ CJ"),
        {"cmd": "choose", "seat": 0, "contract": "obenabe"},
        {"cmd": "play", "seat": 0, "card": "CK"},
    )
    assert chosen(log) == Play(seat=1, card="CA")
    log = after(log, {"cmd": "play", "seat": 1, "card": "CA"}, {"cmd": "play", "seat": 2, "card": "C8"})
    assert chosen(log) == Play(seat=3, card="CQ") or chosen(log) == Play(seat=3, card="CJ")


def test_melds_and_stoeck_are_declared() -> None:
    log = after(
        table("HQ HK HA H6 H9 D6 D7 S6 CA", options={"melds": True}),
        {"cmd": "choose", "seat": 0, "contract": "hearts"},
    )
    state = replay(log)
    while not state.over:
        turn = to_act(state)
        assert turn is not None
        assert turn.seat is not None
        view = replay(redact_events(log, Observer.seat(turn.seat)))
        log += follow(state, choose(view, turn.seat, SEED))
    [melds, *_] = [event for event in log if encode(event).find(b'"melds_declared"') > 0]
    assert b'[["HQ","HK","HA"]]' in encode(melds)
    assert any(b'"stoeck_declared"' in encode(event) for event in log)


def test_the_same_place_seat_and_seed_give_the_same_choice_and_the_view_stays_as_it_was() -> None:
    log = table()
    view = replay(redact_events(log, Observer.seat(0)))
    before = copy.deepcopy(view.facts())
    assert choose(view, 0, SEED) == choose(view, 0, SEED) == choose(view.copy(), 0, SEED)
    assert view.facts() == before


def test_two_worlds_that_differ_only_in_what_the_bot_cannot_see_give_the_same_choice() -> None:
    mine = "D6 D9 DJ HA H7 S6 SK C8 CQ"
    one = table(mine, "DA DK DQ D10 D8 D7 HK HQ HJ")
    other = table(mine, "CA CK CJ C10 C9 C7 C6 SA SQ")
    for play in ([], [{"cmd": "choose", "seat": 0, "contract": "diamonds"}]):
        assert chosen(after(one, *play)) == chosen(after(other, *play))


def test_a_phase_nobody_has_taught_it_is_played_by_the_first_thing_the_rules_accept() -> None:
    log = after(table(STRONG), {"cmd": "choose", "seat": 0, "contract": "hearts"})
    state = replay(redact_events(log, Observer.seat(0)))
    found = anything(state, 0, SEED)
    assert isinstance(found, Play)
    assert legal_cards(state, 0) & cards.mask([found.card])


@pytest.mark.parametrize("club", [False, True])
def test_bots_beat_random_legal_play_clearly(club: bool) -> None:
    figure = bots.duel(choose, bots.random_legal, 300, b"deals of the test", {} if club else SIMPLE)
    print(figure)
    assert figure.won.value > 0.7
    assert figure.ours > 1.5 * figure.theirs


def test_what_a_hand_is_worth_grows_with_its_trumps() -> None:
    few = cards.mask(["H9", "HA", "D6", "D7", "D8", "S6", "S7", "S8", "C6"])
    more = cards.mask(["H9", "HA", "HJ", "D7", "D8", "S6", "S7", "S8", "C6"])
    assert (
        contract_choice.estimate_lead(more, "hearts", False)
        > contract_choice.estimate_lead(few, "hearts", False) + 30
    )
