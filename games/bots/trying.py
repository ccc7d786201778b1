"""Playing the rest of a deal out in guesses at the hidden cards: for games that pay a place among the
players, where more points are sometimes better and sometimes worse. The rules say what each end counts.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine import State
from engine.cards import SUIT_NAMES, SUIT_OF, members
from engine.contracts import STRENGTH
from engine.items import count_deal, items_of
from engine.state import Trick
from games.bots import chance
from games.bots.sight import Sight

GUESSES: Final = 12
"""Ways the hidden cards may lie that every card is tried in."""
PATIENCE: Final = 20
"""Tries to give the hidden cards out so that nobody gets what he has shown not to hold."""


class World(NamedTuple):
    """A guess: the hand of every seat, and who does what by chance after that."""

    hands: tuple[int, ...]
    seed: int


def ratings(state: State, sight: Sight, legal: int, seed: bytes) -> dict[int, float]:
    """Each legal card with its rating: by how much the seat's score is likely to pass that of the others."""
    roll = random.Random(chance.number(seed, "guess", state.seq, sight.seat))  # noqa: S311 - a bot's guess
    worlds = [World(_guess(sight, roll), roll.getrandbits(32)) for _ in range(GUESSES)]
    return {
        card: sum(_tried(state, sight, card, world) for world in worlds) / GUESSES for card in members(legal)
    }


def _guess(sight: Sight, roll: random.Random) -> tuple[int, ...]:
    """Hands that may be, as far as the cards played tell."""
    for _ in range(PATIENCE):
        hands, all_given = _given_out(sight, roll, sight.may)
        if all_given:
            return hands
    return _given_out(sight, roll, [sight.unseen] * sight.seats)[0]


def _given_out(sight: Sight, roll: random.Random, may: Sequence[int]) -> tuple[tuple[int, ...], bool]:
    """Hands in which everybody has what he may, and whether all cards found a place."""
    hands = [sight.hand if seat == sight.seat else sight.known[seat] for seat in range(sight.seats)]
    room = [0 if seat == sight.seat else left for seat, left in enumerate(sight.left)]
    cards = members(sight.unseen & ~sum(sight.known))
    roll.shuffle(cards)
    cards.sort(key=lambda card: sum(mask >> card & 1 for mask in may))
    for card in cards:
        able = [seat for seat, free in enumerate(room) if free and may[seat] >> card & 1]
        if able:
            seat = roll.choices(able, [room[s] for s in able])[0]
            hands[seat] |= 1 << card
            room[seat] -= 1
    return tuple(hands), not any(room)


def _tried(state: State, sight: Sight, card: int, world: World) -> float:
    """How far ahead of the others the seat is when it plays this card and then everybody what chance says."""
    tricks, modes = zip(*_played_out(state, sight, card, world), strict=True)
    contract = SUIT_NAMES[modes[-1]] if modes[-1] < len(SUIT_NAMES) else None
    record = replace(state.record(*tricks), contract=contract)
    scores = [points or 0 for points in count_deal(state, record, items_of(state, record)).scores]
    own = scores.pop(sight.seat)
    return own - sum(scores) / len(scores)


def _played_out(state: State, sight: Sight, card: int, world: World) -> Iterator[tuple[Trick, int]]:
    """The tricks to the end of the deal, each with the mode after it."""
    following, seats, mode = state.rules.play.following, sight.seats, sight.mode
    roll, hands = random.Random(world.seed), list(world.hands)  # noqa: S311 - a bot's guess
    who, lying = list(state.trick_seats), list(state.trick)
    seat: int = sight.seat
    next_card: int | None = card
    while next_card is not None or hands[seat]:
        if next_card is None:
            next_card = _any(following[mode](hands[seat], lying) if lying else hands[seat], roll)
        hands[seat] &= ~(1 << next_card)
        if sight.unnamed and mode == sight.mode and lying and SUIT_OF[next_card] != SUIT_OF[lying[0]]:
            mode = SUIT_OF[next_card]
        who.append(seat)
        lying.append(next_card)
        seat, next_card = (seat + 1) % seats, None
        if len(lying) == seats:
            seat = who[_best(lying, mode)]
            yield Trick(who, lying, seat, None, []), mode
            who, lying = [], []


def _best(lying: Sequence[int], mode: int) -> int:
    strength = STRENGTH[mode][SUIT_OF[lying[0]]]
    return max(range(len(lying)), key=lambda at: strength[lying[at]])


def _any(mask: int, roll: random.Random) -> int:
    cards = members(mask)
    return cards[int(roll.random() * len(cards))]
