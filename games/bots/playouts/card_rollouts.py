"""Ratings of cards by rollouts, or by search at the end of a deal: every legal card is tried in the same
guessed worlds.
"""

import random
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Final

from engine import State
from engine.cards import members
from engine.registry import build_game_context, get_rules
from games.bots import target_play
from games.bots.playouts import by_chance, endings
from games.bots.playouts.effort import A_WORLD, AN_AIMED_WORLD, MAX_WORLDS
from games.bots.playouts.end_values import build_goodness
from games.bots.playouts.world_rollouts import EVERYTHING, Scene, play_world_out
from games.bots.playouts.worlds import GuessedWorld, guess_world
from games.bots.reckoning import chance
from games.bots.reckoning.knowledge import Sight

UNTOLD: Final = 40
"""Points assumed for a seat whose prediction is sealed: an even share of the deal."""


def search_ending(state: State, sight: Sight, legal: int, seed: bytes) -> dict[int, float] | None:
    """Return the rating of each legal card by a search of all continuations in each world; None if the end of
    the deal is too far away, or too few worlds can be searched.
    """
    tricks = state.sizes[0] - len(state.tricks)
    aim = get_rules(state).variant.aim.points
    camps = _partisan(state, sight) and aim == "most"
    if tricks > (endings.TRICKS_OF_CAMPS if camps else endings.TRICKS_ALONE)[state.seats]:
        return None
    worlds = guess_worlds(state, sight, seed, MAX_WORLDS)
    scene, tried = build_scene(state, sight), members(legal)
    predictions = _told(state, _predicted(state))
    if camps:
        return endings.rate_cards_of_camp(scene, sight.seat, worlds, tried, build_goodness(state, sight.seat))
    likings = [build_goodness(state, seat, predictions=predictions) for seat in range(state.seats)]
    return endings.rate_cards_alone(scene, sight.seat, worlds, tried, likings)


def rate_cards_by_rollouts(
    state: State, sight: Sight, legal: int, seed: bytes, effort: int
) -> dict[int, float]:
    """Return the expected value of each legal card, by the card's number. `effort`: number of cards to play
    in rollouts; it decides how many worlds are tried, from 4 to MAX_WORLDS.
    """
    tried = members(legal)
    rest = sight.hand.bit_count() * state.seats
    count = max(4, min(MAX_WORLDS, effort // (len(tried) * rest)))
    worlds = guess_worlds(state, sight, seed, count)
    scene = build_scene(state, sight)
    predicted = _predicted(state)
    needs = _needs(state, predicted)
    good = build_goodness(state, sight.seat, predictions=_told(state, predicted))
    return {
        card: sum([good(play_world_out(scene, world, card, needs)) for world in worlds]) / count
        for card in tried
    }


def rate_cards_by_random_rollouts(
    state: State, sight: Sight, legal: int, seed: bytes, effort: int
) -> dict[int, float]:
    """Return the expected value of each legal card by random rollouts, in which this seat plays towards its
    prediction, if any.

    The number of worlds, at least 4, does not depend on the number of legal cards: the best of many cards at
    the start of a deal is as hard to find as the best of few at its end.
    """
    scene = build_scene(state, sight)
    good = build_goodness(state, sight.seat, predictions=_told(state, _predicted(state)))
    wanted = target_play.find_wanted_points(state, sight)
    aimer, a_world = by_chance.NOBODY, A_WORLD
    if wanted is not None:
        aimer = by_chance.Aimer(sight.seat, int(wanted) - scene.taken[sight.seat])
        a_world = AN_AIMED_WORLD
    count = max(4, effort // a_world)
    total = dict.fromkeys(members(legal), 0.0)
    for world, orders in guess_worlds_with_orders(state, sight, seed, count, aimer):
        for card in total:
            total[card] += good(by_chance.play_by_chance(scene, world, card, orders, aimer))
    return {card: value / count for card, value in total.items()}


def average_random_points(state: State, sight: Sight, seed: bytes, effort: int) -> float:
    """Return the average points of this seat over random rollouts of the deal."""
    count = max(4, effort // A_WORLD)
    scene = build_scene(state, sight)
    ends = [
        by_chance.play_by_chance(scene, world, -1, orders)
        for world, orders in guess_worlds_with_orders(state, sight, seed, count)
    ]
    return fmean(end.points[sight.seat] for end in ends)


def guess_worlds_with_orders(
    state: State, sight: Sight, seed: bytes, count: int, aimer: by_chance.Aimer = by_chance.NOBODY
) -> Iterator[tuple[GuessedWorld, list[list[int]]]]:
    """Yield `count` guessed worlds, each with a list of every seat's cards. The cards are in random order, or
    strongest first for this seat if it is `aimer`.
    """
    roll = random.Random(chance.number(seed, "by chance", state.seq, sight.seat))  # noqa: S311 - a bot guesses, it deals no cards
    strongest_first = by_chance.sort_by_strength(build_scene(state, sight), sight.hand)
    for world in guess_worlds(state, sight, seed, count):
        orders = by_chance.draw_orders(world, roll.random)
        if aimer.seat == sight.seat:
            orders[aimer.seat] = strongest_first
        yield world, orders


def guess_worlds(state: State, sight: Sight, seed: bytes, count: int) -> list[GuessedWorld]:
    """Return `count` guessed worlds."""
    roll = random.Random(chance.number(seed, "worlds", state.seq, sight.seat))  # noqa: S311 - a bot guesses, it deals no cards
    return [guess_world(state, sight, roll) for _ in range(count)]


def build_scene(state: State, sight: Sight) -> Scene:
    """Return the scene of the current table, from which rollouts start."""
    rules = get_rules(state)
    first = state.trick_seats[0] if state.trick else state.leader
    taken = list(state.taken)
    return Scene(
        rules=rules,
        seats=state.seats,
        size=state.sizes[0],
        contract=state.contract,
        sides=_camps(sight, state),
        against=(_partisan(state, sight) and rules.variant.aim.points == "most",) * state.seats,
        first=build_game_context(state).rules.play.lead(state) if first is None else first,
        lying=tuple(state.trick),
        tricks=tuple((t.taker or 0, tuple(t.cards)) for t in state.tricks) if rules.play.names_trumps else (),
        done=len(state.tricks),
        taken=tuple(taken),
        takers=sum({1 << t.taker for t in state.tricks if t.taker is not None}),
        values=sight.values,
    )


def _camps(sight: Sight, state: State) -> tuple[int, ...]:
    """Return the camp of each seat: 0 or 1, or the seat itself if every seat plays alone."""
    if _partisan(state, sight):
        return tuple(0 if friend else 1 for friend in sight.friends)
    return tuple(range(state.seats))


def _partisan(state: State, sight: Sight) -> bool:
    """Return whether two camps play against each other, so that the points of one are the losses of the
    other.
    """
    rules, camps = get_rules(state), len(set(sight.friends))
    all_against_one = rules.variant.aim.chooser_only and state.chooser is not None
    return camps == 2 and (state.seats == 2 or all_against_one or rules.sides == 2)


def _predicted(state: State) -> list[int | None]:
    """Return the prediction of each seat; None for a seat without a prediction that this seat may know."""
    return [None if p is None or p < 0 else p for p in state.variant_state.predictions[: state.seats]]


def _needs(state: State, predicted: Sequence[int | None]) -> list[int]:
    """Return the points that each seat wants: its prediction if the game has predictions."""
    has_predictions = get_rules(state).variant.aim.points == "predicted"
    if has_predictions and (any(p is not None for p in predicted) or state.variant_state.sealed):
        return [UNTOLD if p is None else p for p in predicted]
    return needs_untold(state)


def needs_untold(state: State) -> list[int]:
    """Return, by seat, the points that it wants if it predicts none: EVERYTHING, or 0 if the fewest points
    win.
    """
    fewest = get_rules(state).variant.aim.points == "fewest"
    return [0 if fewest else EVERYTHING] * state.seats


def _told(state: State, predicted: Sequence[int | None]) -> Sequence[int] | None:
    """Return the points predicted by each of four seats, with UNTOLD for an unknown prediction; None if no
    prediction is known.
    """
    if all(p is None for p in predicted):
        return None
    return [*(UNTOLD if p is None else p for p in predicted), *[0] * (4 - state.seats)]
