"""Bots with analysis: legal in every game, deterministic by view, without hidden hands."""

import random
from itertools import count
from typing import Any

import pytest

from engine import (
    IllegalCommand,
    Observer,
    State,
    advance,
    cards,
    decode_command,
    redact_events,
    replay,
    to_act,
)
from engine.events import Event
from games.bots.playouts.worlds import guess_world
from games.bots.reckoning import knowledge
from games.bots.rollout_decisions import think
from tests.bench import bots

SEED = b"a seed of the test"
LITTLE = 100
"""Little effort: these tests ask whether it is right, not how good it is."""
GAMES = [
    ("schieber", 4, {"target": None, "deals": 1, "contracts": ["slalom-obenabe", "undenufe", "hearts"]}),
    ("schieber", 4, {"target": 300}),
    ("bieter", 3, {"opponents_target": 300, "minimum_bid": 200}),
    ("differenzler", 3, {"deals": 3, "stoeck": True, "exact_bonus": 10}),
    ("differenzler", 4, {"deals": 4, "sealed_predictions": True}),
    ("coiffeur", 3, {}),
    ("la-pomme", 2, {}),
    ("plus-minus", 4, {}),
    ("lake-constance", 2, {"no_trumps": True}),
]


def few_deals(start: dict[str, Any], seats: int, longest: int = 4) -> tuple[State, list[object]]:
    """A game, broken off after so many deals, and all that its players did."""
    done: list[object] = []

    def noted(state: State, seat: int, seed: bytes) -> Any:
        done.append(think(state, seat, seed, LITTLE))
        return done[-1]

    decks = (bots.duel_deck(b"thought", number) for number in count())
    return bots.game_played([noted] * seats, start, decks, SEED, longest), done


@pytest.mark.parametrize(("key", "seats", "options"), GAMES)
def test_every_game_is_played_by_its_rules_and_twice_alike(
    key: str, seats: int, options: dict[str, Any]
) -> None:
    first, done = few_deals({"variant": key, "options": options}, seats)
    assert first.records
    assert few_deals({"variant": key, "options": options}, seats)[1] == done


def worlds_alike(key: str, seats: int, size: int) -> tuple[list[Event], list[Event]]:
    """Two games whose forehand sees the same: the cards of the two seats after it are each other's, but for
    the first of each, which is played."""
    deck = list(bots.duel_deck(b"two worlds", 1))
    held: list[list[int]] = [[] for _ in range(seats)]
    for place in range(seats * size):
        held[place // 3 % seats].append(place)
    other = list(deck)
    for one, two in zip(held[1][:-1], held[2][:-1], strict=True):
        other[one], other[two] = deck[two], deck[one]
    logs = []
    for cards_dealt in (deck, other):
        state, log = State(), []
        options = {**bots.SIMPLE, **bots.SINGLE} if key == "schieber" else {}
        for command in (
            {"cmd": "start", "variant": key, "seats": seats, "options": options},
            {"cmd": "deal", "deck": cards_dealt, "dealer": seats - 1},
        ):
            log += advance(state, decode_command(command))
        logs.append(log)
    return logs[0], logs[1]


@pytest.mark.parametrize(
    ("key", "seats", "size"),
    [("schieber", 4, 9), ("differenzler", 4, 9), ("coiffeur", 3, 12), ("plus-minus", 4, 9)],
)
def test_two_worlds_that_a_seat_cannot_tell_apart_give_the_same_move(key: str, seats: int, size: int) -> None:
    told = []
    for log in worlds_alike(key, seats, size):
        state, moves = replay(log), []
        while (turn := to_act(state)) is not None and turn.seat == 0:
            moves.append(think(replay(redact_events(log, Observer.seat(0))), 0, SEED, LITTLE))
            log += advance(state, moves[-1])
        told.append(moves)
    assert told[0]
    assert told[0] == told[1]


def test_a_guess_is_made_of_what_is_unseen_whatever_else_the_state_holds() -> None:
    log, other = worlds_alike("plus-minus", 4, 9)
    found = []
    for each in (log, other):
        view = replay(redact_events(each, Observer.seat(0)))
        look = knowledge.build_knowledge(view, 0)
        world = guess_world(view, look, random.Random(3))
        assert world.hands[0] == view.hands[0]
        assert sum(world.hands) == cards.ALL
        found.append(world)
    assert found[0] == found[1]


def test_nobody_thinks_for_a_seat_whose_turn_it_is_not() -> None:
    log, _ = worlds_alike("plus-minus", 4, 9)
    with pytest.raises(IllegalCommand) as refused:
        think(replay(redact_events(log, Observer.seat(1))), 1, SEED)
    assert refused.value.code == "games/nothing_to_do"
