"""Where the most and the fewest points pay, bots evaluate a card by random playouts of possible hands."""

import random
from collections.abc import Sequence
from functools import partial

import pytest

from engine import Observer, State, advance, cards, decode_command, next_play, redact_events, replay, rollout
from engine.commands import Play
from engine.events import Event
from games.bots.playouts import by_chance
from games.bots.playouts.card_rollouts import build_scene
from games.bots.playouts.worlds import GuessedWorld
from games.bots.reckoning import knowledge
from games.bots.rollout_decisions import think
from tests.bench import bots
from tests.engine.random_games import EFFORT, GAMES, Game, turns_of

ALONE = [game for game in GAMES if game.variant in ("plus-minus", "differenzler")]
OPTIONS: list[dict[str, str]] = [{}, {"undertrump": "only-trumps"}]


def dealt(seats: int, options: dict[str, str], deck: list[str]) -> list[Event]:
    """The log of a game of Plus-Minus in which forehand, seat 0, is to lead."""
    state = State()
    start = {"cmd": "start", "variant": "plus-minus", "seats": seats, "options": options}
    deal = {"cmd": "deal", "deck": deck, "dealer": seats - 1}
    return [event for command in (start, deal) for event in advance(state, decode_command(command))]


def played(log: list[Event], card: int) -> list[Event]:
    state = replay(log)
    seat = next_play(state)[0]
    assert seat is not None
    return [*log, *advance(state, Play(seat=seat, card=cards.DECK[card]))]


def seen(log: list[Event], seat: int) -> knowledge.Sight:
    """What a seat knows, from its own view."""
    return knowledge.build_knowledge(replay(redact_events(log, Observer.seat(seat))), seat)


def first_of(orders: Sequence[Sequence[int]], seat: int, legal: int) -> int:
    return next(card for card in orders[seat] if legal >> card & 1)


@pytest.mark.parametrize("game", ALONE, ids=str)
def test_a_deal_played_by_chance_ends_as_the_rules_end_it(game: Game) -> None:
    tried = 0
    for seed in range(EFFORT):
        for state, seat, legal, roll in turns_of(game, seed):
            world = GuessedWorld(tuple(state.hands[: state.seats]))
            orders = by_chance.draw_orders(world, roll.random)
            scene = build_scene(state, knowledge.build_knowledge(state, seat))
            end = by_chance.play_by_chance(scene, world, first_of(orders, seat, legal), orders)
            there = state.copy()
            rollout(there, partial(first_of, orders))
            record = there.records[-1]
            assert tuple(end.points) == record.card_points
            assert end.takers == sum({1 << (trick.taker or 0) for trick in record.tricks})
            tried += 1
    assert tried


@pytest.mark.parametrize("options", OPTIONS, ids=["forced", "only-trumps"])
@pytest.mark.parametrize("seats", [3, 4])
def test_nobody_is_taken_to_lack_a_card_that_he_holds(seats: int, options: dict[str, str]) -> None:
    excluded = 0
    for seed in range(3 * EFFORT):
        log, roll = dealt(seats, options, bots.duel_deck(b"both ends", seed)), random.Random(seed)
        state = replay(log)
        while (turn := next_play(state))[0] is not None:
            look = seen(log, turn[0])
            for other in range(seats):
                if other != turn[0]:
                    assert not state.hands[other] & ~look.may[other]
                    excluded += (look.unseen & ~look.may[other]).bit_count()
            log = played(log, roll.choice(cards.members(turn[1])))
            state = replay(log)
    assert excluded


HANDS = (
    "H6 H7 H8 H9 H10 HJ HQ HK D6",
    "D7 D8 D9 S6 S7 S8 C6 C7 C8",
    "HA D10 DJ S9 S10 SJ C9 C10 CJ",
    "DQ DK DA SQ SK SA CQ CK CA",
)


def after(*codes: str, options: dict[str, str]) -> list[Event]:
    deck = [card for packet in (0, 3, 6) for hand in HANDS for card in hand.split()[packet : packet + 3]]
    log = dealt(4, options, deck)
    for code in codes:
        log = played(log, cards.DECK.index(code))
    return log


@pytest.mark.parametrize("options", OPTIONS, ids=["forced", "only-trumps"])
def test_who_makes_trumps_shows_that_he_has_none_of_the_suit_led(options: dict[str, str]) -> None:
    log = after("H6", "D7", options=options)
    assert not seen(log, 2).may[1] & cards.SUIT_MASK[1]
    assert seen(log, 2).may[3] & cards.SUIT_MASK[1]


def test_who_trumps_lower_than_what_lies_there_shows_that_he_had_to() -> None:
    assert not seen(after("H6", "D9", "HA", "DQ", options={}), 1).may[3] & cards.SUIT_MASK[1]
    assert seen(after("H6", "D7", "HA", "DQ", options={}), 1).may[3] & cards.SUIT_MASK[1]


@pytest.mark.long
def test_chance_is_beaten_clearly_where_both_ends_pay() -> None:
    figure = bots.duel(think, bots.random_legal, 100, b"both ends", {}, "plus-minus", 4).ahead
    print(figure)
    assert figure.value - figure.within > 0.1
