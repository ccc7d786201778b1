"""Rollouts of the rest of a deal in guessed distributions of the hidden cards. They serve games in which
several sides play for themselves, or in which more points are sometimes better and sometimes worse. The rules
score each end.
"""

import random
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from engine import State, advance, cards, rollout
from engine.cards import members
from engine.commands import Play
from engine.registry import get_rules
from games.bots.reckoning import chance
from games.bots.reckoning.knowledge import Sight

GUESSES: Final = 12
"""Number of guessed distributions in which every legal card is tried."""
MAX_TRIES: Final = 20
"""Attempts to deal the hidden cards without giving a seat a card that it has shown not to hold."""


class Guess(NamedTuple):
    """A guessed distribution of the hidden cards. `hands`: a mask of cards per seat. `seed`: the seed of the
    random plays in its rollouts.
    """

    hands: tuple[int, ...]
    seed: int


def ratings(state: State, sight: Sight, legal: int, seed: bytes) -> dict[int, float]:
    """Return the rating of each legal card, by number: the expected lead of the seat's score over the average
    of the others.
    """
    roll = random.Random(chance.number(seed, "guess", state.seq, sight.seat))  # noqa: S311 - a bot guesses, it deals no cards
    worlds = [Guess(_guess(sight, roll), roll.getrandbits(32)) for _ in range(GUESSES)]
    return {
        card: sum(_tried(state, sight, card, world) for world in worlds) / GUESSES for card in members(legal)
    }


def _guess(sight: Sight, roll: random.Random) -> tuple[int, ...]:
    """Return, by seat, the mask of a possible hand."""
    for _ in range(MAX_TRIES):
        hands, all_given = _given_out(sight, roll, sight.may)
        if all_given:
            return hands
    return _given_out(sight, roll, [sight.unseen] * sight.seats)[0]


def _given_out(sight: Sight, roll: random.Random, may: Sequence[int]) -> tuple[tuple[int, ...], bool]:
    """Return hands in which every seat holds only cards that `may` allows it, and whether all hands are
    full.
    """
    hands = [sight.hand if seat == sight.seat else sight.known[seat] for seat in range(sight.seats)]
    room = [0 if seat == sight.seat else left for seat, left in enumerate(sight.left)]
    unseen = members(sight.unseen & ~sum(sight.known))
    roll.shuffle(unseen)
    unseen.sort(key=lambda card: sum(mask >> card & 1 for mask in may))
    for card in unseen:
        able = [seat for seat, free in enumerate(room) if free and may[seat] >> card & 1]
        if able:
            seat = roll.choices(able, [room[s] for s in able])[0]
            hands[seat] |= 1 << card
            room[seat] -= 1
    return tuple(hands), not any(room)


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
