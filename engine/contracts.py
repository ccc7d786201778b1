"""The ten contracts and the order of cards in a trick.

The mode of a trick is 0-3 for the trump suit, 4 for top-down or 5 for bottom-up. Slalom and guschti change
the mode within a deal; the points of cards (`engine.card_points`) stay those of the first mode.
"""

from collections.abc import Mapping
from typing import Final, Literal, get_args

from engine.cards import (
    JACK,
    RANK_OF,
    SUIT_MASK,
    SUIT_NAMES,
    SUIT_OF,
)

Contract = Literal[
    "diamonds", "hearts", "spades", "clubs", "obenabe", "undenufe",
    "slalom-obenabe", "slalom-undenufe", "guschti-obenabe", "guschti-undenufe",
]  # fmt: skip
CONTRACTS: Final[tuple[Contract, ...]] = get_args(Contract)

TOP_DOWN, BOTTOM_UP = 4, 5
MAX_TRICKS: Final = 18  # two players with 18 cards each

_TRUMP_ORDER = (0, 1, 2, 7, 3, 8, 4, 5, 6)  # trump strength of 6 7 8 9 10 J Q K A


def first_mode(contract: str) -> int:
    """Return the mode of the first trick of a deal."""
    if contract in SUIT_NAMES:
        return SUIT_NAMES.index(contract)
    return TOP_DOWN if contract.endswith("obenabe") else BOTTOM_UP


def trick_modes(contract: str, tricks: int) -> tuple[int, ...]:
    """Return the mode of each trick in a deal of `tricks` tricks."""
    first = first_mode(contract)
    other = TOP_DOWN + BOTTOM_UP - first
    if contract.startswith("slalom"):
        return tuple(first if i % 2 == 0 else other for i in range(tricks))
    if contract.startswith("guschti"):
        return tuple(first if i < (tricks + 1) // 2 else other for i in range(tricks))
    return (first,) * tricks


MODES: Final[Mapping[str, tuple[tuple[int, ...], ...]]] = {
    contract: tuple(trick_modes(contract, tricks) for tricks in range(MAX_TRICKS + 1))
    for contract in CONTRACTS
}
"""MODES[contract][tricks in the deal][completed tricks] is the mode of the next trick."""


def _strength(mode: int, led: int) -> tuple[int, ...]:
    power = []
    for suit, rank in zip(SUIT_OF, RANK_OF, strict=True):
        if suit == mode:
            power.append(20 + _TRUMP_ORDER[rank])
        elif suit == led:
            power.append(10 - rank if mode == BOTTOM_UP else 1 + rank)
        else:
            power.append(0)
    return tuple(power)


STRENGTH: Final = tuple(tuple(_strength(mode, led) for led in range(4)) for mode in range(6))
"""STRENGTH[mode][suit led][card]: the strongest card takes the trick; a card of strength 0 never does."""

HIGHER: Final = tuple(
    tuple(
        sum(
            1 << other
            for other in range(mode * 9, mode * 9 + 9)
            if SUIT_OF[card] != mode or _TRUMP_ORDER[RANK_OF[other]] > _TRUMP_ORDER[RANK_OF[card]]
        )
        for card in range(36)
    )
    for mode in range(4)
)
"""HIGHER[trump suit][card] is the mask of the trumps that beat a card. For a card of another suit it is the
mask of all trumps, so that masks of several cards can be combined with `&`.
"""

PUUR: Final = tuple(1 << (suit * 9 + JACK) for suit in range(4))
TRUMPS: Final = SUIT_MASK
