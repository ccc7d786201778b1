"""Combinations of cards that are melds, and their points.

Source: the common rules of all variants. Four of a kind 100, nines 150, jacks 200. Sequences of three 20,
four 50, five 100 and 50 more for each further card, in natural order in every contract.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple, cast

from engine.cards import BIT, DECK, JACK, NINE, RANK_OF, SUIT_OF, codes, members
from engine.commands import Declared, Shown
from engine.contracts import BOTTOM_UP, first_mode
from engine.errors import IllegalCommand

_QUAD_POINTS = {JACK: 200, NINE: 150}


class Meld(NamedTuple):
    """A meld. `cards`: the mask of its cards. `quad`: whether it is four of a kind."""

    cards: int
    points: int
    quad: bool


def _sequence_points(length: int) -> int:
    return 20 if length == 3 else 50 * (length - 3)


def meld_from_mask(mask: int) -> Meld | None:
    """Return the meld that consists of the cards of a mask; None if they are no meld."""
    cards = members(mask)
    if len(cards) == 4 and len({RANK_OF[c] for c in cards}) == 1:
        return Meld(mask, _QUAD_POINTS.get(RANK_OF[cards[0]], 100), True)
    run = (
        len(cards) >= 3 and SUIT_OF[cards[0]] == SUIT_OF[cards[-1]] and cards[-1] - cards[0] == len(cards) - 1
    )
    if not run:
        return None
    return Meld(mask, _sequence_points(len(cards)), False)


@cache
def meld_sums(cards: int, players: int) -> frozenset[int]:
    """Return the sums that the melds of `players` hands of `cards` cards each may have, including 0.

    Some of these sums may be impossible: sequences and fours of a kind are combined freely.
    """
    runs = {0: {0}}
    for held in range(3, cards + 1):
        runs[held] = {0}
        for length in range(3, held + 1):
            runs[held] |= {_sequence_points(length) + rest for rest in runs.get(held - length, {0})}
    quads = {
        100 * plain + 150 * nines + 200 * jacks
        for plain in range(cards // 4 + 1)
        for nines in range(2)
        for jacks in range(2)
        if plain + nines + jacks <= cards // 4
    }
    own = {run + quad for run in runs[cards] for quad in quads}
    sums = {0}
    for _ in range(players):
        sums = {before + more for before in sums for more in own}
    return frozenset(sums)


def read(cards: Sequence[str], low_quads: bool) -> Meld:
    """Return the meld that consists of these card codes. `low_quads`: fours of a kind below the nines count.
    Raises IllegalCommand `melds/no_meld` if there is none.
    """
    mask = 0
    for card in cards:
        mask |= BIT[card]
    meld = meld_from_mask(mask) if mask.bit_count() == len(cards) else None
    if meld is None or not is_played(meld, low_quads):
        raise IllegalCommand("melds/no_meld", f"{' '.join(cards)} is no meld here", cards=list(cards))
    return meld


def find_melds(hand: int, low_quads: bool = True) -> list[Meld]:
    """Return the melds in a hand: every longest sequence and every four of a kind. `low_quads`: also fours
    below the nines.
    """
    melds: list[Meld] = []
    for suit in range(4):
        run = 0
        for card in range(suit * 9, suit * 9 + 10):
            if card < suit * 9 + 9 and hand >> card & 1:
                run |= 1 << card
            else:
                meld = meld_from_mask(run)
                run = 0
                if meld is not None:
                    melds.append(meld)
    for rank in range(0 if low_quads else NINE, 9):
        meld = meld_from_mask(hand & sum(1 << (suit * 9 + rank) for suit in range(4)))
        if meld is not None:
            melds.append(meld)
    return melds


def check_overlap(melds: Sequence[Meld]) -> None:
    """Refuse a card that is in two sequences or in two fours of a kind. A card may be in one of each. Raises
    IllegalCommand `melds/overlap`.
    """
    for quad in (False, True):
        seen = 0
        for meld in melds:
            if meld.quad is quad:
                if seen & meld.cards:
                    raise IllegalCommand(
                        "melds/overlap", "a card may be in one sequence and one four of a kind"
                    )
                seen |= meld.cards


def get_deciding_card(meld: Meld, contract: str) -> int:
    """Return the card that decides between equal melds: the highest, in bottom-up contracts the lowest."""
    cards = members(meld.cards)
    return cards[0] if first_mode(contract) == BOTTOM_UP else cards[-1]


def announce(meld: Meld, contract: str) -> Declared:
    """Return the announcement of a meld: its points and deciding card."""
    return Declared(meld.points, DECK[get_deciding_card(meld, contract)])


def show(seat: int, mask: int) -> Shown:
    """Return the meld that a seat laid on the table, as `MeldsScored.shown` lists it."""
    return Shown(seat=seat, cards=codes(mask), points=declared_as(mask).points)


def declared_as(mask: int) -> Meld:
    """Return the meld of a mask that is known to be a meld."""
    return cast("Meld", meld_from_mask(mask))


def is_played(meld: Meld, low_quads: bool) -> bool:
    """Return whether a meld counts. `low_quads`: fours of a kind below the nines count."""
    return low_quads or not meld.quad or RANK_OF[members(meld.cards)[0]] >= NINE


def _iter_melds() -> Iterator[Meld]:
    for first in range(36):
        for last in range(first + 2, first + 9):
            meld = meld_from_mask((1 << last + 1) - (1 << first)) if last < 36 else None
            if meld is not None:
                yield meld
    for rank_of_four in range(9):
        yield declared_as(sum(1 << (suit * 9 + rank_of_four) for suit in range(4)))


EVERY_MELD: Final = tuple(_iter_melds())
