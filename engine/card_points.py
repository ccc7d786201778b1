"""Points of the cards under each contract, of the last trick and of the Stöck."""

from collections.abc import Mapping
from typing import Final

from engine.cards import ACE, EIGHT, JACK, KING, NINE, QUEEN, RANK_OF, SIX, SUIT_OF, TEN
from engine.contracts import BOTTOM_UP, CONTRACTS, TOP_DOWN, first_mode

Values = tuple[int, ...]

LAST_TRICK: Final = 5
STOECK_POINTS: Final = 20

_PLAIN_POINTS = {ACE: 11, KING: 4, QUEEN: 3, JACK: 2, TEN: 10}
_TRUMP_POINTS = {**_PLAIN_POINTS, JACK: 20, NINE: 14}
_TOP_DOWN_POINTS = {**_PLAIN_POINTS, EIGHT: 8}
_BOTTOM_UP_POINTS = {**_TOP_DOWN_POINTS, ACE: 0, SIX: 11}


def _card_values(mode: int) -> Values:
    if mode == TOP_DOWN:
        return tuple(_TOP_DOWN_POINTS.get(rank, 0) for rank in RANK_OF)
    if mode == BOTTOM_UP:
        return tuple(_BOTTOM_UP_POINTS.get(rank, 0) for rank in RANK_OF)
    return tuple(
        (_TRUMP_POINTS if suit == mode else _PLAIN_POINTS).get(rank, 0)
        for suit, rank in zip(SUIT_OF, RANK_OF, strict=True)
    )


VALUES: Final[Mapping[str, Values]] = {contract: _card_values(first_mode(contract)) for contract in CONTRACTS}
"""Points of each card by contract. The cards of a contract have 152 points together."""
DEAL_POINTS: Final = 157
"""Points of all cards of a contract and of the last trick."""
