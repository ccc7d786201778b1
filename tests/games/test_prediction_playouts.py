"""Bots evaluate a card by playouts in which a player with a prediction plays towards it, and others at
random.
"""

import random
from collections.abc import Sequence
from statistics import fmean

import pytest

from engine import State, advance, cards, next_play, replay
from engine.cards import SUIT_OF
from engine.commands import Play
from engine.contracts import STRENGTH
from engine.tricks.modes import current_mode, strongest
from games.bots import choose
from games.bots.playouts import by_chance
from games.bots.playouts.by_chance import ENOUGH, Aimer
from games.bots.playouts.card_rollouts import build_scene
from games.bots.playouts.worlds import GuessedWorld
from games.bots.reckoning import knowledge
from games.bots.rollout_decisions import think
from tests.bench import bots
from tests.engine.random_games import EFFORT, GAMES, Game, steps_of, turns_of

PREDICTED = [game for game in GAMES if game.variant == "differenzler"]
CLEARLY = 3
"""Points of difference a deal; who plays every card to the most points in thought was 2.2 ahead."""


def by_the_rules(there: State, aimer: Aimer, orders: Sequence[Sequence[int]], legal: int) -> int:
    """The card that whose turn it is plays, found out at the engine's own table."""
    seat, _ = next_play(there)
    if seat != aimer.seat:
        return next(card for card in orders[seat or 0] if legal >> card & 1)
    mode = current_mode(there)
    may = sorted(cards.members(legal), key=lambda c: (STRENGTH[mode][SUIT_OF[c]][c], -c))
    takes = [card for card in may if strongest([*there.trick, card], mode) == len(there.trick)]
    ducks = [card for card in may if card not in takes]
    if aimer.lacks - there.taken[seat] > ENOUGH:
        return takes[-1] if takes else ducks[0]
    if ducks:
        return ducks[-1]
    return takes[-1] if len(there.trick) + 1 == there.seats and there.trick else takes[0]


@pytest.mark.parametrize("game", PREDICTED, ids=str)
def test_a_deal_played_to_what_one_said_ends_as_the_rules_end_it(game: Game) -> None:
    tried = 0
    for seed in range(2 * EFFORT):
        for state, seat, legal, roll in turns_of(game, seed):
            scene = build_scene(state, knowledge.build_knowledge(state, seat))
            world = GuessedWorld(tuple(state.hands[: state.seats]))
            aimer = Aimer(seat, roll.randrange(80))
            orders = by_chance.draw_orders(world, roll.random)
            orders[seat] = by_chance.sort_by_strength(scene, world.hands[seat])
            first = roll.choice(cards.members(legal))
            end = by_chance.play_by_chance(
                scene, world, first, orders, Aimer(seat, aimer.lacks - scene.taken[seat])
            )
            assert tuple(end.points) == played_out(state, aimer, orders, first)
            tried += 1
    assert tried


def played_out(
    state: State, aimer: Aimer, orders: Sequence[Sequence[int]], first: int
) -> tuple[int | None, ...]:
    """The points by seat when the engine plays the deal out."""
    there, card, deals = state.copy(), first, len(state.records)
    while len(there.records) == deals:
        seat, legal = next_play(there)
        assert seat is not None
        if (there.seq, seat) != (state.seq, aimer.seat):
            card = by_the_rules(there, aimer, orders, legal)
        advance(there, Play(seat=seat, card=cards.DECK[card]))
    return tuple(there.records[-1].card_points)


@pytest.mark.parametrize("game", PREDICTED, ids=str)
def test_who_lacks_much_takes_more_and_who_lacks_nothing_ducks(game: Game) -> None:
    taken: dict[int, list[int]] = {0: [], 157: []}
    roll = random.Random(1)
    for seed in range(8):
        state = State()
        for _, events in steps_of(game, seed):
            replay(events, state)
            seat, _ = next_play(state)
            if seat is None or state.tricks or state.trick:
                continue
            scene = build_scene(state, knowledge.build_knowledge(state, seat))
            world = GuessedWorld(tuple(state.hands[: state.seats]))
            orders = by_chance.draw_orders(world, roll.random)
            orders[seat] = by_chance.sort_by_strength(scene, world.hands[seat])
            for lacks, points in taken.items():
                end = by_chance.play_by_chance(scene, world, -1, orders, Aimer(seat, lacks))
                points.append(end.points[seat])
    assert fmean(taken[157]) > fmean(taken[0]) + 3


@pytest.mark.slow
def test_who_thinks_meets_what_he_said_nearer_than_who_weighs() -> None:
    figure = bots.duel(think, choose, 64, b"as they said", {"deals": 4}, "differenzler", 4).ahead
    print(figure)
    assert figure.value > CLEARLY
