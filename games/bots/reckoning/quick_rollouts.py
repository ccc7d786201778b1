"""Rollouts of the rest of a deal in guessed distributions of the hidden cards. They serve games in which
several sides play for themselves, or in which more points are sometimes better and sometimes worse.
"""

import random
from collections.abc import Callable
from typing import Final, NamedTuple

from engine import State, advance, cards, rollout
from engine.cards import members
from engine.commands import Play
from engine.registry import get_rules
from games.bots.reckoning import chance
from games.bots.reckoning.guessed_hands import guess_hands
from games.bots.reckoning.knowledge import Sight

GUESSES: Final = 12
"""Number of guessed distributions in which every legal card is tried."""


class Guess(NamedTuple):
    """A guessed distribution of the hidden cards. `hands`: a mask of cards per seat. `seed`: the seed of the
    random plays in its rollouts.
    """

    hands: tuple[int, ...]
    seed: int


def rate_by_quick_rollouts(state: State, sight: Sight, legal: int, seed: bytes) -> dict[int, float]:
    """Return the rating of each legal card, by number: the expected score of the seat's side less the average
    of the others, negated if fewer points are better.
    """
    roll = random.Random(chance.number(seed, "guess", state.seq, sight.seat))  # noqa: S311 - a bot guesses, it deals no cards
    worlds = [Guess(guess_hands(sight, roll)[0], roll.getrandbits(32)) for _ in range(GUESSES)]
    return {
        card: sum(_tried(state, sight, card, world) for world in worlds) / GUESSES for card in members(legal)
    }


def _tried(state: State, sight: Sight, card: int, world: Guess) -> float:
    """Return the lead of the seat's score after this card, if all seats play random legal cards
    afterwards.
    """
    table = state.copy()
    table.hands[:] = world.hands
    advance(table, Play(seat=sight.seat, card=cards.DECK[card]))
    if table.dealing:
        roll = random.Random(world.seed).random  # noqa: S311 - a bot guesses, it deals no cards
        rollout(table, lambda _, legal: _any(legal, roll))
    scores = [points or 0 for points in table.records[-1].scores]
    rules = get_rules(table)
    own = scores.pop(rules.sides_of(table)[sight.seat])
    return rules.variant.score_direction * (own - sum(scores) / len(scores))


def _any(mask: int, roll: Callable[[], float]) -> int:
    held = members(mask)
    return held[int(roll() * len(held))]
