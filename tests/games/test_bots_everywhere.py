"""Bots at every game: an answer to each kind of phase, whole games to their end, better than chance."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from engine import VARIANTS, Observer, State, advance, cards, decode_command, redact_events, replay, to_act
from engine.commands import (
    Accept,
    Bid,
    Choose,
    ClaimOut,
    Command,
    Concede,
    Defer,
    Discard,
    Exchange,
    Keep,
    Pass,
    Play,
    Predict,
    Push,
    Stop,
)
from engine.events import Event
from games.bots import choose
from games.bots.reckoning import knowledge
from games.bots.reckoning.guessed_hands import guess_hands
from tests.bench import bots

SEED = b"a seed of the test"
SMALL: dict[str, dict[str, Any]] = {
    "schieber": {"target": 600, "claim_out": "required"},
    "bieter": {"opponents_target": 500, "minimum_bid": 200},
    "differenzler": {"deals": 12},
}
"""Options that make whole games short, where no preset says otherwise."""
TABLES = [
    pytest.param(
        key,
        seats,
        {"preset": preset} if preset else {"options": SMALL.get(key, {})},
        id=f"{key}-{seats}-{preset}",
    )
    for key, game in VARIANTS.items()
    for seats in game.seats
    for preset in ("", *game.presets)
]
FURTHER = [
    (
        "schieber",
        4,
        {"target": None, "deals": 3, "contracts": ["slalom-obenabe", "guschti-undenufe", "hearts"]},
    ),
    ("bieter", 3, {"first_hand": 10, "first_lead": "forehand", "minimum_bid": 100_000}),
    ("bieter", 3, {"melds": False, "stoeck": False, "undertrump": "forced", "minimum_bid": 10}),
    ("differenzler", 4, {"deals": 4, "sealed_predictions": True, "stoeck": True, "exact_bonus": 10}),
    ("differenzler", 3, {"deals": 3, "trump": "cut", "turned_contracts": {"A": "obenabe", "6": "undenufe"}}),
    ("coiffeur", 3, {"melds": True, "stoeck": True, "sweep_bonus": 100, "lead": "declarer"}),
    ("la-pomme", 2, {"goal": "apples", "puur_value": 20}),
    ("plus-minus", 4, {"undertrump": "only-trumps"}),
    ("lake-constance", 2, {"no_trumps": True, "undenufe_values": "six", "minimum_bid": 155}),
]
LONGEST = 200


def decks(name: bytes) -> Iterator[list[str]]:
    return (bots.duel_deck(name, number) for number in count())


def after(key: str, seats: int, *commands: object, options: dict[str, Any] | None = None) -> list[Event]:
    """A game in which these commands were given; a list is a deck, "bot" what the bot does."""
    state = State()
    log: list[Event] = []
    start = {"cmd": "start", "variant": key, "seats": seats, "options": options or {}}
    for command in (start, *commands):
        asked = command if isinstance(command, dict) else {"cmd": "deal", "deck": command}
        given: Command = chosen(log) if command == "bot" else decode_command(asked)
        log += advance(state, given)
    return log


def chosen(log: list[Event]) -> Command:
    """What the bot whose turn it is does, from its own view."""
    turn = to_act(replay(log))
    assert turn is not None
    assert turn.seat is not None
    return choose(replay(redact_events(log, Observer.seat(turn.seat))), turn.seat, SEED)


def stacked(*shares: str, seats: int, size: int) -> list[str]:
    """A deck that gives forehand the first share, the next seat the second, and so on; the rest fill up."""
    given = [share.split() for share in shares] + [[] for _ in range(seats - len(shares))]
    named = {card for share in given for card in share}
    rest = [card for card in cards.DECK if card not in named]
    for share in given:
        while len(share) < size:
            share.append(rest.pop(0))
    packets = [share[at : at + 3] for at in range(0, size, 3) for share in given]
    return [card for packet in packets for card in packet] + rest


@pytest.mark.long(7)
@pytest.mark.parametrize(("key", "seats", "chosen_options"), TABLES)
def test_bots_play_whole_games_to_their_end(key: str, seats: int, chosen_options: dict[str, Any]) -> None:
    state = bots.game_played(
        [choose] * seats, {"variant": key, **chosen_options}, decks(key.encode()), SEED, LONGEST
    )
    assert state.over


@pytest.mark.slow
@pytest.mark.parametrize(("key", "seats", "options"), FURTHER)
def test_bots_play_further_options_to_the_end(key: str, seats: int, options: dict[str, Any]) -> None:
    start = {"variant": key, "options": options}
    played = [bots.game_played([choose] * seats, start, decks(b"more"), SEED, LONGEST) for _ in range(2)]
    assert played[0].over
    assert played[0] == played[1]


MARGINS = [
    ("schieber", 4, 400, 0.75, 0.75),
    ("bieter", 3, 500, 0.58, 0.7),
    ("differenzler", 3, 300, 0.75, 0.95),
    ("differenzler", 4, 300, 0.75, 0.95),
    ("coiffeur", 3, 240, 0.5, 0.95),
    ("coiffeur", 4, 240, 0.5, 0.95),
    ("la-pomme", 2, 300, 0.7, 0.9),
    ("plus-minus", 3, 150, 0.6, 0.75),
    ("plus-minus", 4, 150, 0.57, 0.65),
    ("lake-constance", 2, 240, 0.8, 0.95),
]


@pytest.mark.long(3)
@pytest.mark.parametrize(("key", "seats", "deals", "won", "games_won"), MARGINS)
def test_bots_beat_chance_clearly_in_every_game(
    key: str, seats: int, deals: int, won: float, games_won: float
) -> None:
    options = bots.SIMPLE if key == "schieber" else {}
    figure = bots.duel(choose, bots.random_legal, deals, b"deals of the test", options, key, seats)
    print(figure)
    assert figure.won.value >= won
    assert figure.games_won.value > games_won


STRONG = "HJ H9 HA HK HQ H8 DA SA CA"
WEAK = "D6 D7 D10 H7 H10 S7 S10 C8 C10"


def test_a_strong_hand_bids_the_least_and_a_weak_one_passes() -> None:
    assert chosen(after("bieter", 3, stacked(STRONG, seats=3, size=9))) == Bid(seat=0, points=500)
    assert chosen(after("bieter", 3, stacked(WEAK, seats=3, size=9))) == Pass(seat=0)


def test_a_bid_is_raised_as_far_as_the_hand_goes() -> None:
    deck = stacked(STRONG, seats=3, size=9)
    said = [{"cmd": "bid", "seat": 0, "points": 500}, {"cmd": "bid", "seat": 1, "points": 510}]
    out = {"cmd": "pass", "seat": 2}
    assert chosen(after("bieter", 3, deck, *said, out)) == Bid(seat=0, points=520)
    said[1]["points"] = 700
    assert chosen(after("bieter", 3, deck, *said, out)) == Pass(seat=0)


def test_a_hand_on_the_edge_waits_to_hear_the_others_where_it_may() -> None:
    deck = stacked("HJ HA H8 D6 DA S8 SK C7 C10", seats=3, size=9)

    def answer(minimum: int) -> Command:
        return chosen(after("bieter", 3, deck, options={"minimum_bid": minimum}))

    waits = [points for points in range(300, 700, 10) if answer(points) == Defer(seat=0)]
    assert waits
    assert answer(waits[0] - 10) == Bid(seat=0, points=waits[0] - 10)
    assert answer(waits[-1] + 10) == Pass(seat=0)


def test_after_three_deals_that_nobody_bid_for_somebody_opens() -> None:
    passes = [{"cmd": "pass", "seat": (start + turn) % 3} for start in range(2) for turn in range(3)]
    weak = [stacked("", WEAK, "", seats=3, size=9) for _ in range(3)]
    log = after("bieter", 3, weak[0], *passes[:3], weak[1], *passes[3:], weak[2])
    assert isinstance(chosen(log), Bid)


def test_losers_with_points_are_put_away_and_trumps_and_aces_kept() -> None:
    talon = ["D10", "DK", "S10", "S6", "C10", "C7"]
    deck = stacked("HJ H9 HA HK HQ H8 H7 DA C6", seats=3, size=9)
    dealt = [card for card in deck if card not in talon]
    dealt[27:27] = talon
    bid, out = {"cmd": "bid", "seat": 0, "points": 500}, [{"cmd": "pass", "seat": seat} for seat in (1, 2)]
    put = chosen(after("bieter", 3, dealt, bid, *out))
    assert isinstance(put, Discard)
    assert {"D10", "S10", "C10"} <= set(put.cards)
    assert not {"HJ", "H9", "HA", "HK", "HQ", "DA"} & set(put.cards)
    assert chosen(after("bieter", 3, dealt, bid, *out, "bot")) == Choose(seat=0, contract="hearts")


def test_a_prediction_grows_with_the_hand() -> None:
    strong = chosen(after("differenzler", 4, stacked(STRONG, "D7", "D8", "D9 H6 H7", seats=4, size=9)))
    weak = chosen(after("differenzler", 4, stacked("D6 D7 S6 S7 S8 C6 C7 C8 H6", seats=4, size=9)))
    assert isinstance(strong, Predict)
    assert isinstance(weak, Predict)
    assert weak.points is not None
    assert strong.points is not None
    assert weak.points < 25 < 80 < strong.points


def test_who_has_what_he_predicted_ducks_and_who_has_not_takes() -> None:
    dealt = stacked(
        "S6 D6 D7 D8 C9 C10 H7 H9 HJ",
        "SK S7 SJ DA CA C8 HA HK HQ",
        "S10 SQ DK DQ CK CQ C7 H10 H8",
        "S8 S9 SA D9 D10 DJ C6 CJ H6",
        seats=4,
        size=9,
    )
    played = [{"cmd": "play", "seat": seat, "card": card} for seat, card in enumerate(["S6", "SK", "S10"])]
    for wanted, expected in ((0, {"S8", "S9"}), (80, {"SA", "H6"})):
        said = [{"cmd": "predict", "seat": seat, "points": wanted} for seat in range(4)]
        card = chosen(after("differenzler", 4, dealt, *said, *played))
        assert isinstance(card, Play)
        assert card.card in expected


def test_bad_cards_are_exchanged_and_good_ones_kept() -> None:
    weak = stacked("D6 D7 D8 S6 S7 S8 C6 C7 CA", seats=2, size=12)
    given = chosen(after("la-pomme", 2, weak))
    assert isinstance(given, Exchange)
    assert "CA" not in given.cards
    strong = "HJ H9 HA HK HQ H8 DA SA CA"
    deck = stacked(strong, seats=2, size=12)
    at = deck.index("H7")
    deck[24], deck[at] = deck[at], deck[24]
    assert isinstance(chosen(after("la-pomme", 2, deck)), Keep)


def test_the_turned_card_is_taken_for_the_six() -> None:
    deck = stacked("H6 H9 HA HK HQ H8 DA SA CA", seats=2, size=12)
    at = deck.index("HJ")
    deck[24], deck[at] = deck[at], deck[24]
    taken = chosen(after("la-pomme", 2, deck))
    assert isinstance(taken, Keep | Exchange)
    assert taken.take_turned


def test_a_dear_slot_is_played_with_a_good_hand_and_a_bad_one_is_pushed() -> None:
    good = chosen(after("coiffeur", 4, stacked("CJ C9 CA CK CQ C8 DA S6 H6", seats=4, size=9)))
    assert isinstance(good, Choose)
    assert good.contract == "clubs"
    assert good.slot in ("clubs", "joker7", "joker8")
    bad = stacked("D8 D10 DJ H8 H10 HQ S9 S10 C10", seats=4, size=9)
    assert chosen(after("coiffeur", 4, bad)) == Push(seat=0)
    pushes = [{"cmd": "push", "seat": seat} for seat in range(4)]
    assert isinstance(chosen(after("coiffeur", 4, bad, *pushes)), Choose)


def test_a_hopeless_deal_is_given_away_unless_that_loses_the_game() -> None:
    bid, out = {"cmd": "bid", "seat": 0, "points": 500}, [{"cmd": "pass", "seat": seat} for seat in (1, 2)]
    first = [stacked("", seats=3, size=9), bid, *out, *["bot"] * 29]
    second = stacked("", "", "D6 D7 D8 H6 H7 H8 S6 S7 S8 C6 C7 C8", seats=3, size=12)
    hopeless = after("bieter", 3, *first, second)
    assert chosen(hopeless) == Concede(seat=0)
    near = {"opponents_target": replay(hopeless).totals[1] + 150}
    assert chosen(after("bieter", 3, *first, second, options=near)) == Accept(seat=0)


def test_a_deal_that_is_won_is_stopped_and_a_game_that_is_won_is_claimed() -> None:
    logs = {}
    for key, seats, options in (("lake-constance", 2, {}), ("schieber", 4, SMALL["schieber"])):
        seen: list[object] = []

        def noted(state: State, seat: int, seed: bytes, seen: list[object] = seen) -> Any:
            seen.append(choose(state, seat, seed))
            return seen[-1]

        bots.game_played([noted] * seats, {"variant": key, "options": options}, decks(b"end"), SEED)
        logs[key] = {type(command) for command in seen}
    assert Stop in logs["lake-constance"]
    assert ClaimOut in logs["schieber"]


def test_a_guess_gives_everybody_what_he_may_hold_and_all_cards_even_if_that_cannot_be() -> None:
    log = after("plus-minus", 3, stacked("", seats=3, size=12))
    view = replay(redact_events(log, Observer.seat(0)))
    to_act(view)  # gives it its rules
    look = knowledge.build_knowledge(view, 0)
    roll = random.Random(1)
    spades = cards.SUIT_MASK[2]
    without = replace(look, may=(0, look.unseen & ~spades, look.unseen))
    hands, _ = guess_hands(without, roll)
    assert [hand.bit_count() for hand in hands] == [12, 12, 12]
    assert not hands[1] & spades
    assert hands[0] | hands[1] | hands[2] == cards.ALL
    impossible = replace(look, may=(0, 0, look.unseen))
    assert [hand.bit_count() for hand in guess_hands(impossible, roll)[0]] == [12, 12, 12]
