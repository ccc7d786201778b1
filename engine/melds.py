"""Melds: what is one, what it is worth, and whose is best.

Source: rules of the common ground. Four of a kind 100, nines 150, jacks 200; sequences three 20, four 50,
five 100 and 50 more for each further card, in the natural order whatever the contract.
"""

from collections.abc import Sequence
from typing import NamedTuple, cast

from .cards import BIT, DECK, JACK, NINE, RANK_OF, SUIT_NAMES, SUIT_OF, codes, members
from .contracts import BOTTOM_UP, first_mode
from .errors import IllegalCommand
from .events import Declared, Shown
from .state import Declaration

_QUADS = {JACK: 200, NINE: 150}


class Meld(NamedTuple):
    """A valid meld: its cards and points; a quad is four of a kind."""

    cards: int
    points: int
    quad: bool


def of_mask(mask: int) -> Meld | None:
    """The meld that a set of cards makes, if it makes one."""
    cards = members(mask)
    if len(cards) == 4 and len({RANK_OF[c] for c in cards}) == 1:
        return Meld(mask, _QUADS.get(RANK_OF[cards[0]], 100), True)
    run = (
        len(cards) >= 3 and SUIT_OF[cards[0]] == SUIT_OF[cards[-1]] and cards[-1] - cards[0] == len(cards) - 1
    )
    if not run:
        return None
    return Meld(mask, {3: 20, 4: 50}.get(len(cards), 50 * (len(cards) - 3)), False)


def read(cards: Sequence[str], low_quads: bool) -> Meld:
    """The meld that some codes make; IllegalCommand `melds/no_meld`."""
    mask = 0
    for card in cards:
        mask |= BIT[card]
    meld = of_mask(mask) if mask.bit_count() == len(cards) else None
    if meld is None or (meld.quad and not low_quads and RANK_OF[members(meld.cards)[0]] < NINE):
        raise IllegalCommand("melds/no_meld", f"{' '.join(cards)} is no meld here", cards=list(cards))
    return meld


def found_in(hand: int, low_quads: bool = True) -> list[Meld]:
    """The melds a hand holds: every whole run and every four of a kind."""
    found: list[Meld] = []
    for suit in range(4):
        run = 0
        for card in range(suit * 9, suit * 9 + 10):
            if card < suit * 9 + 9 and hand >> card & 1:
                run |= 1 << card
            else:
                meld = of_mask(run)
                run = 0
                if meld is not None:
                    found.append(meld)
    for rank in range(0 if low_quads else NINE, 9):
        meld = of_mask(hand & sum(1 << (suit * 9 + rank) for suit in range(4)))
        if meld is not None:
            found.append(meld)
    return found


def check_apart(melds: Sequence[Meld]) -> None:
    """A card may be in one sequence and in one four of a kind, not in two of either."""
    for quad in (False, True):
        seen = 0
        for meld in melds:
            if meld.quad is quad:
                if seen & meld.cards:
                    raise IllegalCommand(
                        "melds/overlap", "a card may be in one sequence and one four of a kind"
                    )
                seen |= meld.cards


def deciding(meld: Meld, contract: str) -> int:
    """The card a tie is decided by: the top one, in bottom-up contracts the lowest."""
    cards = members(meld.cards)
    return cards[0] if first_mode(contract) == BOTTOM_UP else cards[-1]


def announce(meld: Meld, contract: str) -> Declared:
    """What the table hears of a meld."""
    return Declared(meld.points, DECK[deciding(meld, contract)])


def show(seat: int, mask: int) -> Shown:
    """The cards of a declared meld on the table."""
    return Shown(seat=seat, cards=codes(mask), points=declared_as(mask).points)


def declared_as(mask: int) -> Meld:
    """The meld of a mask that was accepted as one."""
    return cast("Meld", of_mask(mask))


def best(declared: Sequence[Declaration], contract: str, tie: str) -> int:
    """The seat of the best single meld among declarations in order: more points, more cards, higher top card
    (lower in bottom-up), then by trumps (`tie`: "puur" holds the trump jack, "trump" is in trumps), then
    earlier."""
    trump = SUIT_NAMES.index(contract) if contract in SUIT_NAMES else None
    upside_down = first_mode(contract) == BOTTOM_UP

    def rank(mask: int) -> tuple[int, int, int, bool]:
        meld = declared_as(mask)
        top = RANK_OF[deciding(meld, contract)]
        in_trumps = trump is not None and not meld.quad and SUIT_OF[members(mask)[0]] == trump
        if tie == "puur" and in_trumps and trump is not None:
            in_trumps = bool(mask >> (trump * 9 + JACK) & 1)
        return (meld.points, mask.bit_count(), -top if upside_down else top, in_trumps)

    winner, highest = declared[0].seat, None
    for declaration in declared:
        for mask in declaration.melds or ():
            value = rank(mask)
            if highest is None or value > highest:
                winner, highest = declaration.seat, value
    return winner
