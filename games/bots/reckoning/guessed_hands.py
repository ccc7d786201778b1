"""Guesses at the hidden hands after the cards played so far."""

import random
from collections.abc import Sequence
from typing import Final

from engine.cards import members
from games.bots.reckoning.knowledge import Sight

MAX_TRIES: Final = 20
"""Attempts to deal hands without cards that a seat cannot hold."""


def guess_hands(sight: Sight, roll: random.Random) -> tuple[tuple[int, ...], list[int]]:
    """Return, by seat, the mask of a hand, and the cards without a holder. After MAX_TRIES failures a hand
    may contradict `sight`.
    """
    for _ in range(MAX_TRIES):
        hands, rest, all_given = _given_out(sight, roll, sight.may)
        if all_given:
            return hands, rest
    hands, rest, _ = _given_out(sight, roll, [sight.unseen] * sight.seats)
    return hands, rest


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
