"""Cards, contracts, and the points of cards and melds."""

from __future__ import annotations

DECK = [suit + rank for suit in "DHSC" for rank in ("6", "7", "8", "9", "10", "J", "Q", "K", "A")]
SUITS = ("diamonds", "hearts", "spades", "clubs")
DIRECTIONS = ("obenabe", "undenufe")
CONTRACTS = (*SUITS, *DIRECTIONS, *(kind + "-" + way for kind in ("slalom", "guschti") for way in DIRECTIONS))
TRUMP_ORDER = (0, 1, 2, 7, 3, 8, 4, 5, 6)
RANK_POINTS = (0, 0, 0, 0, 10, 2, 3, 4, 11)  # of 6 7 8 9 10 J Q K A
STOECK_POINTS = 20
DEAL_POINTS = 157
PUUR_POINTS = 20


def compute_card_points(card, contract):
    """Return the points of a card in a contract."""
    suit, rank = DECK.index(card) // 9, DECK.index(card) % 9
    if contract in SUITS:
        return (
            {5: 20, 3: 14}.get(rank, RANK_POINTS[rank])
            if suit == SUITS.index(contract)
            else RANK_POINTS[rank]
        )
    down = contract.endswith("undenufe")
    return {2: 8, 0: 11 if down else 0, 8: 0 if down else 11}.get(rank, RANK_POINTS[rank])


def compute_meld_points(cards):
    """Return the points of a meld, or None if its cards form no meld."""
    at = sorted(DECK.index(card) for card in cards)
    if len(at) == 4 and len({card % 9 for card in at}) == 1:
        return {3: 150, 5: 200}.get(at[0] % 9, 100)
    row = len(at) >= 3 and at == list(range(at[0], at[0] + len(at))) and at[0] // 9 == at[-1] // 9
    return {3: 20, 4: 50}.get(len(at), 50 * (len(at) - 3)) if row else None
