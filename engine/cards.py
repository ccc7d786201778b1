"""The 36 cards, in three forms: as codes, as ints and as 36-bit masks.

Codes appear in commands, events and JSON; the engine computes with ints and masks. The deck order is suits D
H S C and ranks 6 7 8 9 10 J Q K A. A card's number is suit * 9 + rank, and bit n of a mask is card n.
"""

from collections.abc import Iterable
from typing import Final, Literal, get_args

Card = Literal[
    "D6", "D7", "D8", "D9", "D10", "DJ", "DQ", "DK", "DA",
    "H6", "H7", "H8", "H9", "H10", "HJ", "HQ", "HK", "HA",
    "S6", "S7", "S8", "S9", "S10", "SJ", "SQ", "SK", "SA",
    "C6", "C7", "C8", "C9", "C10", "CJ", "CQ", "CK", "CA",
]  # fmt: skip
Suit = Literal["diamonds", "hearts", "spades", "clubs"]

SUITS: Final = "DHSC"
SUIT_NAMES: Final[tuple[Suit, ...]] = ("diamonds", "hearts", "spades", "clubs")
RANKS: Final = ("6", "7", "8", "9", "10", "J", "Q", "K", "A")
SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(9)

DECK: Final[tuple[Card, ...]] = get_args(Card)
INDEX: Final[dict[str | None, int]] = {None: -1, **{code: i for i, code in enumerate(DECK)}}
BIT: Final[dict[str | None, int]] = {None: 0, **{code: 1 << i for i, code in enumerate(DECK)}}
ALL: Final = (1 << 36) - 1
SINGLE: Final = (*(1 << card for card in range(36)), 0)
"""The mask of each card number. The last entry, reached by -1 (unknown card), is empty."""
WITHOUT: Final[dict[str | None, int]] = {code: ALL ^ bit for code, bit in BIT.items()}
"""The mask of all cards but one, by this card's code."""
SUIT_MASK: Final = tuple(0x1FF << (9 * suit) for suit in range(4))
SUIT_OF: Final = tuple(card // 9 for card in range(36))
RANK_OF: Final = tuple(card % 9 for card in range(36))


def codes(mask: int) -> list[Card]:
    """Return the card codes in a mask, in deck order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(DECK[low.bit_length() - 1])
        mask ^= low
    return found


def mask(cards: Iterable[str | None]) -> int:
    """Return the mask of some card codes. None (unknown card) adds nothing."""
    bits = 0
    for code in cards:
        if code is not None:
            bits |= BIT[code]
    return bits


def members(mask: int) -> list[int]:
    """Return the card numbers in a mask, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
