"""Guesses at the hidden cards: possible hands, and the closed cards on the table."""

import random
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine import State
from games.bots.reckoning.guessed_hands import guess_hands
from games.bots.reckoning.knowledge import Sight

NOTHING_UNDER: Final = (0,) * 36


class GuessedWorld(NamedTuple):
    """A guess, as masks. `hands`: the hand of each seat. `under`: for each of the 36 cards, the closed card
    that lies under it on the table.
    """

    hands: tuple[int, ...]
    under: tuple[int, ...] = NOTHING_UNDER


def guess_world(state: State, sight: Sight, roll: random.Random) -> GuessedWorld:
    """Return one possible distribution of the hidden cards."""
    hands, rest = guess_hands(sight, roll)
    return _with_table(state, GuessedWorld(hands), rest, roll)


def _with_table(state: State, world: GuessedWorld, rest: Sequence[int], roll: random.Random) -> GuessedWorld:
    """Return the world with the cards of `rest`, which have no holder, as closed cards on the table. A closed
    card whose open card has been played counts as part of the hand: it is turned before its owner plays
    again.
    """
    places = [
        (seat, pile.open)
        for seat, piles in enumerate(state.variant_state.table[: state.seats])
        for pile in piles
        if pile.closed is not None
    ]
    if not places:
        return world
    hands, under = list(world.hands), list(NOTHING_UNDER)
    closed = list(rest)
    roll.shuffle(closed)
    for (seat, open_card), card in zip(places, closed, strict=False):
        if open_card >= 0 and hands[seat] >> open_card & 1:
            under[open_card] = 1 << card
        else:
            hands[seat] |= 1 << card
    return GuessedWorld(tuple(hands), tuple(under))
