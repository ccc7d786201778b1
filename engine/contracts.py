"""How a deal is played: trick order and card values of the ten contracts.

A *mode* is what one trick is played by: 0-3 the trump suit, 4 top-down, 5 bottom-up. Slalom and guschti
change the mode from trick to trick; their values stay those of the direction named first.
"""

from collections.abc import Mapping
from typing import Final, Literal, get_args

from engine.cards import (
    ACE,
    EIGHT,
    JACK,
    KING,
    NINE,
    QUEEN,
    RANK_OF,
    SIX,
    SUIT_MASK,
    SUIT_NAMES,
    SUIT_OF,
    TEN,
)

Contract = Literal[
    "diamonds", "hearts", "spades", "clubs", "obenabe", "undenufe",
    "slalom-obenabe", "slalom-undenufe", "guschti-obenabe", "guschti-undenufe",
]  # fmt: skip
CONTRACTS: Final[tuple[Contract, ...]] = get_args(Contract)
Values = tuple[int, ...]

TOP_DOWN, BOTTOM_UP = 4, 5
LAST_TRICK: Final = 5
STOECK_POINTS: Final = 20
MAX_TRICKS: Final = 18  # two players with 18 cards each

_PLAIN = {ACE: 11, KING: 4, QUEEN: 3, JACK: 2, TEN: 10}
_TRUMP = {**_PLAIN, JACK: 20, NINE: 14}
_TOP_DOWN = {**_PLAIN, EIGHT: 8}
_BOTTOM_UP = {**_TOP_DOWN, ACE: 0, SIX: 11}
_TRUMP_ORDER = (0, 1, 2, 7, 3, 8, 4, 5, 6)  # strength of 6 7 8 9 10 J Q K A as trumps


def first_mode(contract: str) -> int:
    """The mode of the first trick, which also decides the values."""
    if contract in SUIT_NAMES:
        return SUIT_NAMES.index(contract)
    return TOP_DOWN if contract.endswith("obenabe") else BOTTOM_UP


def modes_of(contract: str, tricks: int) -> tuple[int, ...]:
    """The mode of each trick of a deal of so many tricks."""
    first = first_mode(contract)
    other = TOP_DOWN + BOTTOM_UP - first
    if contract.startswith("slalom"):
        return tuple(first if i % 2 == 0 else other for i in range(tricks))
    if contract.startswith("guschti"):
        return tuple(first if i < (tricks + 1) // 2 else other for i in range(tricks))
    return (first,) * tricks


MODES: Final[Mapping[str, tuple[tuple[int, ...], ...]]] = {
    contract: tuple(modes_of(contract, tricks) for tricks in range(MAX_TRICKS + 1)) for contract in CONTRACTS
}
"""MODES[contract][tricks in the deal][tricks completed]."""


def _worth(mode: int) -> Values:
    if mode == TOP_DOWN:
        return tuple(_TOP_DOWN.get(rank, 0) for rank in RANK_OF)
    if mode == BOTTOM_UP:
        return tuple(_BOTTOM_UP.get(rank, 0) for rank in RANK_OF)
    return tuple(
        (_TRUMP if suit == mode else _PLAIN).get(rank, 0) for suit, rank in zip(SUIT_OF, RANK_OF, strict=True)
    )


VALUES: Final[Mapping[str, Values]] = {contract: _worth(first_mode(contract)) for contract in CONTRACTS}
"""Points of each card by contract; 152 in all."""


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
"""STRENGTH[mode][suit led][card]: the strongest card takes the trick, 0 never does."""

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
"""HIGHER[trump suit][card]: the trumps that beat it; beside the trump suit all trumps, so that masks can be
and-ed."""

PUUR: Final = tuple(1 << (suit * 9 + JACK) for suit in range(4))
STOECK: Final = tuple((1 << (suit * 9 + QUEEN)) | (1 << (suit * 9 + KING)) for suit in range(4))
TRUMPS: Final = SUIT_MASK
