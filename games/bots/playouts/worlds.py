"""Guesses at the hidden cards: hands that are possible after the cards played so far."""

import random
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine import State
from engine.cards import members
from games.bots.reckoning.knowledge import Sight

MAX_TRIES: Final = 20
"""Attempts to deal the hidden cards without giving a seat a card that it has shown not to hold."""
NOTHING_UNDER: Final = (0,) * 36


class GuessedWorld(NamedTuple):
    """A guess, as masks. `hands`: the hand of each seat. `under`: for each of the 36 cards, the closed card
    that lies under it on the table.
    """

    hands: tuple[int, ...]
    under: tuple[int, ...] = NOTHING_UNDER


def guess(state: State, sight: Sight, roll: random.Random) -> GuessedWorld:
    """Return one possible distribution of the hidden cards."""
    for _ in range(MAX_TRIES):
        hands, rest, all_given = _given_out(sight, roll, sight.may)
        if all_given:
            break
    else:
        hands, rest, _ = _given_out(sight, roll, [sight.unseen] * sight.seats)
    return _with_table(state, GuessedWorld(hands), rest, roll)


def _given_out(
    sight: Sight, roll: random.Random, may: Sequence[int]
) -> tuple[tuple[int, ...], list[int], bool]:
    """Return the hands, the cards without a holder, and whether all hands are full. Every seat holds only
    cards that `may` allows it.
    """
    hands = [sight.hand if seat == sight.seat else sight.known[seat] for seat in range(sight.seats)]
    room = [0 if seat == sight.seat else left for seat, left in enumerate(sight.left)]
    unseen = members(sight.unseen & ~sum(sight.known))
    roll.shuffle(unseen)
    unseen.sort(key=lambda card: sum(mask >> card & 1 for mask in may))
    rest = []
    for card in unseen:
        able = [seat for seat, free in enumerate(room) if free and may[seat] >> card & 1]
        if not able:
            rest.append(card)
            continue
        seat = able[0]
        if len(able) > 1:
            at = int(roll.random() * sum(room[s] for s in able))
            for seat in able:
                at -= room[seat]
                if at < 0:
                    break
        hands[seat] |= 1 << card
        room[seat] -= 1
    return tuple(hands), rest, not any(room)


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
